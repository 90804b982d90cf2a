#!/usr/bin/env python3
"""Checks the module table: which folder may include what, and which library it may link.

    check_layers.py [ROOT]        lists every include and link that breaks the table; exit 1 if any
    check_layers.py --self-test   plants one violation of each kind and checks that each is found

docs/architecture.md shows the same table and says why. Reads text only, so it needs no build.
"""

import re
import sys
import tempfile
from pathlib import Path

EVERYTHING = {"base", "workload", "trace", "cluster", "models", "policy", "policies", "engine", "verify", "conformance",
              "inspect", "metrics", "report", "api"}
# module: the modules and the single headers that it may include beside its own.
ROWS = {
    "base": set(),
    "workload": {"base"},
    "trace": {"base", "workload"},
    "cluster": {"base"},
    "models": {"base", "workload", "cluster"},
    "policy": {"base", "workload", "cluster", "models"},
    "policies": {"base", "workload", "cluster", "models", "policy"},
    "engine": {"base", "workload", "cluster", "models", "policy"},
    "verify": {"base", "workload", "cluster", "engine", "policy/spec.hpp"},
    "conformance": {"base", "workload", "cluster", "policy", "engine", "verify"},
    "inspect": {"base", "workload", "cluster", "models", "policy", "engine"},
    "metrics": {"base", "workload", "cluster", "models", "engine/recorder.hpp"},
    "report": {"base", "workload", "metrics", "engine/recorder.hpp"},
    "api": EVERYTHING - {"api"},
    "app": EVERYTHING,
}
# A module may link the library of a header that it may include.
LINKS_FOR_HEADERS = {"metrics": {"engine"}}
# What only the future knows of a job. workload declares and fills it.
TRUTH = "workload/truth.hpp"
MAY_SEE_THE_TRUTH = {"workload", "trace", "engine", "verify", "metrics", "api", "app"}
# These modules wire the others together and may use their private headers.
WIRING = {"api", "app"}
# First folder of an angled include: the modules that may use that library.
LIBRARIES = {
    "boost": set(ROWS),
    "fmt": set(ROWS),
    "nlohmann": {"trace", "report", "api", "app"},
    "valijson": {"api"},
    "openssl": {"trace", "api", "app"},
    "CLI": {"app"},
    "spdlog": {"app"},
    "sys": set(ROWS),
}
INCLUDE = re.compile(r"^\s*#\s*include\b\s*(.*)$")
TARGET = re.compile(r'^(?:"([^"]+)"|<([^>]+)>)')
MODULE_CALL = re.compile(r"orrery_module\(\s*(\w+)(.*?)\)", re.S)


def module_of(path, root):
    """The module that a file belongs to, or None."""
    parts = path.relative_to(root).parts
    if parts[0] == "policies":
        return "policies"
    if parts[0] == "src" and len(parts) > 2:
        return parts[1]
    if parts[:2] == ("include", "orrery") and len(parts) > 3:
        return parts[2]
    return None


def broken_quoted(name, path, module, root):
    """Why a quoted include breaks the table, or None."""
    public = name.startswith("orrery/")
    inside = name[len("orrery/"):] if public else name
    other = inside.split("/")[0]
    if public and not (root / "include" / name).is_file():
        return "there is no such public header"
    if not public and "/" not in name:
        return None if (path.parent / name).is_file() else "no such header stands beside the file"
    if not public and not (root / "src" / name).is_file():
        return "a private header is named from src/ on, a public one from orrery/ on"
    if inside == TRUTH and module not in MAY_SEE_THE_TRUTH:
        return f"{module} may not see what only the future knows"
    if other == module:
        return None
    if other not in ROWS[module] and inside not in ROWS[module]:
        return f"{module} may not include {other}"
    if not public and module not in WIRING:
        return f"{module} may not include a private header of {other}"
    return None


def broken_angled(name, module):
    if name.startswith("orrery/"):
        return "own headers are included with quotes"
    root, slash, _ = name.partition("/")
    if not slash:
        return None  # the standard library, or the system's
    if root not in LIBRARIES:
        return f"{root} is in no row of the table of libraries"
    return None if module in LIBRARIES[root] else f"{module} may not use {root}"


def check_file(path, root):
    module = module_of(path, root)
    if module is None:
        yield f"{path.relative_to(root)}: belongs to no module"
        return
    if module not in ROWS:
        yield f"{path.relative_to(root)}: the table has no row for {module}"
        return
    for number, line in enumerate(path.read_text().splitlines(), 1):
        found = INCLUDE.match(line)
        if not found:
            continue
        target = TARGET.match(found[1])
        if not target:
            why = "an include names its header"
        elif target[1]:
            why = broken_quoted(target[1], path, module, root)
        else:
            why = broken_angled(target[2], module)
        if why:
            yield f"{path.relative_to(root)}:{number}: {line.strip()}: {why}"


def check_links(path, root):
    for name, body in MODULE_CALL.findall(path.read_text()):
        allowed = ROWS.get(name, set()) | LINKS_FOR_HEADERS.get(name, set())
        for other in re.findall(r"orrery::(\w+)", body):
            if other not in allowed:
                yield f"{path.relative_to(root)}: {name} may not link orrery::{other}"


def check(root):
    """Every violation below `root`, as one line each, and the number of files read."""
    sources = [path for folder in ("include", "src", "policies")
               for path in sorted((root / folder).rglob("*")) if path.suffix in (".hpp", ".cpp", ".in")]
    builds = [root / "policies/CMakeLists.txt", *sorted((root / "src").rglob("CMakeLists.txt"))]
    violations = []
    for path in sources:
        violations += check_file(path, root)
    for path in builds:
        if path.is_file():
            violations += check_links(path, root)
    return violations, len(sources)


