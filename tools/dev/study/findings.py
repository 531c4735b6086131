# SPDX-License-Identifier: Apache-2.0
"""The findings of Dubeyko, Gatla and Zheng, tested with the results of one machine: a sentence with the numbers, and a
verdict by a rule that is written beside it. The last rule takes the results of all machines.

A rule returns (verdict, sentence). Numbers in sentences are code, since the page's check of figures reads no results of
studies; page.check() compares the sentences with the results.
"""

import numpy as np

import summary
import tracers

HOLDS, PARTLY, NOT, UNKNOWN = "holds", "holds in part", "does not hold", "cannot be said"
SOME_CALLS = 500  # of a call, for peaks and tails
PEAK_SHARE = 0.05
TAIL_SAME = 2.0  # a tail is the same if its ratio's interval is within this factor
_WAITS = ("futex", "poll", "ppoll", "epoll_wait", "epoll_pwait", "wait4", "select", "pselect6")


def use_cases(result, tracer=tracers.STRACE, place="disk", cold=True):
    return [one for one in result["measurements"]
            if one["of_paper"] and (one["place"], one["tracer"], one["cold"]) == (place, tracer, cold)]


def pairs(result, what, where=lambda a, b: True):
    """(measurement a, measurement b, the calls' comparisons) of comparisons of this sort."""
    by = {one["key"]: one for one in result["measurements"]}
    return [(by[one["a"]], by[one["b"]], one["calls"]) for one in result["comparisons"]
            if one["what"] == what and where(by[one["a"]], by[one["b"]])]


def by_share(share):
    return HOLDS if share >= 0.8 else PARTLY if share >= 0.5 else NOT


def few_calls(result):
    cases = use_cases(result)
    if not cases:
        return UNKNOWN, "no use case was measured"
    top = [sum(share for _, share in case["by_time"][:3]) for case in cases]
    names = [f"{case['case']} {case['by_time'][0][0]}" for case in cases]
    return (HOLDS if min(top) >= 0.5 else PARTLY if np.median(top) >= 0.5 else NOT,
            f"the three calls that take the most time take {percent(min(top))} to {percent(max(top))} of it, of "
            f"`{min(case['names'] for case in cases)}` to `{max(case['names'] for case in cases)}` different calls; "
            f"the first is, by use case: {', '.join(names)}")


def _often(cases):
    return [(case, name, of) for case in cases for name, of in case["by_call"].items() if of["calls"] >= SOME_CALLS]


def peaks_of(of):
    return sum(share >= PEAK_SHARE for _, share in of["peaks"])


def peaks_and_tails(result):
    parts, verdict = [], UNKNOWN
    for tracer in (tracers.STRACE, tracers.PERF):
        often = _often(use_cases(result, tracer))
        if not often:
            continue
        several = sum(peaks_of(of) > 1 for _, _, of in often) / len(often)
        tailed = sum(of["p99"] >= 3 * of["p50"] for _, _, of in often) / len(often)
        verdict = by_share(min(several, tailed))  # perf's, if it was usable
        parts.append(f"under {tracer} {percent(several)} of `{len(often)}` calls have two peaks or more, and of "
                     f"{percent(tailed)} the 99th percentile is three times the median or more")
    return verdict, "; ".join(parts) or "no call was made often enough"


def tails(found, chosen=None):
    """[(case, place, call, its comparison)] of the comparisons in which the 99th percentiles could be compared."""
    return [(a, b, name, of) for a, b, calls in found for name, of in calls.items()
            if of["tail"] and (chosen is None or name in chosen)]


def sorted_tails(of_all):
    """How many tails are shorter, longer, the same (within TAIL_SAME), or so uncertain that this cannot be said."""
    counts = {"shorter": 0, "longer": 0, "same": 0, "unclear": 0}
    for *_, of in of_all:
        _, low, high = of["tail"]
        same = "same" if low >= 1 / TAIL_SAME and high <= TAIL_SAME else "unclear"
        counts[of["tail_moved"] or same] += 1
    return counts


def _counted(of_all, counts):
    return f"of `{len(of_all)}` tails " + ", ".join(f"`{count}` {words}" for words, count in (
        ("are shorter", counts["shorter"]), ("longer", counts["longer"]), ("the same", counts["same"]),
        ("unclear", counts["unclear"])))


def _verdict_of_tails(counts, moved):
    """`moved`: how many count against the finding."""
    count = sum(counts.values())
    if moved > 0.5 * count:
        return NOT
    return UNKNOWN if counts["unclear"] > 0.5 * count else HOLDS if moved <= 0.2 * count else PARTLY


def storage_and_tails(result):
    parts, verdicts = [], []
    for what, found in (
            ("use cases with their folder in tmpfs", pairs(result, "storage", lambda a, b: a["of_paper"])),
            ("use cases with a warm page cache", pairs(result, "warm")),
            ("files on ext4 in memory, perf", pairs(result, "storage", lambda a, b: b["place"] == "ext4-ram" and
                                                    b["tracer"] == tracers.PERF)),
            ("files on tmpfs, perf", pairs(result, "storage", lambda a, b: b["place"] == "tmpfs" and
                                           not a["of_paper"] and b["tracer"] == tracers.PERF))):
        of_all = tails(found)
        if not of_all:
            continue
        counts = sorted_tails(of_all)
        verdicts.append(_verdict_of_tails(counts, counts["shorter"]))
        middle = times(float(np.median([of["tail"][0] for *_, of in of_all])))
        parts.append(f"{what}: {_counted(of_all, counts)}; the median of the ratios is {middle}")
    return together(verdicts), "; ".join(parts) or "no other storage could be measured"


