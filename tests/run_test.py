"""How tests/run.py judges a suite: no way to look green without having run."""
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import run  # noqa: E402

SUITE = run.Suite("x", "x", 1)
OPTIONAL = run.Suite("x", "x", 1, mandatory=False)


def counts(outcome):
    return outcome.passed, outcome.failed, outcome.skipped


class Judge(unittest.TestCase):
    def test_counts_are_the_last_line(self):
        self.assertEqual(counts(run.judge(SUITE, 0, "1 passed, 9 failed, 9 skipped\n5 passed, 0 failed, 0 skipped\n")),
                         (5, 0, 0))

    def test_a_bad_end_is_a_failure(self):
        self.assertEqual(counts(run.judge(SUITE, 2, "5 passed, 0 failed, 0 skipped")), (5, 1, 0))
        self.assertEqual(counts(run.judge(OPTIONAL, 2, "g++ ...")), (0, 1, 0))
        self.assertEqual(counts(run.judge(SUITE, 1, "5 passed, 2 failed, 0 skipped")), (5, 2, 0))
        self.assertEqual(counts(run.judge(SUITE, "the limit of 1 s", "")), (0, 1, 0))

    def test_a_mandatory_suite_that_ran_nothing_fails(self):
        self.assertEqual(counts(run.judge(SUITE, 0, "")), (0, 1, 0))
        self.assertEqual(counts(run.judge(SUITE, 0, "all good")), (0, 1, 0))
        self.assertEqual(counts(run.judge(SUITE, 0, "skipped: all: no network\n0 passed, 0 failed, 1 skipped")), (0, 1, 1))
        self.assertEqual(counts(run.judge(OPTIONAL, 0, "")), (0, 0, 0))

    def test_a_skip_has_a_reason(self):
        good = run.judge(SUITE, 0, "skipped: a.b: no npm\n5 passed, 0 failed, 1 skipped")
        self.assertEqual((counts(good), good.skips), ((5, 0, 1), ["a.b: no npm"]))
        self.assertEqual(counts(run.judge(SUITE, 0, "5 passed, 0 failed, 1 skipped")), (5, 1, 1))


if __name__ == "__main__":
    unittest.main()
