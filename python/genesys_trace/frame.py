# SPDX-License-Identifier: Apache-2.0
"""A recording as one table, a row a call: for pandas, or for Arrow if pyarrow is installed.

The table is in memory, about 300 bytes a call; recording.py reads larger recordings in batches.
"""

import numpy as np
import pandas as pd

from . import names
from .recording import COLUMNS, DATA, Recording

_MEASURED = ("published_ns", "taken_ns", "started_ns", "ended_ns", "completed_ns", "seen_ns", "queue_ns", "linux_ns")


def read_recording(path, internal=False, machine=None, data=False):
    """`internal`: also the requests to the runtime itself. `data`: also what is recorded of the memory behind
    arguments, as lists of unpack.Memory. The table's `attrs` say what belongs to the whole recording: truncated,
    dropped, clock_error_ns, header."""
    recording = Recording(path, machine)
    wanted = [name for name in COLUMNS if name not in ("earlier_completed_ns", "earlier_number")]
    wanted += [DATA] if data else []
    batches = list(recording.sections(wanted))
    columns = {name: np.concatenate([batch[name] for batch in batches]) if batches else np.zeros(0, np.int64)
               for name in wanted}
    del batches
    columns["seen_ns"] = _seen(columns)
    if not internal:
        keep = ~names.is_internal(columns["number"])
        columns = {name: column[keep] for name, column in columns.items()}
    table = _table(columns, recording)
    header = recording.header
    table.attrs = {"source": str(path), "kind": "genesys", "truncated": recording.truncated,
                   "dropped": recording.dropped, "clock_error_ns": recording.clock_error_ns,
                   "header": {"pid": header.pid, "runtime": header.runtime, "started_ns": header.started_ns,
                              "describe": header.describe}}
    return table


def _seen(columns):
    """When each call's completion was seen: the record that says so is of the next call at the same completion slot,
    and names this one by its `completed`."""
    seen = np.zeros(len(columns["completed_ticks"]), np.int64)
    slots, ticks = columns["completion_slot"], columns["completed_ticks"]
    order = np.argsort(ticks, kind="stable")
    ordered = ticks[order]
    says = np.flatnonzero(columns["earlier_completed_ticks"])
    wanted = columns["earlier_completed_ticks"][says]
    at = np.searchsorted(ordered, wanted)
    # Calls at several slots may have the same `completed`: each round looks at the next of them.
    while len(says):
        found = at < len(ordered)
        found[found] = ordered[at[found]] == wanted[found]
        says, wanted, at = says[found], wanted[found], at[found]
        of = order[at]
        same = slots[of] == slots[says]
        seen[of[same]] = columns["earlier_seen_ns"][says[same]]
        says, wanted, at = says[~same], wanted[~same], at[~same] + 1
    return seen


def _table(columns, recording):
    numbers, codes = np.unique(columns["number"], return_inverse=True)
    table = {
        "number": columns["number"],
        "name": _named(codes, [recording.name_of(number) for number in numbers]),
        "scope": _named(columns["scope"], names.SCOPES),
        "mode": _named(columns["mode"], names.MODES),
        "block": columns["block"],
        "warp": columns["warp"],
        "run": columns["run"],
        "run_name": _named(columns["run_name"], recording.run_names),
        "worker": _masked(columns["worker"], columns["worker"] == 0xFFFF),
        "by": _named(columns["by"], names.MADE_BY),
        **{f"arg{which}": columns[f"arg{which}"] for which in range(6)},
        "result": columns["result"],
        "error": _errors(columns["result"]),
        **{name: _masked(columns[name], columns[name] == (-1 if name in ("queue_ns", "linux_ns") else 0))
           for name in _MEASURED},
        "flags": columns["flags"],
        "completion_slot": columns["completion_slot"],
    }
    if DATA in columns:
        table[DATA] = columns[DATA]
    return pd.DataFrame(table)


def _named(codes, categories):
    """A categorical column; several codes may have the same name."""
    unique = list(dict.fromkeys(categories))
    places = np.array([unique.index(name) for name in categories] or [0], dtype=np.int16)
    return pd.Categorical.from_codes(places[codes] if len(codes) else [], unique)


def _masked(values, unknown):
    dtype = values.dtype if values.dtype != np.int64 else np.dtype(np.int64)
    return pd.arrays.IntegerArray(values.astype(dtype, copy=False), np.asarray(unknown))


def _errors(results):
    """The name of the error of each result; none: it is no error."""
    wrong = (results < 0) & (results >= -4095)
    codes = np.full(len(results), -1, dtype=np.int16)
    values, inverse = np.unique(results[wrong], return_inverse=True)
    codes[wrong] = inverse
    return pd.Categorical.from_codes(codes, [names.error_name(int(value)) for value in values])
