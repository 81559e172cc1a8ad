#!/usr/bin/env python3
"""All suites in order: `make test`. Last line: N passed, N failed, N skipped.

    tests/run.py [SUITE...]

A suite is a make target whose last line of output is `N passed, N failed, N skipped`, with a line
`skipped: NAME: REASON` for each thing it skipped. Its whole output goes to results/SUITE.log.
"""
import os
import pathlib
import re
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, field

RESULTS = pathlib.Path("results")
COUNTS = re.compile(r"^(\d+) passed, (\d+) failed, (\d+) skipped$")
SKIP = re.compile(r"^skipped: (.+)$", re.MULTILINE)
SAY_EVERY_S = 10


@dataclass(frozen=True)
class Suite:
    name: str
    make: str             # what make is told
    limit_s: int
    mandatory: bool = True  # running nothing is a failure


SUITES = [
    Suite("build", "all programs", 600, mandatory=False),
    Suite("lint", "lint", 120),
    Suite("unit", "unit", 600),
    Suite("sanitizers", "unit SAN=address,undefined CXXFLAGS='-O0 -g1'", 900),
    Suite("truth", "truth", 300),
    Suite("rules", "rules-test", 120),
    Suite("agent", "test-agent", 300),
    Suite("prometheus", "test-prometheus", 300),
    Suite("vm", "test-vm", 900),
    Suite("demo", "demo", 300),
]


@dataclass
class Outcome:
    suite: Suite
    passed: int = 0
    failed: int = 0
    skips: list = field(default_factory=list)
    skipped: int = 0
    trouble: str = ""
    seconds: float = 0

    def line(self):
        trouble = f"  ({self.trouble})" if self.trouble else ""
        return (f"{self.suite.name:12} {self.passed} passed, {self.failed} failed, {self.skipped} skipped"
                f"  {self.seconds:.0f} s{trouble}")


def judge(suite, code, output):
    """What a suite's exit code and output amount to. Pure."""
    outcome = Outcome(suite, skips=SKIP.findall(output))
    lines = output.strip().splitlines()
    counts = COUNTS.match(lines[-1].strip()) if lines else None
    if counts:
        outcome.passed, outcome.failed, outcome.skipped = map(int, counts.groups())
    if code and not outcome.failed:
        outcome.failed, outcome.trouble = 1, f"ended with {code}"
    elif suite.mandatory and not counts:
        outcome.failed, outcome.trouble = 1, "said no counts"
    elif suite.mandatory and not outcome.passed + outcome.failed:
        outcome.failed, outcome.trouble = 1, "ran nothing"
    elif outcome.skipped != len(outcome.skips):
        outcome.failed += 1
        outcome.trouble = f"{outcome.skipped} skipped, {len(outcome.skips)} of them with a reason"
    return outcome


def last_line(log):
    with log.open("rb") as file:
        file.seek(max(0, log.stat().st_size - 400))
        lines = file.read().decode(errors="replace").strip().splitlines()
    return lines[-1][-100:] if lines else ""


def wait(process, suite, log, started):
    """The exit code; a progress line now and then; the suite's own processes ended at its limit."""
    while True:
        try:
            return process.wait(SAY_EVERY_S)
        except subprocess.TimeoutExpired:
            spent = time.monotonic() - started
            print(f"{suite.name:12} {spent:.0f} s: {last_line(log)}", flush=True)
            if spent > suite.limit_s:
                os.killpg(process.pid, signal.SIGTERM)
                try:
                    process.wait(SAY_EVERY_S)
                except subprocess.TimeoutExpired:
                    os.killpg(process.pid, signal.SIGKILL)
                    process.wait()
                return f"the limit of {suite.limit_s} s"


def run(suite):
    print(f"{suite.name:12} make {suite.make}", flush=True)
    log = RESULTS / f"{suite.name}.log"
    started = time.monotonic()
    with log.open("wb") as out:
        process = subprocess.Popen(f"make --no-print-directory -j{os.cpu_count()} {suite.make}", shell=True,
                                   stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT,
                                   start_new_session=True)
        try:
            code = wait(process, suite, log, started)
        except BaseException:
            os.killpg(process.pid, signal.SIGTERM)
            raise
    outcome = judge(suite, code, log.read_text(errors="replace"))
    outcome.seconds = time.monotonic() - started
    print(outcome.line(), flush=True)
    if outcome.failed:
        for line in log.read_text(errors="replace").strip().splitlines()[-25:]:
            print(f"    {line[:200]}")
    return outcome


def main(names):
    unknown = set(names) - {suite.name for suite in SUITES}
    if unknown:
        print(f"no suite {' '.join(sorted(unknown))}; there are {' '.join(suite.name for suite in SUITES)}")
        return 2
    RESULTS.mkdir(exist_ok=True)
    outcomes = [run(suite) for suite in SUITES if not names or suite.name in names]
    print("\n" + "\n".join(outcome.line() for outcome in outcomes))
    for outcome in outcomes:
        for skip in outcome.skips:
            print(f"skipped: {outcome.suite.name}: {skip}")
    failed = sum(outcome.failed for outcome in outcomes)
    print(f"{sum(outcome.passed for outcome in outcomes)} passed, {failed} failed, "
          f"{sum(outcome.skipped for outcome in outcomes)} skipped")
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
