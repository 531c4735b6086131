# SPDX-License-Identifier: Apache-2.0
"""Quantiles, and modes, of counts in bins of the logarithm of time.

Modes are the local maxima of a kernel density estimate of log10 of the times, with a Gaussian kernel and Silverman's
bandwidth (Silverman, Density Estimation, 1986, equation 3.31), whose prominence is at least a twentieth of the highest:
what command/histogram.cpp finds, in its bins, which are 96 a decade. Counts are kept in finer bins, for quantiles.
"""

import numpy as np

MODE_BINS = 96  # of a decade
FINE = 5
BINS = MODE_BINS * FINE  # of a decade, in which counts are kept: each is half a percent wide
DECADES = 12  # from 1 ns to 1,000 s
BINS_ALL = BINS * DECADES
LEAST_PROMINENCE = 0.05


def bin_of(ns):
    return np.clip((np.log10(np.maximum(ns, 1)) * BINS).astype(np.int64), 0, BINS_ALL - 1)


def ns_of(bins):
    """The time at which a bin begins."""
    return 10.0 ** (np.asarray(bins) / BINS)


def quantiles(counts, shares):
    """For each row of `counts`, the times that these shares of its calls do not exceed: [..., share]. Linear within a
    bin; nan: there are no calls."""
    cumulated = np.cumsum(counts, axis=-1, dtype=np.float64)
    found = np.full((*cumulated.shape[:-1], len(shares)), np.nan)
    for row in np.ndindex(cumulated.shape[:-1]):
        total = cumulated[row][-1] if cumulated.shape[-1] else 0
        if total <= 0:
            continue
        wanted = np.asarray(shares) * total
        at = np.minimum(np.searchsorted(cumulated[row], wanted, side="left"), cumulated.shape[-1] - 1)
        before = np.where(at > 0, cumulated[row][at - 1], 0)
        inside = cumulated[row][at] - before
        found[row] = at + np.where(inside > 0, (wanted - before) / np.where(inside > 0, inside, 1), 0.5)
    return ns_of(found)


def coarse(counts):
    """The counts in bins of modes."""
    return counts.reshape(*counts.shape[:-1], -1, FINE).sum(axis=-1)


def density(counts):
    """The kernel density estimate at each bin of modes, up to a factor, of counts in those bins; and its bandwidth in
    decades."""
    total = counts.sum()
    at = np.arange(len(counts))
    mean = (at * counts).sum() / total
    deviation = np.sqrt(((at - mean) ** 2 * counts).sum() / total)
    cumulated = np.cumsum(counts)
    quarter, three_quarters = np.searchsorted(cumulated, [np.ceil(total / 4), np.ceil(total * 3 / 4)])
    quartiles = (three_quarters - quarter) / 1.34
    spread = min(deviation, quartiles) if quartiles > 0 else deviation
    # At least a bin and a half: a bin is the resolution of the times.
    width = max(1.5, 0.9 * spread * total ** -0.2)
    reach = int(4 * width) + 1
    kernel = np.exp(-((np.arange(-reach, reach + 1) / width) ** 2) / 2)
    return np.convolve(counts, kernel)[reach:-reach], width / MODE_BINS


def modes(counts):
    """[(ns, share of the calls that lie nearer to this mode than to another)], of counts in bins of modes."""
    if counts.sum() == 0:
        return []
    smooth, _ = density(counts)
    padded = np.concatenate([[0], smooth, [0]])
    maxima = np.flatnonzero((smooth > padded[:-2]) & (smooth >= padded[2:]))
    peaks = [at for at in maxima if _prominence(smooth, at) >= LEAST_PROMINENCE * smooth.max()]
    edges = [0, *((a + b) // 2 for a, b in zip(peaks, peaks[1:])), len(counts)]
    return [(float(10 ** ((at + 0.5) / MODE_BINS)), float(counts[begin:end].sum() / counts.sum()))
            for at, begin, end in zip(peaks, edges, edges[1:])]


def _prominence(smooth, at):
    """How far one has to go down from a maximum, on each side, before a higher one."""
    higher = smooth > smooth[at]
    left = np.flatnonzero(higher[:at])
    right = np.flatnonzero(higher[at + 1:])
    begin = left[-1] + 1 if len(left) else 0
    end = at + 1 + right[0] if len(right) else len(smooth)
    return smooth[at] - max(smooth[begin:at + 1].min(), smooth[at:end].min())
