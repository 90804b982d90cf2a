#!/usr/bin/env python3
"""Instructions a job of the engine, counted by callgrind, against the last accepted numbers.

usage: instructions.py BENCHMARKS [--accept]
Fails when a policy takes more than 3 % above its number in instructions.json; --accept writes the numbers counted now.
Exits with 77 (skipped) where valgrind is absent.
"""
import json
import pathlib
import re
import shutil
import subprocess
import sys

JOBS = 30_000  # what orrery_benchmarks --engine replays
LIMIT = 1.03
ACCEPTED = pathlib.Path(__file__).with_name("instructions.json")


def count(program, policy):
    """Instructions a job inside Simulator::run()."""
    said = subprocess.run(
        ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null",
         "--toggle-collect=orrery::Simulator::run*", program, "--engine", policy],
        capture_output=True, text=True, check=True).stderr
    return int(re.search(r"Collected : (\d+)", said).group(1)) / JOBS


def main():
    program = sys.argv[1]
    if shutil.which("valgrind") is None:
        print("skipped: valgrind is absent")
        return 77
    accepted = json.loads(ACCEPTED.read_text())
    counted = {policy: round(count(program, policy)) for policy in accepted}
    if "--accept" in sys.argv[2:]:
        ACCEPTED.write_text(json.dumps(counted, indent=2) + "\n")
        return 0
    failed = False
    for policy, now in counted.items():
        above = now > LIMIT * accepted[policy]
        failed = failed or above
        print(f"{policy}: {now} instructions a job, accepted {accepted[policy]}{' - too many' if above else ''}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
