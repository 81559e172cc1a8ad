#!/usr/bin/env python3
"""`make rules-test`: the alert rules by promtool, and that they ask for metrics that exist.

Last line: N passed, N failed, N skipped.
"""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy/prometheus"
RULES = DEPLOY / "oomen.rules.yml"


def ran(*command):
    """What it said, only when it failed."""
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return done.stdout.strip() if done.returncode else ""


def metrics_exist():
    known = set(re.findall(r"^## (oomen_\w+)", (ROOT / "docs/metrics.md").read_text(), re.MULTILINE))
    asked = set(re.findall(r"oomen_\w+", RULES.read_text()))
    return "\n".join(f"{name} is not in docs/metrics.md" for name in sorted(asked - known))


def runbooks_exist():
    named = re.findall(r"runbook_url: (\S+)", RULES.read_text())
    alerts = re.findall(r"- alert: (\S+)", RULES.read_text())
    missing = [f"{path} does not exist" for path in named if not (ROOT / path).is_file()]
    return "\n".join(missing + ([] if len(named) == len(alerts) else ["an alert has no runbook_url"]))


def main():
    checks = {
        "promtool check rules": lambda: ran("promtool", "check", "rules", RULES),
        "promtool check config": lambda: ran("promtool", "check", "config", DEPLOY / "prometheus.yml"),
        "amtool check-config": lambda: ran("amtool", "check-config", DEPLOY / "alertmanager.yml"),
        "rules ask for metrics that exist": metrics_exist,
        "every alert has its runbook": runbooks_exist,
    }
    for path in sorted((ROOT / "tests/rules").glob("*_test.yml")):
        checks[f"promtool test rules {path.name}"] = lambda path=path: ran("promtool", "test", "rules", path)
    failed = 0
    for name, check in checks.items():
        found = check()
        print(f"{'FAILED' if found else 'ok'}: {name}" + (f"\n{found}" if found else ""))
        failed += bool(found)
    print(f"{len(checks) - failed} passed, {failed} failed, 0 skipped")
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main())
