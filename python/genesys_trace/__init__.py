# SPDX-License-Identifier: Apache-2.0
"""Reads recordings of the system calls of GPU kernels (genesys trace --record), and logs of strace and perf trace.

    import genesys_trace
    calls = genesys_trace.read("program.rec")        # a pandas table, a row a call
    for columns in genesys_trace.sections("program.rec", ("number", "linux_ns")):
        ...                                          # numpy columns, batch by batch, for large recordings

docs/recordings.md, In Python, has the columns. 'python3 -m genesys_trace --help' plots and compares.
"""

from .format import NotReadable
from .frame import read_recording
from .recording import COLUMNS, Recording
from .sources import RecordedCalls, open_source
from .unpack import PART_PATH, Memory

__all__ = ["COLUMNS", "PART_PATH", "Memory", "NotReadable", "Recording", "open_source", "read", "read_arrow",
           "sections"]
__version__ = "0.1.0"


def read(path, internal=False, machine=None, data=False):
    """A pandas table, a row a call, of a recording or of a log of strace or perf trace. `internal`: of a recording also
    the requests to the runtime itself; `data`: of a recording also what it has of the memory behind arguments, as
    lists of Memory. `machine`: where the file is from, as uname -m says it, if not from this one. Raises NotReadable,
    OSError."""
    source = open_source(path, machine)
    return read_recording(path, internal, machine, data) if isinstance(source, RecordedCalls) else source.table()


def read_arrow(path, internal=False, machine=None):
    """The same as a pyarrow.Table. Needs pyarrow: pip install 'genesys-trace[arrow]'."""
    import pyarrow

    return pyarrow.Table.from_pandas(read(path, internal, machine), preserve_index=False)


def sections(path, columns=COLUMNS, machine=None):
    """Yields dictionaries of numpy columns of a recording, one for each batch of sections (Recording.sections)."""
    return Recording(path, machine).sections(columns)