def together(verdicts):
    known = {verdict for verdict in verdicts if verdict != UNKNOWN}
    return UNKNOWN if not known else known.pop() if len(known) == 1 else PARTLY


def memory_and_peaks(result):
    parts, verdicts = [], []
    for tracer in (tracers.STRACE, tracers.PERF):
        found = pairs(result, "storage", lambda a, b, by=tracer: b["place"] in ("tmpfs", "ext4-ram") and
                      b["tracer"] == by)
        both = [of["peaks"] for _, _, calls in found for of in calls.values() if of["peaks"][0] > 1]
        if not both:
            continue
        fewer, one = sum(b < a for a, b in both) / len(both), sum(b == 1 for _, b in both) / len(both)
        verdicts.append(by_share(fewer))
        parts.append(f"under {tracer}, of `{len(both)}` calls with several peaks on a disk {percent(fewer)} have fewer "
                     f"in memory, and {percent(one)} have one")
    return (verdicts[-1] if verdicts else UNKNOWN), "; ".join(parts) or "no storage in memory could be measured"


def waiting_tails(result):
    of_all = tails(pairs(result, "warm") + pairs(result, "storage", lambda a, b: a["of_paper"]), _WAITS)
    if not of_all:
        return UNKNOWN, f"no such call was made `{SOME_CALLS}` times in a use case"
    counts = sorted_tails(of_all)
    ratios = [f"{name} of {a['case']}, {'warm' if b['place'] == 'disk' else b['place']}: {interval(of['tail'])}"
              for a, b, name, of in of_all]
    return _verdict_of_tails(counts, counts["shorter"] + counts["longer"]), (
        f"{_counted(of_all, counts)}; ratios: {'; '.join(ratios)}")


def alike(result):
    """How alike the histograms of a call are in two use cases, beside how alike they are in two runs of one."""
    cases, between, within = use_cases(result), [], []
    for number, a in enumerate(cases):
        for b in cases[number + 1:]:
            for name in set(a["by_call"]) & set(b["by_call"]):
                of = [one["by_call"][name] for one in (a, b)]
                if min(one["calls"] for one in of) >= summary.OVERLAP_CALLS_MIN:
                    between.append(summary.overlap(*(summary.counts_of(one["histogram"]) for one in of)))
    within = [of["self_overlap"] for case in cases for of in case["by_call"].values() if of["self_overlap"]]
    if not between or not within:
        return UNKNOWN, "too few calls are common to use cases"
    ratio = float(np.median(between) / np.median(within))
    return by_share(ratio), (
        f"the histograms of a call in two use cases have {percent(np.median(between))} of their area in common (the "
        f"median of `{len(between)}` pairs), those of two runs of one use case {percent(np.median(within))}")


def processor(results):
    """Of all machines: how far a call's median moves from machine to machine, and from storage to storage."""
    moved = {"machine": [], "storage": []}
    names = list(results)
    for number, name in enumerate(names):
        storages = [one for one in results[name]["measurements"]
                    if one["case"] == "files-1" and one["tracer"] == tracers.STRACE]
        moved["storage"] += _changes([(a, b) for at, a in enumerate(storages) for b in storages[at + 1:]])
        for other in names[number + 1:]:
            of_other = {one["key"]: one for one in results[other]["measurements"]}
            moved["machine"] += _changes([(one, of_other[one["key"]]) for one in storages if one["key"] in of_other])
    if not moved["machine"]:
        return UNKNOWN, "there are results of one machine, or of machines with no case in common"
    of = {what: float(np.median(changes)) for what, changes in moved.items() if changes}
    verdict = HOLDS if of["machine"] > 1.1 * of.get("storage", 1) else NOT
    return verdict, (f"of the workload of files a call's median changes by {times(of['machine'])} from one machine to "
                     f"another, and by {times(of.get('storage', 1))} from one storage to another (the medians of all "
                     "pairs)")


def _changes(pairs_of):
    """How much larger the larger of the two medians is, of each call with enough calls."""
    found = []
    for a, b in pairs_of:
        for name in set(a["by_call"]) & set(b["by_call"]):
            of = [one["by_call"][name] for one in (a, b)]
            if min(one["calls"] for one in of) >= summary.OVERLAP_CALLS_MIN:
                found.append(max(of[0]["p50"], of[1]["p50"]) / min(of[0]["p50"], of[1]["p50"]))
    return found


def percent(share):
    return f"`{100 * share:.0f} %`"


def times(ratio):
    return f"`{ratio:.2f}x`"


def interval(measure):
    return "`{:.2f}` (`{:.2f}` to `{:.2f}`)".format(*measure)


# The finding, in our words; the rule, in words; and the function.
OF_ONE = (
    ("Few calls make most of the time", "holds if three calls take half of the time in every use case", few_calls),
    ("Each call has several peaks and a tail", "holds if at least `80 %` of the calls that are made "
     f"`{SOME_CALLS}` times have both; in part from `50 %` on", peaks_and_tails),
    ("Faster storage barely shrinks the tail",
     "holds if at most a fifth of the 99th percentiles are shorter, does not if more "
     "than half are, and cannot be said if half are unclear; the same: the ratio's interval is within a factor of `2`",
     storage_and_tails),
    ("A RAM disk merges peaks", "holds if at least `80 %` of the calls with several peaks have fewer",
     memory_and_peaks),
    ("The tails of futex and poll do not move", "the same rule, for tails that are shorter or longer", waiting_tails),
    ("Use cases resemble each other", "holds if two use cases are at least `80 %` as alike as two runs of one", alike),
)
OF_ALL = ("The processor matters more than the storage", "holds if medians change more from machine to machine than "
          "from storage to storage", processor)