# --- self-test ---------------------------------------------------------------------------------

CLEAN = {
    "include/orrery/base/id.hpp": "#include <vector>\n#include <sys/stat.h>\n",
    "include/orrery/workload/truth.hpp": '#include "orrery/base/id.hpp"\n',
    "include/orrery/cluster/cluster.hpp": '#include "orrery/base/id.hpp"\n#include <boost/a.hpp>\n',
    "include/orrery/policy/spec.hpp": '#include "orrery/base/id.hpp"\n',
    "include/orrery/policy/line.hpp": '#include "orrery/policy/spec.hpp"\n',
    "include/orrery/engine/recorder.hpp": '#include "orrery/cluster/cluster.hpp"\n',
    "include/orrery/engine/simulator.hpp": '#include "orrery/policy/line.hpp"\n',
    "include/orrery/trace/loader.hpp": '#include "orrery/workload/truth.hpp"\n',
    "src/engine/loop.hpp": '#include "orrery/workload/truth.hpp"\n',
    "src/engine/loop.cpp": '#include "engine/loop.hpp"\n',
    "src/verify/checker.cpp": '#include "orrery/policy/spec.hpp"\n#include "orrery/engine/simulator.hpp"\n',
    "src/metrics/jobs.cpp": '#include "orrery/engine/recorder.hpp"\n#include "orrery/workload/truth.hpp"\n',
    "src/app/main.cpp": '#include "engine/loop.hpp"\n#include <CLI/CLI.hpp>\n',
    "policies/policies.hpp": '#include "orrery/policy/line.hpp"\n',
    "policies/fifo.cpp": '#include "policies.hpp"\n// #include "orrery/engine/recorder.hpp"\n',
    "src/engine/CMakeLists.txt": "orrery_module(engine SOURCES loop.cpp LINKS orrery::base orrery::policy)\n",
    "src/metrics/CMakeLists.txt": "orrery_module(metrics SOURCES jobs.cpp LINKS orrery::engine)\n",
}
# file, the line planted in it, what must be said of it
PLANTED = [
    ("include/orrery/base/id.hpp", '#include "orrery/workload/truth.hpp"', "base may not see"),
    ("include/orrery/base/id.hpp", '#include "orrery/cluster/cluster.hpp"', "base may not include cluster"),
    ("include/orrery/cluster/cluster.hpp", '#include "orrery/policy/line.hpp"', "cluster may not include policy"),
    ("include/orrery/trace/loader.hpp", '#include "orrery/engine/recorder.hpp"', "trace may not include engine"),
    ("include/orrery/policy/line.hpp", '#include "orrery/workload/truth.hpp"', "policy may not see"),
    ("policies/fifo.cpp", '#include "orrery/workload/truth.hpp"', "policies may not see"),
    ("policies/fifo.cpp", '#include "orrery/engine/simulator.hpp"', "policies may not include engine"),
    ("policies/fifo.cpp", '#include "absent.hpp"', "no such header stands beside"),
    ("src/engine/loop.cpp", '#include "orrery/trace/loader.hpp"', "engine may not include trace"),
    ("src/engine/loop.cpp", '#  include  "orrery/trace/loader.hpp"', "engine may not include trace"),
    ("src/engine/loop.cpp", '#include "../../policies/policies.hpp"', "is named from src/ on"),
    ("src/engine/loop.cpp", '#include "orrery/engine/absent.hpp"', "no such public header"),
    ("src/engine/loop.cpp", "#include <orrery/trace/loader.hpp>", "with quotes"),
    ("src/engine/loop.cpp", "#include HEADER", "names its header"),
    ("src/engine/loop.cpp", "#include <nlohmann/json.hpp>", "engine may not use nlohmann"),
    ("src/engine/loop.cpp", "#include <simdjson/simdjson.h>", "in no row"),
    ("src/metrics/jobs.cpp", '#include "orrery/engine/simulator.hpp"', "metrics may not include engine"),
    ("src/metrics/jobs.cpp", '#include "engine/loop.hpp"', "metrics may not include engine"),
    ("src/verify/checker.cpp", '#include "engine/loop.hpp"', "private header of engine"),
    ("src/verify/checker.cpp", '#include "orrery/policy/line.hpp"', "verify may not include policy"),
    ("src/report/report.cpp", '#include "orrery/workload/truth.hpp"', "report may not see"),
    ("src/power/power.cpp", "", "no row for power"),
    ("src/stray.cpp", "", "belongs to no module"),
    ("src/engine/CMakeLists.txt", "orrery_module(engine SOURCES a.cpp LINKS orrery::trace)",
     "engine may not link orrery::trace"),
    ("src/base/CMakeLists.txt", "orrery_module(base SOURCES\n a.cpp\n  LINKS orrery::workload)",
     "base may not link orrery::workload"),
]


def self_test():
    failures = 0
    for planted in [None, *PLANTED]:
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            for name, text in CLEAN.items():
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                (root / name).write_text(text)
            if planted:
                (root / planted[0]).parent.mkdir(parents=True, exist_ok=True)
                with (root / planted[0]).open("a") as file:
                    file.write(planted[1] + "\n")
            violations, _ = check(root)
        good = violations == [] if planted is None else len(violations) == 1 and planted[2] in violations[0]
        if not good:
            failures += 1
            print(f"planted {planted}: found {violations}")
    print(f"{len(PLANTED) + 1 - failures} of {len(PLANTED) + 1} as they should be")
    return 1 if failures else 0


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent
    violations, files = check(root)
    for line in violations:
        print(line)
    if files == 0:
        print(f"no sources below {root}")
        return 1
    print(f"{files} files, {len(violations)} violations")
    return 1 if violations else 0


if __name__ == "__main__":
    sys.exit(main())
