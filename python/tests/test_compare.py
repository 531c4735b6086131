# SPDX-License-Identifier: Apache-2.0
"""Modes, quantiles and comparisons, of samples whose truth is known."""

import unittest

import numpy as np
from genesys_trace import modes
from genesys_trace.compare import Case, cliffs_delta, compare
from genesys_trace.compare_text import text
from genesys_trace.distributions import PARTS, FileDistributions

import made_up
from support import PROGRAMS, TestCase, needs_programs, run


def lognormal(random, median, count, width=0.2):
    return (median * random.lognormal(0, width, count)).astype(np.uint64)


class Distributions(TestCase):
    def distribution(self, took, number=110):
        made_up.write_timed(self.folder / "record", took, number)
        [of] = FileDistributions(self.folder / "record").by_name.values()
        return of

    def test_quantiles(self):
        random = np.random.default_rng(1)
        took = np.sort(lognormal(random, 5000, 20_000, 0.6))
        of = self.distribution(random.permutation(took))
        for share, found in zip((0.01, 0.5, 0.99, 0.999), of.quantiles((0.01, 0.5, 0.99, 0.999))):
            self.assertAlmostEqual(found / took[int(share * len(took)) - 1], 1, delta=0.01)
        self.assertEqual((of.calls, of.total_ns, of.longest_ns), (20_000, int(took.sum()), int(took[-1])))

    def test_modes(self):
        random = np.random.default_rng(1)
        for medians in ([1000], [1000, 10**6], [300, 4000, 200_000]):
            took = np.concatenate([lognormal(random, median, 3000) for median in medians] + [[10**9] * 3])
            found = self.distribution(random.permutation(took).astype(np.uint64)).modes()
            self.assertEqual(len(found), len(medians), found)
            for median, (ns, share) in zip(medians, found):
                self.assertAlmostEqual(ns / median, 1, delta=0.15)
                self.assertAlmostEqual(share, 1 / len(medians), delta=0.02)

    @needs_programs
    def test_the_command_finds_the_same(self):
        random = np.random.default_rng(2)
        took = np.concatenate([lognormal(random, 700, 4000), lognormal(random, 9000, 1000), [5 * 10**6] * 20])
        of = self.distribution(random.permutation(took).astype(np.uint64))
        printed = run(PROGRAMS / "genesys", "trace", "--histogram", "--read", self.folder / "record").stdout
        self.assertIn("2 modes: " + " ".join(f"{self.shown(ns)} ({share:.0%})".replace("%", " %")
                                             for ns, share in of.modes()), printed)

    def shown(self, ns):
        return f"{ns:.3g} ns" if ns < 999.5 else f"{ns / 1000:.3g} us"

    def test_parts_of_a_run(self):
        """Parts are of equal length, however long the run is, and hold every call once."""
        for count in (10, 1000, 70_000):
            took = np.full(count, 2000, np.uint64)
            took[count // 2:] = 4000
            of = self.distribution(took)
            self.assertLessEqual(len(of.parts), PARTS)
            self.assertEqual(of.parts.sum(), count)
            by_part = of.parts.sum(axis=1)
            if count > 1000:
                self.assertGreater(len(of.parts), PARTS // 2)
                middle = by_part[1:len(by_part) // 3]
                self.assertLessEqual(middle.max() - middle.min(), 1)


class Compare(TestCase):
    def case(self, name, runs, number=110):
        paths = []
        for index, took in enumerate(runs):
            paths.append(self.folder / f"{name}.{index}")
            made_up.write_timed(paths[-1], took, number)
        return Case(name, paths)

    def only(self, a, b):
        [one] = compare(a, b)
        return one

    def test_a_known_shift(self):
        random = np.random.default_rng(1)
        a = self.case("a", [lognormal(random, 1000, 20_000)])
        b = self.case("b", [lognormal(random, 1300, 20_000)])
        one = self.only(a, b)
        self.assertEqual((one.centre_moved, one.tail_moved, one.peaks_moved), ("slower", "longer", "moved"))
        for measure in (one.ratio, one.tail, one.peaks[0].ratio):
            self.assertLess(measure.low, 1.3 * 1.02)
            self.assertGreater(measure.high, 1.3 / 1.02)
        # Of two normal distributions, whose means are so far apart.
        self.assertAlmostEqual(one.delta.value, 0.646, delta=0.02)
        back = self.only(b, a)
        self.assertEqual((back.centre_moved, back.tail_moved), ("faster", "shorter"))
        self.assertAlmostEqual(back.delta.value, -one.delta.value, places=9)

    def test_equal_samples(self):
        """Of 40 pairs of samples of one distribution none has moved: what is reported must also be large."""
        random = np.random.default_rng(1)
        for count in (200, 20_000):
            for _ in range(20):
                runs = [np.concatenate([lognormal(random, 1000, count), lognormal(random, 30_000, count // 4)])
                        for _ in range(2)]
                one = self.only(*(self.case(name, [random.permutation(took)]) for name, took in zip("ab", runs)))
                self.assertFalse(one.moved, (one.delta, one.tail, one.peaks))

    def test_the_intervals_hold_the_truth(self):
        """Of 100 intervals of 80 % about 80 have the true ratio."""
        random, held = np.random.default_rng(1), 0
        for _ in range(100):
            a, b = (self.case(name, [lognormal(random, median, 4000)]) for name, median in (("a", 1000), ("b", 1100)))
            [one] = compare(a, b, confidence=0.8)
            held += one.ratio.low <= 1.1 <= one.ratio.high
        self.assertGreaterEqual(held, 65)
        self.assertLessEqual(held, 95)

    def test_a_tail_alone(self):
        random = np.random.default_rng(1)
        runs = []
        for length in (10_000, 40_000):
            took = lognormal(random, 1000, 20_000)
            took[random.random(len(took)) < 0.02] = length
            runs.append(took)
        one = self.only(self.case("a", [runs[0]]), self.case("b", [runs[1]]))
        self.assertEqual((one.centre_moved, one.tail_moved), ("", "longer"))

    def test_a_peak_that_is_new(self):
        random = np.random.default_rng(1)
        a = lognormal(random, 1000, 10_000)
        b = np.concatenate([lognormal(random, 1000, 8500), lognormal(random, 50_000, 1500)])
        cases = self.case("a", [a]), self.case("b", [random.permutation(b)])
        self.assertEqual([peak.change for peak in self.only(*cases).peaks], ["same", "new"])
        self.assertEqual([peak.change for peak in self.only(*reversed(cases)).peaks], ["same", "gone"])

    def test_runs_that_differ(self):
        """Each run has a speed of its own. Between runs the case is no slower, and only the runs say so."""
        random = np.random.default_rng(1)
        a, b = (self.case(name, [lognormal(random, 1000 * speed, 2000) for speed in random.lognormal(0, 0.3, 8)])
                for name in "ab")
        self.assertTrue(a.by_runs and a.units == "8 runs")
        self.assertEqual(self.only(a, b).centre_moved, "")
        slow = self.case("slow", [lognormal(random, 4000 * speed, 2000) for speed in random.lognormal(0, 0.3, 8)])
        self.assertEqual(self.only(a, slow).centre_moved, "slower")
        self.assertNotIn("make more", text(a, slow, compare(a, slow), 0.95))
        few = [self.case(name, [lognormal(random, 1000, 100) for _ in range(3)]) for name in "ab"]
        self.assertIn("1 time in 10: make more", text(*few, compare(*few), 0.95))

    def test_few_calls_and_lacking_ones(self):
        few = self.case("few", [[1000] * 5])
        other = self.case("other", [[1000] * 50], number=39)
        self.assertEqual([one.judged for one in compare(few, few)], [False])
        printed = text(few, other, compare(few, other), 0.95)
        self.assertIn("only in A", printed)
        self.assertIn("only in B", printed)

    def test_the_text(self):
        random = np.random.default_rng(1)
        a, b = (self.case(name, [np.concatenate([lognormal(random, 10.0**power, 300) for power in range(2, 9)])])
                for name in ("a" * 150, "b"))
        printed = text(a, b, compare(a, b), 0.95)
        self.assertLessEqual(max(map(len, printed.splitlines())), 100)
        self.assertIn("bootstrap samples", printed)
        self.assertEqual(printed, text(a, b, compare(a, b), 0.95))  # the same seed

    def test_cliffs_delta(self):
        random = np.random.default_rng(1)
        a, b = random.integers(0, 20, (2, 300))
        counts = [np.bincount(of, minlength=20)[None, :].astype(float) for of in (a, b)]
        expected = np.mean(np.sign(b[:, None] - a[None, :]))
        self.assertAlmostEqual(cliffs_delta(*counts)[0], expected, places=12)


class Modes(unittest.TestCase):
    def test_quantiles_of_nothing(self):
        self.assertTrue(np.isnan(modes.quantiles(np.zeros((2, 10)), [0.5])).all())
        self.assertEqual(modes.modes(np.zeros(100)), [])


if __name__ == "__main__":
    unittest.main()
