# SPDX-License-Identifier: Apache-2.0
"""The join of the clocks: the device's clock drifts for hours, and pauses (tests/unit/clock_join_test.cpp does the same
with the command's)."""

import unittest

import numpy as np
from genesys_trace.clocks import ClockJoin

BEGIN_NS = 1_700_000_000 * 10**9
SECOND_NS = 10**9
SHIFT_NS = 987_654_321_987_654_321  # the device's clock is so far behind at the beginning


def device_ns(host_ns, drift):
    return host_ns - SHIFT_NS - (drift * (host_ns - BEGIN_NS)).astype(np.int64)


def published(host_ns, drift):
    return (device_ns(host_ns, drift) >> 10 & 0x7FFFF).astype(np.uint32)


def seen(host_ns, drift):
    return device_ns(host_ns, drift).astype(np.uint32)


class Drift(unittest.TestCase):
    def joined(self, taken_ns, drift):
        """Calls are taken 2 us after their publishing, and completions are seen 1 us after they are written."""
        join, completed_ns = ClockJoin(), taken_ns - 50_000
        for some in np.array_split(np.arange(len(taken_ns)), 5):
            join.add(published(taken_ns[some] - 2000, drift), taken_ns[some], np.ones(len(some), bool),
                     seen(completed_ns[some] + 1000, drift), completed_ns[some])
        join.settle()
        self.assertTrue(join.is_known)
        return join

    def check(self, join, drift, host_ns):
        error = np.abs(join.published_ns(published(host_ns, drift), host_ns + 3000) - host_ns).max()
        self.assertLessEqual(error, 4000)
        error = np.abs(join.seen_ns(seen(host_ns, drift), host_ns - 3000) - host_ns).max()
        self.assertLessEqual(error, 4000)

    def test_hours(self):
        for drift in (50e-6, -50e-6, 0.0):
            with self.subTest(drift):
                taken_ns = BEGIN_NS + np.arange(SECOND_NS // 200, 4 * 3600 * SECOND_NS, SECOND_NS // 2)
                self.check(self.joined(taken_ns, drift), drift,
                           BEGIN_NS + np.arange(SECOND_NS, 4 * 3600 * SECOND_NS, SECOND_NS))

    def test_a_pause_of_hours(self):
        for drift in (50e-6, -50e-6, 0.0):
            with self.subTest(drift):
                some, later = np.arange(0, 10 * SECOND_NS, SECOND_NS // 100), 3 * 3600 * SECOND_NS
                join = self.joined(BEGIN_NS + np.concatenate([some, some + later]), drift)
                inside = BEGIN_NS + np.arange(SECOND_NS, 9 * SECOND_NS, SECOND_NS // 7)
                self.check(join, drift, inside)
                self.check(join, drift, inside + later)


if __name__ == "__main__":
    unittest.main()
