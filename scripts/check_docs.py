#!/usr/bin/env python3
"""Checks the links between the pages: each names a file that is there, and a heading that is in it.

    check_docs.py [ROOT]        lists every link that leads nowhere; exit 1 if any
    check_docs.py --self-test   plants such links and checks that each is found
"""

import re
import sys
import tempfile
from pathlib import Path

LINK = re.compile(r"\]\(([^()\s]+)\)")
FENCE = re.compile(r"^```.*?^```", re.S | re.M)


def anchor(heading):
    """The anchor of a heading, as code hosts make it."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


def anchors(page):
    return {anchor(found) for found in re.findall(r"^#+ (.*)$", FENCE.sub("", page.read_text()), re.M)}


def check(root):
    """Every link that leads nowhere, as one line each, and the number of links."""
    broken, links = [], 0
    for page in [*sorted(root.glob("*.md")), *sorted((root / "docs").rglob("*.md")),
                 *sorted((root / "traces").glob("*.md"))]:
        for target in LINK.findall(FENCE.sub("", page.read_text())):
            if re.match(r"[a-z]+:", target):
                continue
            links += 1
            name, _, heading = target.partition("#")
            other = page.parent / name if name else page
            if not other.exists():
                broken.append(f"{page.relative_to(root)}: {target}: there is no such file")
            elif heading and heading not in anchors(other):
                broken.append(f"{page.relative_to(root)}: {target}: there is no such heading")
    return broken, links


def self_test():
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        (root / "docs").mkdir()
        (root / "docs/a.md").write_text("# One, two `three`\n[up](../README.md) [here](#one-two-three)\n")
        (root / "README.md").write_text("[a](docs/a.md#one-two-three) [web](https://example.org/x)\n"
                                        "```\n[not](a/link)\n```\n")
        clean, links = check(root)
        (root / "README.md").write_text("[gone](docs/b.md) [gone](docs/a.md#two) [there](docs/a.md)\n")
        broken, _ = check(root)
    good = clean == [] and links == 3 and len(broken) == 2 and "no such file" in broken[0] and "no such heading" in broken[1]
    print("as it should be" if good else f"clean: {clean}, {links} links; broken: {broken}")
    return 0 if good else 1


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent
    broken, links = check(root)
    for line in broken:
        print(line)
    print(f"{links} links, {len(broken)} lead nowhere")
    return 1 if broken or links == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
