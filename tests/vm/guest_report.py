"""What a test VM wrote to its serial port, as data.

    @ fact KEY VALUE          one thing the guest found
    @ begin NAME ... @ end NAME   a file's text
    @ fail SUITE.NAME: WHY    a guest script could not do its part
    [       OK ] A.b          GoogleTest's own lines
    rung NAME: ...            a growth rung and what became of it
"""
import json
import re
from dataclasses import dataclass, field

GTEST = re.compile(r"\[ +(OK|FAILED|SKIPPED) +\] (\w+(?:/\w+)*\.\w+(?:/\w+)*)")


@dataclass
class Check:
    name: str  # suite.what
    verdict: str  # passed | failed | skipped
    why: str = ""


@dataclass
class GuestReport:
    facts: dict = field(default_factory=dict)
    files: dict = field(default_factory=dict)
    checks: list = field(default_factory=list)
    rungs: dict = field(default_factory=dict)
    ended: bool = False

    def fact(self, key):
        if key not in self.facts:
            raise AssertionError(f"the guest did not say {key}")
        return self.facts[key]

    def number(self, key):
        return int(self.fact(key))

    def text(self, name):
        if name not in self.files:
            raise AssertionError(f"the guest wrote no {name}")
        return self.files[name]

    def json(self, name):
        text = self.text(name)
        try:
            return json.loads(text)
        except ValueError as why:
            raise AssertionError(f"{name} is not JSON ({why}): {text[:120]!r}") from None

    def counters(self, name):
        """A cgroup's flat-keyed file: memory.stat, memory.events."""
        pairs = (line.split() for line in self.text(name).splitlines())
        return {pair[0]: int(pair[1]) for pair in pairs if len(pair) == 2}


def parse(text):
    report, name, body, reason = GuestReport(), None, [], []
    for line in text.replace("\r", "").split("\n"):
        if name is not None:
            if line == f"@ end {name}":
                report.files[name], name = "\n".join(body), None
            else:
                body.append(line)
        elif line.startswith("@ begin "):
            name, body = line.removeprefix("@ begin "), []
        elif line.startswith("@ fact "):
            key, _, value = line.removeprefix("@ fact ").partition(" ")
            report.facts[key] = value.strip()
        elif line.startswith("@ fail "):
            what, _, why = line.removeprefix("@ fail ").partition(": ")
            report.checks.append(Check(what, "failed", why))
        elif line == "@ end-of-run":
            report.ended = True
        elif line.startswith("rung "):
            rung, _, said = line.removeprefix("rung ").partition(": ")
            report.rungs[rung] = said
        else:
            reason = gtest_line(report, line, reason)
    return report


def gtest_line(report, line, reason):
    """Reads GoogleTest's lines; what a test printed stays as the reason of its verdict."""
    if line.startswith("[ RUN "):
        return []
    found = GTEST.match(line)
    if not found:
        return [*reason, line.strip()][-6:] if line.strip() else reason
    verdict = {"OK": "passed", "FAILED": "failed", "SKIPPED": "skipped"}[found[1]]
    name = f"truth.{found[2]}"
    if name not in {check.name for check in report.checks}:  # the closing list names them again
        report.checks.append(Check(name, verdict, "" if verdict == "passed" else " | ".join(reason)))
    return []
