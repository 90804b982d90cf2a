#!/usr/bin/env python3
"""Checks that every source is as clang-format leaves it; exit 77 (skipped) without clang-format 14.

    check_format.py         lists the files that differ; exit 1 if any
    check_format.py --fix   formats them

Other versions lay some lines out differently, so they are not asked.
"""

import re
import shutil
import subprocess
import sys
from pathlib import Path

VERSION = "14"
SKIPPED = 77
FOLDERS = ("include", "src", "policies", "tests", "examples")


def clang_format():
    """The name of a clang-format of the version that .clang-format is written for, or None."""
    for name in (f"clang-format-{VERSION}", "clang-format"):
        if shutil.which(name):
            says = subprocess.run([name, "--version"], capture_output=True, text=True, check=True).stdout
            if re.search(rf"version {VERSION}\.", says):
                return name
    return None


def main():
    root = Path(__file__).resolve().parent.parent
    tool = clang_format()
    if tool is None:
        print(f"skipped: clang-format {VERSION} is absent")
        return SKIPPED
    sources = [str(path) for folder in FOLDERS for path in sorted((root / folder).rglob("*"))
               if path.suffix in (".cpp", ".hpp")]
    if not sources:
        print(f"no sources below {root}")
        return 1
    if sys.argv[1:] == ["--fix"]:
        return subprocess.run([tool, "-i", *sources], check=False).returncode
    result = subprocess.run([tool, "--dry-run", "-Werror", *sources], capture_output=True, text=True, check=False)
    differing = sorted({line.split(":")[0] for line in result.stderr.splitlines() if ": error: " in line})
    for path in differing:
        print(Path(path).relative_to(root))
    print(f"{len(sources)} files, {len(differing)} not as clang-format leaves them (scripts/check_format.py --fix)")
    return 1 if result.returncode != 0 or differing else 0


if __name__ == "__main__":
    sys.exit(main())
