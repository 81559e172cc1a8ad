#!/usr/bin/env python3
import sys
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).parent))

import checks
import guest_report

GUEST = """kernel 6.1.0-57-cloud-amd64
@ fact child_victim 42
@ begin leaf.events
oom 1
oom_kill 1

@ end leaf.events
@ fail kills.child: the child was not killed within 60 s
[ RUN      ] Truth.Quiet
[       OK ] Truth.Quiet (3 ms)
rung fexit: attached
[ RUN      ] Truth.Loud
tests/truth/loud_test.cpp:9: Failure
[  FAILED  ] Truth.Loud (5 ms)
[ RUN      ] Truth.Absent
no kprobes here
[  SKIPPED ] Truth.Absent (0 ms)
[  FAILED  ] 1 test, listed below:
[  FAILED  ] Truth.Loud
@ end-of-run
"""


class GuestReport(unittest.TestCase):
    def setUp(self):
        self.report = guest_report.parse(GUEST.replace("\n", "\r\n"))

    def test_facts_and_files(self):
        self.assertEqual(self.report.number("child_victim"), 42)
        self.assertEqual(self.report.counters("leaf.events"), {"oom": 1, "oom_kill": 1})
        self.assertTrue(self.report.ended)

    def test_what_the_guest_did_not_say_is_a_failure_not_a_value(self):
        with self.assertRaisesRegex(AssertionError, "did not say"):
            self.report.fact("parent_victim")
        with self.assertRaisesRegex(AssertionError, "wrote no"):
            self.report.json("autopsies")

    def test_each_google_test_counts_once_with_its_reason(self):
        verdicts = {check.name: (check.verdict, check.why) for check in self.report.checks}
        self.assertEqual(verdicts["truth.Truth.Quiet"], ("passed", ""))
        self.assertEqual(verdicts["truth.Truth.Loud"], ("failed", "tests/truth/loud_test.cpp:9: Failure"))
        self.assertEqual(verdicts["truth.Truth.Absent"], ("skipped", "no kprobes here"))
        self.assertEqual(verdicts["kills.child"][0], "failed")
        self.assertEqual(len(self.report.checks), 4)

    def test_rungs(self):
        self.assertEqual(self.report.rungs, {"fexit": "attached"})

    def test_a_file_that_never_ends_is_not_taken(self):
        self.assertEqual(guest_report.parse("@ begin autopsies\n[]\n").files, {})


class Checks(unittest.TestCase):
    def test_a_guest_that_did_nothing_passes_nothing(self):
        found = checks.run_all(guest_report.parse(""))
        self.assertEqual([check for check in found if check.verdict == "passed"], [])
        self.assertIn("truth.ran", {check.name for check in found})

    def test_a_suite_of_skips_alone_ran_nothing(self):
        found = checks.run_all(guest_report.parse("[  SKIPPED ] Truth.Absent (0 ms)\n"))
        self.assertIn("truth.ran", {check.name for check in found})


if __name__ == "__main__":
    unittest.main()
