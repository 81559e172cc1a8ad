#!/usr/bin/env python3
"""Runs a GoogleTest program; the last line counts: N passed, N failed, N skipped.

    tests/gtest.py PROGRAM [--gtest_filter=...]
"""
import os
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree


def count(report):
    passed, failed, skipped = 0, [], []
    for case in ElementTree.parse(report).iter("testcase"):
        name = f"{case.get('classname')}.{case.get('name')}"
        skip = case.find("skipped")
        if case.find("failure") is not None:
            failed.append(name)
        elif skip is not None or case.get("result") == "skipped":
            lines = (skip.get("message") if skip is not None else "").strip().splitlines()
            skipped.append(f"{name}: {lines[-1] if lines else 'no reason given'}")
        elif case.get("status") == "run":
            passed += 1
    return passed, failed, skipped


def main():
    with tempfile.TemporaryDirectory() as folder:
        report = os.path.join(folder, "report.xml")
        command = [*sys.argv[1:], "--gtest_brief=1", f"--gtest_output=xml:{report}"]
        code = subprocess.run(command).returncode
        if not os.path.exists(report):
            print(f"FAILED: {sys.argv[1]} ended with {code} and no report")
            print("0 passed, 1 failed, 0 skipped")
            return 1
        passed, failed, skipped = count(report)
    if code and not failed:
        failed = [f"{sys.argv[1]} ended with {code}"]
    for name in failed:
        print(f"FAILED: {name}")
    for name in skipped:
        print(f"skipped: {name}")
    print(f"{passed} passed, {len(failed)} failed, {len(skipped)} skipped")
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main())
