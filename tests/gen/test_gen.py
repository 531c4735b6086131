# SPDX-License-Identifier: Apache-2.0
"""The generator: tests of what it makes from correct lines, and of its message for each kind of wrong line.

    python3 -m unittest discover tests/gen
"""

import io
import re
import subprocess
import sys
import tempfile
import unittest
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True
sys.path.insert(0, str(PROJECT / "tools" / "gen"))

import emit_all_threads
import emit_policy
import emit_calls
import emit_checks
import emit_custom
import emit_names
import emit_numbers
import emit_oracle
import emit_plans
import emit_refused
import emit_shapes
import emit_uring_checks
import main
from read_table import read_table

TYPES = "struct timespec x86-64:16 arm64:16 <time.h>\n"
OPCODES = """\
opcode FSYNC 3 since 5.1
opcode READ 22 since 5.6
opcode SEND 26 since 5.6
opcode FUTEX_WAIT 51 since 6.7
"""
READ = """\
read(fd fd, buf out bytes[count] -> ret, count size) size
    files consumer waits(fd in) ready x86-64:0 arm64:63
    "Reads."
"""


def numbered(call, attributes="ready", text='"Does it."'):
    """A line that is correct except for what the test passes."""
    return f"{call} files {attributes} x86-64:7 arm64:8 {text}\n"


class GenTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        (self.root / "table").mkdir()
        self.write("types.sys", TYPES)
        self.write("io_uring.sys", OPCODES)

    def write(self, name, content):
        (self.root / "table" / name).write_text(content, encoding="utf-8")

    def table(self, content):
        self.write("files.sys", content)
        table, errors = read_table(self.root / "table")
        self.assertEqual([str(error) for error in errors], [])
        return table

    def call(self, content):
        return self.table(content).calls[0]

    def refused(self, content, line, *words):
        """Checks that `content` gets one error, at `line` of files.sys, with "expected" and all of `words`."""
        self.write("files.sys", content)
        errors = [str(error) for error in read_table(self.root / "table")[1]]
        self.assertEqual(len(errors), 1, errors)
        self.assertRegex(errors[0], rf"^table/files\.sys:{line}: .*expected")
        for word in words:
            self.assertIn(word, errors[0])

    def run_main(self, *arguments):
        out, err = io.StringIO(), io.StringIO()
        with redirect_stdout(out), redirect_stderr(err):
            status = main.main(["--root", str(self.root), *arguments])
        return status, out.getvalue(), err.getvalue()


class GoodLines(GenTest):
    def test_call(self):
        call = self.call(READ)
        self.assertEqual((call.name, call.result, call.domain, call.text), ("read", "size", "files", "Reads."))
        self.assertEqual((call.role, call.waits, call.waits_direction), ("consumer", "fd", "in"))
        self.assertEqual((call.call_class, call.numbers), ("ready", {"x86-64": 0, "arm64": 63}))
        fd, buf, count = call.args
        self.assertEqual((fd.type, fd.direction, fd.is_pointer), ("fd", None, False))
        self.assertEqual((buf.type, buf.direction, buf.size_arg, buf.by_result), ("bytes", "out", "count", True))
        self.assertEqual((count.name, count.type), ("count", "size"))

    def test_one_line_or_many_and_comments(self):
        one = self.call(" ".join(READ.split()) + "\n")
        many = self.call("# first\n\n" + READ.replace(", ", ", # why\n\n    "))
        many.line = one.line
        for arg, other in zip(one.args, many.args):
            other.line = arg.line
        self.assertEqual(one, many)

    def test_hash_within_quotes_is_text(self):
        self.assertEqual(self.call(numbered("f() zero", text='"Takes #1."')).text, "Takes #1.")

    def test_every_value_type(self):
        for types in (["fd", "dirfd", "int", "u32", "size", "off"], ["flags", "mode", "address"]):
            arguments = ", ".join(f"{name} {name}" for name in types)
            self.assertEqual([arg.type for arg in self.call(numbered(f"f({arguments}) zero")).args], types)

    def test_every_result(self):
        for result in ("fd", "size", "off", "int", "zero", "address"):
            self.assertEqual(self.call(numbered(f"f() {result}")).result, result)

    def test_split(self):
        call = self.call(numbered("f(fd fd, buf in bytes[n], n size, pos off) size", "producer split(pos) ready"))
        self.assertEqual((call.role, call.split), ("producer", "pos"))
        plans = emit_plans.emit(self.table_of(call))
        self.assertIn(".split = true,\n     .position_arg = 3,\n     .size_arg = 2", plans)

    def table_of(self, call):
        table = read_table(self.root / "table")[0]
        table.calls = [call]
        return table

    def test_timer_quiet_and_eintr(self):
        call = self.call(numbered("f(a in timespec, b out? timespec on EINTR = null) zero", "timer ready"))
        self.assertTrue(call.timer and call.args[1].optional and call.args[1].written_on == "EINTR" and not call.quiet)
        self.assertEqual(call.args[1].default, "null")
        self.assertTrue(self.call(numbered("f() int", "quiet ready")).quiet)

    def test_mappings(self):
        call = self.call(numbered("f(addr address, length size) address", "producer mappings ready"))
        self.assertTrue(call.mappings)
        table = self.table_of(call)
        self.assertIn(".mappings = true", emit_plans.emit(table))
        self.assertIn("auto f(const void* addr, std::size_t length) const", emit_calls.emit(table))
        self.assertIn('{"addr", {shown::address, 8}}', emit_names.emit(table))

    def test_mappings_with_a_pointer(self):
        self.refused(numbered("f(path in str) zero", "mappings ready"), 1, "'mappings'", "type address")

    def test_long_lines_of_names_are_cut(self):
        arguments = ", ".join(f"argument_{i} size" for i in range(6))
        names = emit_names.emit(self.table(numbered(f"a_call({arguments}) zero")))
        lines = names.splitlines()
        self.assertLessEqual(max(map(len, lines)), 120)
        self.assertIn('{"argument_5", {shown::plain, 8}}}},', names)

    def test_sets_of_constants(self):
        sets = 'flags open "O_???" <fcntl.h>\n    under 0x3 O_R 0 O_W 1\n    bits O_C 0x40 O_D x86-64:0x10 arm64:0x20\n'
        table = self.table(sets + numbered("f(a flags<open>, b mode = 0 if a O_C) int<open>"))
        shapes = emit_shapes.emit(table)
        for item in ('{"O_W", 1, 0x3}', '{"O_C", 64, 0x40}', '{"O_D", 16, 0x10}', '{"O_D", 32, 0x20}'):
            self.assertIn(item, shapes)
        self.assertIn('constant_set sets[] = {{"O_???", items_of_open, 4, false, false}};', shapes)
        names = emit_names.emit(table)
        self.assertIn('{"f", {shown::set, 8, 0}, {{"a", {shown::set, 4, 0}}', names)
        self.assertIn(".only = {0, false, 1, {{0x40, 0x40}}}", re.sub(r"\s+", " ", names))
        self.assertIn("auto f(int a, unsigned b = 0) const", emit_calls.emit(table))
        checks = emit_checks.emit(table)
        self.assertIn("#if defined(O_C)\nstatic_assert(static_cast<std::uint32_t>(O_C) == 0x40u);", checks)
        self.assertEqual(checks.count("(O_D) =="), 2)  # one for each architecture

    def test_fields_of_structures(self):
        lines = "choice c ONE 1\n" + "fields t (n int @ 8 unchecked)\n"
        lines += "fields timespec (tv_sec long<c>, tv_nsec u64 as of.it more) then tv_sec ONE t\n"
        table = self.table(lines + numbered("f(a in timespec, b in bytes<timespec>[n], n size) zero"))
        shapes = emit_shapes.emit(table)
        self.assertIn('{"tv_sec", 0, false, {shown::set, 8, 0}}', shapes)
        self.assertIn('{"tv_nsec", 8, true, {shown::plain, 8}}', shapes)
        self.assertIn("{fields_of_timespec, 2, 16, 0, cases_of_timespec, 1, -1}", shapes)
        checks = emit_checks.emit(table)
        self.assertIn("static_assert(offsetof(struct ::timespec, tv_sec) == 0);", checks)
        self.assertIn("static_assert(offsetof(struct ::timespec, of.it) == 8);", checks)
        self.assertNotIn("struct ::t,", checks)
        self.assertEqual(emit_names.emit(table).count("shown::object, 16, 1"), 2)

    def test_selections(self):
        lines = "choice level SOCKET 1\nfields linger (l_onoff int, l_linger int)\n"
        lines += "either value by b<level> SOCKET linger else int[]\n"
        call = numbered("f(a int, b int<level>, c in bytes<value>[n], n u32) zero")
        shapes = emit_shapes.emit(self.table(lines + call))
        self.assertIn("{1, 0xffffffffffffffff, {shown::object, 8, 0}}", shapes)
        self.assertIn("{1, cases_of_value, 1, {shown::decimal, 4, -1, 0}}", shapes)

    def test_what_the_decoder_leaves_out(self):
        arguments = "a u64 = 0 hidden, b inout? u32 = null before, c inout? u32 = null both"
        arguments += ", d out? int = null filled positive"
        names = emit_names.emit(self.table(numbered(f"f({arguments}) int")))
        for text in (".is_hidden = true", "printed_when::before", "printed_when::both", "printed_when::positive"):
            self.assertIn(text, names)

    def test_defaults(self):
        table = self.table(numbered("f(path in str, flags flags, mode mode = 0) fd"))
        self.assertIn("auto f(const char* path, int flags, unsigned mode = 0) const", emit_calls.emit(table))

    def test_class_with_reason(self):
        call = self.call(numbered("f() zero", 'changed("it differs")'))
        self.assertEqual((call.call_class, call.reason), ("changed", "it differs"))
        self.assertIn("Unlike on the CPU, it differs.", emit_calls.emit(self.table_of(call)))

    def test_call_that_is_not_supported_has_a_number_and_no_plan(self):
        table = self.table(READ + numbered("fork() int", 'unsupported("a GPU has no state to copy")'))
        self.assertIn("fork = 7;", emit_numbers.emit(table))
        for emitter in (emit_plans, emit_calls, emit_names):
            self.assertNotIn("fork", emitter.emit(table))
        self.assertEqual(emit_refused.emit(table).count("number::fork,"), 2)
        self.assertNotIn("number::read", emit_refused.emit(table))

    def test_call_that_one_architecture_lacks(self):
        lines = "".join(
            f'{name}() int files x86-64:{number} arm64:none unsupported("no") "Is old."\n'
            for name, number in (("fork", 57), ("vfork", 58))
        )
        table = self.table(READ + lines)
        self.assertEqual(emit_numbers.emit(table).count("vfork = 58;"), 1)
        self.assertEqual(emit_refused.emit(table).count("number::vfork,"), 1)

    def test_pointers_to_values(self):
        table = self.table(numbered("f(a out int[2], c inout u64, b in? u32 = null) zero"))
        self.assertEqual([arg.is_pointer for arg in table.calls[0].args], [True] * 3)
        plans = emit_plans.emit(table)
        self.assertEqual(re.findall(r"fixed_bytes = (\d+)", plans), ["8", "8", "4"])
        parameters = "int* a, unsigned long long* c, const unsigned* b = nullptr"
        self.assertIn(f"auto f({parameters}) const", emit_calls.emit(table))

    def test_addresses(self):
        table = self.table(numbered("f(a in sockaddr[n], n u32, b out? sockaddr[*m], m inout? u32) zero"))
        into, out = table.calls[0].args[0], table.calls[0].args[2]
        self.assertEqual((into.size_arg, into.size_pointed, out.size_arg, out.size_pointed), ("n", False, "m", True))
        plans = emit_plans.emit(table)
        plans = re.sub(r"\s+", " ", plans)
        self.assertIn(".size = size_from::argument, .size_arg = 1, .bytes_most = 128", plans)
        self.assertIn(".size = size_from::pointed, .size_arg = 3, .bytes_most = 128", plans)
        self.assertIn("const struct ::sockaddr* a, unsigned n, struct ::sockaddr* b", emit_calls.emit(table))
        self.assertIn("struct sockaddr;", emit_calls.emit(table))

    def test_buffer_of_pointed_length(self):
        plans = emit_plans.emit(self.table(numbered("f(a out bytes[*n], n inout u32) zero")))
        self.assertIn(".size = size_from::pointed, .size_arg = 1}", plans)

    def test_waits_unless_flagged(self):
        constants = "const MSG_A 0x40 <a.h>\nconst MSG_B 2\n"
        call = self.call(constants + numbered("f(fd fd, how flags) size", "waits(fd in unless how MSG_A MSG_B) ready"))
        self.assertEqual((call.waits, call.unless, call.unless_flags), ("fd", "how", 0x42))
        plans = emit_plans.emit(self.table_of(call))
        self.assertIn(".unless_arg = 1,\n     .unless_flags = 0x42", plans)

    def test_variants(self):
        constants = "const GET 0x10 <g.h>\nconst SET 17\n"
        get = numbered("f$GET(fd fd, what const<GET>, n out int) zero")
        table = self.table(constants + get + numbered("f$SET(fd fd, what const<SET>) zero"))
        self.assertEqual([(call.base, call.id) for call in table.calls], [("f", "f_GET"), ("f", "f_SET")])
        plans = emit_plans.emit(table)
        self.assertIn("  f_GET,\n  f_SET,\n", plans)
        self.assertIn(".variant_arg = 1,\n     .variant_value = 0x10}", plans)
        methods = emit_calls.emit(table)
        self.assertEqual(methods.count("GENESYS_KERNEL auto f(Args... args)"), 1)
        self.assertIn("auto f_as(variant<0x10>, int fd, int* n) const { return call<plan_id::f_GET>(fd, 0x10u, n); }",
                      methods)
        self.assertIn("auto f_as(variant<0x11>, int fd) const", methods)
        checks = emit_checks.emit(table)
        self.assertIn("#if defined(GET)\nstatic_assert(static_cast<std::uint32_t>(GET) == 0x10u);", checks)
        self.assertIn("#include <g.h>", checks)
        self.assertEqual(emit_numbers.emit(table).count(" f = "), 2)  # one for each architecture
        self.assertEqual(emit_names.emit(table).count('{"f", '), 2)

    def test_structs_with_a_c_type_of_their_own(self):
        structs = "struct info x86-64:8 arm64:8 <i.h> as info_t\n"
        structs += "struct own x86-64:4 arm64:4 <genesys/own.h> as ns::own\n"
        table = self.table(structs + numbered("f(a in info, b out own) zero"))
        methods = emit_calls.emit(table)
        self.assertIn("auto f(const ::info_t* a, ::ns::own* b)", methods)
        self.assertIn("static_assert(sizeof(::ns::own) == object_bytes::own);", emit_checks.emit(table))
        self.assertIn('#include "genesys/own.h"\n', methods)

    def test_calls_and_structs_from_several_files(self):
        self.write("late.sys", 'struct zzz x86-64:4 arm64:4 <z.h>\ng() zero late ready x86-64:1 arm64:2 "Does it."\n')
        table = self.table(numbered("f(z inout zzz) zero"))
        self.assertEqual([call.name for call in table.calls], ["f", "g"])
        self.assertIn("{.kind = arg_kind::object, .dir = direction::inout,", emit_plans.emit(table))
        self.assertIn("struct zzz;\n", emit_calls.emit(table))
        self.assertIn("#include <z.h>", emit_checks.emit(table))

    def test_struct_that_no_header_has(self):
        table = self.table("struct newer x86-64:8 arm64:8\n" + numbered("f(a in newer) zero"))
        self.assertIn("auto f(const struct ::newer* a) const", emit_calls.emit(table))
        self.assertNotIn("newer", emit_checks.emit(table))

    def test_call_that_one_architecture_lacks_can_be_made_on_the_other(self):
        table = self.table('old() zero files ready x86-64:7 arm64:none "Does it."\n' + READ)
        numbers = emit_numbers.emit(table)
        self.assertEqual((numbers.count("old = 7;"), numbers.count("old = none;")), (1, 1))
        self.assertIn("number::old", emit_plans.emit(table))

    def test_buffers_that_are_counted(self):
        structs = "struct pair x86-64:12 arm64:16 <p.h>\n"
        call = "f(a out pair[n] -> ret, b in? u32[n], c in bits[n], d out pages[n], n int) int"
        table = self.table(structs + numbered(call))
        plans = re.sub(r"\s+", " ", emit_plans.emit(table))
        self.assertIn(".size_arg = 4, .element_bytes = object_bytes::pair, .by_result = true}", plans)
        self.assertIn(".size_arg = 4, .element_bytes = 4}", plans)
        self.assertIn(".size_arg = 4, .element_bytes = 8, .per = 64}", plans)
        self.assertIn(".size_arg = 4, .per = 4096}", plans)
        methods = emit_calls.emit(table)
        self.assertIn("auto f(struct ::pair* a, const unsigned* b, const void* c, unsigned char* d, int n)", methods)
        self.assertIn("`a`: a buffer for `n` `pair` structures; the result counts those that Linux wrote.", methods)

    def test_buffer_with_a_header(self):
        plans = emit_plans.emit(self.table(numbered("f(a out bytes[8 + n] -> ret, n size) size")))
        self.assertIn(".header_bytes = 8", plans)

    def test_structures_that_say_how_long_they_are(self):
        table = self.table(numbered("f(a inout timespec[@4 least 48] on any, n u32) zero"))
        plans = re.sub(r"\s+", " ", emit_plans.emit(table))
        self.assertIn(".size = size_from::itself, .size_at = 4, .fixed_bytes = 48, .written = written_on::any}", plans)
        plans = re.sub(r"\s+", " ", emit_plans.emit(self.table(numbered("f(a in timespec[8 + @0]) zero"))))
        self.assertIn(".size = size_from::itself, .header_bytes = 8}", plans)

    def test_several_structures_of_a_kind(self):
        self.assertIn("= 2 * object_bytes::timespec", emit_plans.emit(self.table(numbered("f(a in timespec[2]) zero"))))

    def test_calls_for_all_threads(self):
        table = self.table(numbered("setx(n size, a in u32[n]) zero", "all_threads ready"))
        made = "result = ::setx(static_cast<std::size_t>(args[0]), reinterpret_cast<const unsigned*>(args[1]));"
        self.assertIn(made, emit_all_threads.emit(table))
        self.assertIn(".all_threads = true", emit_plans.emit(table))

    def test_calls_that_are_excepted(self):
        constants = "const LEVEL 0x106\nconst NAME 22\nconst OTHER 3\n"
        excepts = "except(a LEVEL b NAME) except(a OTHER b OTHER)"
        call = self.call(constants + numbered("f(fd fd, a int, b int) zero", f"{excepts} ready"))
        self.assertEqual((call.except_args, call.excepts), (["a", "b"], [[0x106, 22], [3, 3]]))
        plans = emit_plans.emit(self.table_of(call))
        self.assertIn(".except_args = {1, 2},\n     .excepts_count = 2,", plans)
        self.assertIn(".excepts = {{0x106, 0x16}, {0x3, 0x3}}", plans)

    def test_calls_that_io_uring_makes(self):
        fields = "uring(READ fd=fd addr=to len=n off=at flags=3)"
        line = numbered("f(fd fd, to out bytes[n] -> ret, n size, at off) size", f"{fields} ready")
        table = self.table(line + 'g() zero files ready x86-64:9 arm64:9 "Does it."\n')
        made = ".addr = {.arg = 1}, .len = {.arg = 2}, .off = {.arg = 3}, .flags = {.number = 0x3}}"
        text = " ".join(emit_plans.emit(table).split())
        begin = ".uring = {.opcode = uring_op::read, .by_workers = true, .on = on_file, .fd = {.arg = 0}, "
        self.assertIn(begin + made, text)
        self.assertEqual(text.count(".uring = "), 1)

    def test_opcodes(self):
        table = self.table(READ)
        codes = "enum code : std::uint8_t {\n  fsync = 3,\n  read = 22,\n  send = 26,\n  futex_wait = 51,\n};"
        self.assertIn(codes, emit_numbers.emit(table))
        compared = 'static_assert(uring_op::read == unsigned{IORING_OP_READ}, "see table/io_uring.sys");'
        check = f"#if LINUX_VERSION_CODE >= KERNEL_VERSION(5, 6, 0)\n{compared}\n#endif\n"
        self.assertIn(check, emit_uring_checks.emit(table))

    def test_calls_that_kernels_submit_themselves(self):
        constants = "const A 0x20 <h>\nconst B 0x100 <h>\n"
        said = "direct(SEND fd=fd addr=b len=n flags=f with B off=to on stream datagram unless to most n 9 only f A B)"
        line = numbered("f(fd fd, b in bytes[n], n size, f flags, to in? str) size", f"{said} ready")
        text = " ".join(emit_plans.emit(self.table(constants + line)).split())
        self.assertIn(".uring = {.opcode = uring_op::send, .on = on_stream | on_datagram, .waits = true,", text)
        self.assertIn(".off = {.arg = 4}, .flags = {.arg = 3, .number = 0x100}, .unless_arg = 4", text)
        self.assertIn(".limited_arg = 2, .at_most = 9, .flags_arg = 3, .only = 0x120}", text)

    def test_calls_that_kernels_submit_about_no_descriptor(self):
        said = "direct(FUTEX_WAIT fd=f+2 addr=w len=1 addr3=0xff on any lasting is g 7)"
        line = numbered("f(w shared u32, f flags, g int) fd", f"{said} ready")
        text = " ".join(emit_plans.emit(self.table(line)).split())
        self.assertIn(".on = on_any, .waits = true, .opens = true, .fd = {.arg = 1, .number = 0x2}", text)
        self.assertIn(".addr3 = {.number = 0xff}, .exact_arg = 2, .exactly = 0x7}", text)

    def test_calls_about_what_is_mapped(self):
        table = self.table(numbered("f(addr address, length size) zero", "mapped own_thread ready"))
        self.assertIn(".mapped = true,\n     .own_thread = true}", emit_plans.emit(table))


    def test_constant_of_a_call_without_variants(self):
        table = self.table("const A 16\n" + numbered("f(fd fd, n const<A>) zero"))
        self.assertIn("auto f(int fd) const { return call<plan_id::f>(fd, 0x10u); }", emit_calls.emit(table))
        self.assertIn(".variant_value = 0x10", emit_plans.emit(table))

    def test_variants_told_apart_by_some_bits(self):
        lines = "const A 1\nconst B 2\n" + numbered("f$A(a const<A> under 0x7f) zero")
        table = self.table(lines + numbered("f$B(a const<B> under 0x7f, n int) zero"))
        self.assertIn(".variant_mask = 0x7f", emit_plans.emit(table))
        methods = emit_calls.emit(table)
        self.assertIn("(chosen & 0x7f) == 0x1 || (chosen & 0x7f) == 0x2;", methods)
        self.assertIn("auto f_as(variant<0x2>, std::uint32_t a, int n) const {", methods)
        self.assertIn("call<plan_id::f_B>(a, n);", methods)

    def test_pointers_behind_pointers(self):
        types = "struct iovec x86-64:16 arm64:16 vector\nstruct short x86-64:16 arm64:16 vector(4)\n"
        types += "struct mmsghdr x86-64:64 arm64:64 messages\n"
        table = self.table(types + numbered("f(a out iovec[n] -> ret, n int) size"))
        plans = emit_plans.emit(table)
        self.assertIn("{.kind = arg_kind::vector, .dir = direction::out, .size = size_from::argument,", plans)
        calls = emit_calls.emit(table).replace("\n  //", "")
        self.assertIn("Linux writes the data that they lead to, in any memory", calls)
        self.assertIn(".short_lengths = true", emit_plans.emit(self.table(types + numbered("f(a in short) zero"))))
        counted = self.table(types + numbered("f(a inout mmsghdr[n], n u32) int"))
        self.assertIn("{.kind = arg_kind::messages, .dir = direction::inout,", emit_plans.emit(counted))

    def test_memory_that_both_sides_use(self):
        table = self.table(numbered("f(word shared u32) zero"))
        self.assertIn(".dir = direction::inout, .size = size_from::fixed, .fixed_bytes = 4,", emit_plans.emit(table))
        self.assertIn(".shared = true", emit_plans.emit(table))

    def test_what_the_policy_knows(self):
        table = self.table(
            "const LINK 0x100\n"
            + numbered("f(d dirfd, path in path nofollow unless flags LINK, flags flags) fd", "io ready")
            + numbered("g(fd fd, name in str) int", "closes new_fd ready").replace(":7", ":1").replace(":8", ":2")
            + numbered("h(ends out fd[2], other in path) zero").replace(":7", ":3").replace(":8", ":4")
        )
        text = emit_policy.emit(table)
        path = "{.arg = 1, .directory_arg = 0, .follows = false, .flags_arg = 2, .flag = 0x100}"
        self.assertIn(f'.io = true, .new_fd = true, .paths = {{{path}}}}},', " ".join(text.split()))
        self.assertIn('{.name = "g", .domain = "files", .closes = true, .new_fd = true},', text)
        self.assertIn('.fds_arg = 0, .paths = {{.arg = 1}}},', text)

    def test_calls_with_custom_handlers(self):
        table = self.table(numbered("f(a in timespec) zero", "custom ready"))
        self.assertIn("case plan_id::f:\n      return custom::f(memory, rules, args);", emit_custom.emit(table))

    def test_names_for_the_oracle(self):
        variant = "const GET 16\n" + numbered("f$GET(what const<GET>) zero")
        refused = 'old() zero files x86-64:9 arm64:9 unsupported("no") "Is old."\n'
        names = emit_oracle.emit(self.table(READ + variant + refused))
        self.assertTrue(names.endswith("\nset(oracle_calls\n  read\n  f_GET)\n"), names)
        self.assertTrue(all(line.startswith("#") for line in names.split("set(")[0].splitlines()), names)


class WrongLines(GenTest):
    def test_character(self):
        self.refused(READ + "\nf(a int; b int) zero\n", 5, "';", "',' or ')'")

    def test_quote_left_open(self):
        self.refused(numbered("f() zero", text='"Does it.'), 1, '"Does it.')

    def test_indented_first_line(self):
        self.refused("\n  " + READ, 2, "start of a line")

    def test_no_name(self):
        self.refused("(fd fd) zero\n", 1, "'('", "name of a call")

    def test_no_parenthesis(self):
        self.refused("f fd fd) zero\n", 1, "'fd'", "'('")

    def test_no_comma(self):
        self.refused(numbered("f(a int b int) zero"), 1, "'b'", "',' or ')'")

    def test_entry_breaks_off(self):
        self.refused("f(a int,\n    b\n", 2, "the end of the entry", "argument type")

    def test_unknown_argument_type_in_a_later_line(self):
        line = numbered("f(a int,\n  b foo) zero")
        self.refused(READ + line, 5, "unknown argument type 'foo'", "dirfd", "bytes", "timespec")

    def test_pointer_without_direction(self):
        self.refused(numbered("f(path str) zero"), 1, "'path'", "in, out, inout or shared")

    def test_value_with_direction(self):
        self.refused(numbered("f(a in flags) zero"), 1, "'a'", "no direction")

    def test_string_that_is_written(self):
        self.refused(numbered("f(path out str) zero"), 1, "'path'", "'in'")
        self.refused("const C 1\n" + numbered("f(p in path unless x C, x int) zero"), 2, "'x'", "type flags")
        self.refused(numbered("f(p in path unless x C, x flags) zero"), 1, "unknown constant 'C'", "expected")
        self.refused(numbered("f(a int) zero", "closes ready"), 1, "'closes'", "fd as first argument")
        self.refused(numbered("f(a int) fd", "new_fd ready"), 1, "'new_fd'", "'int'")

    def test_bytes_without_size(self):
        self.refused(numbered("f(a in bytes, n size) zero"), 1, "','", "'['")

    def test_bytes_sized_by_nothing_known(self):
        self.refused(numbered("f(a in bytes[m], n size) zero"), 1, "'m'", "size, u32, int or u64")

    def test_bytes_sized_by_a_descriptor(self):
        self.refused(numbered("f(fd fd,\n  a in bytes[fd]) zero"), 2, "'fd'", "size, u32, int or u64")

    def test_pointed_length_that_is_none(self):
        for length in ("n u32", "n in u32", "n inout u64", "n inout int"):
            self.refused(numbered(f"f(a out sockaddr[*n], {length}) zero"), 1, "'n'", "a later argument 'inout u32'")
        self.refused(numbered("f(n inout u32, a out sockaddr[*n]) zero"), 1, "'n'", "a later argument 'inout u32'")

    def test_length_that_is_pointed_to(self):
        self.refused(numbered("f(a in sockaddr[n], n inout u32) zero"), 1, "'n'", "size, u32, int or u64")

    def test_result_sizes_what_a_pointer_sizes(self):
        self.refused(numbered("f(a out bytes[*n] -> ret, n inout u32) size"), 1, "'-> ret'", "'out'")

    def test_flags_that_are_unknown(self):
        line = "f(fd fd, how flags) size"
        self.refused("const A 1\n" + numbered(line, "waits(fd in unless how B) ready"), 2, "'B'", "A")
        self.refused("const A 1\n" + numbered(line, "waits(fd in unless fd A) ready"), 2, "'fd'", "type flags")

    def test_constants(self):
        self.refused("const A 1\nconst A 2\n", 2, "'A'", "once")
        self.refused("const A B\n", 1, "'B'", "its value")
        self.refused("const A 0x100000000\n", 1, "'0x100000000'", "at most")
        self.refused(numbered("f$A(a const<A>) zero"), 1, "'<A>'", "const NAME VALUE")

    def test_variants_that_are_none(self):
        constants = "const A 1\nconst B 2\n"
        self.refused(constants + numbered("f$A(a int) zero"), 3, "'f$A'", "'const<...>'")
        self.refused(constants + numbered("f$A(a const<A>, b const<B>) zero"), 3, "several constants", "expected one")

    def test_variants_that_nothing_tells_apart(self):
        first = "const A 1\nconst B 2\n" + numbered("f$A(a const<A>, b int) zero")
        self.refused(first + numbered("f(a int, b int) zero"), 4, "'f$A'", "in the same place")
        self.refused(first + numbered("f$B(b int, a const<B>) zero"), 4, "'f$A'", "in the same place")
        self.refused(first + numbered("f$B(a const<A>, b int) zero"), 4, "the constant of 'f$A'", "another one")
        self.refused(first + numbered("f$B(a const<B>, b int) int"), 4, "differs from 'f$A'", "the same result")
        apart = numbered("g() zero").replace("x86-64:7 arm64:8", "x86-64:1 arm64:2")
        self.refused(first + apart + numbered("f$B(a const<B>, b int) zero"), 5, "'f$A'", "adjacent variants")

    def test_variants_that_compare_different_bits(self):
        lines = "const A 1\nconst B 2\n" + numbered("f$A(a const<A> under 0x7f) zero")
        self.refused(lines + numbered("f$B(a const<B>) zero"), 4, "different masks", "the same one")
        self.refused("const A 0x81\n" + numbered("f$A(a const<A> under 0x7f) zero"), 2, "A has bits", "all of its bits")

    def test_pointers_behind_pointers(self):
        types = "struct iovec x86-64:16 arm64:16 vector\nstruct msghdr x86-64:56 arm64:56 messages\n"
        self.refused("struct iovec x86-64:16 arm64:16 list\n", 1, "'list'", "one of x86-64 or arm64")
        self.refused(types + numbered("f(a out iovec[n], n int) size"), 3, "does not say how much", "'-> ret'")
        self.refused(types + numbered("f(a in iovec[n], n int, b in msghdr) size"), 3, "several", "one")
        self.refused(types + numbered("f(a shared msghdr) size"), 3, "'a'", "a number or a vector")

    def test_sets_that_are_wrong(self):
        self.refused("flags open O_A 1\nflags open O_B 1\n", 2, "'open'", "another name")
        self.refused('choice one "ONE_???"\n', 1, "'one'", "names and values")
        self.refused("choice one A x86-64:1\n", 1, "the end of the entry", "arm64:NUMBER")
        self.refused(numbered("f(a flags<none>) zero"), 1, "'<none>'", "a selection")

    def test_fields_that_are_wrong(self):
        self.refused("fields s (a int)\nfields s (a int)\n", 2, "'s'", "once")
        self.refused("fields s (a foo)\n", 1, "'foo'", "u16")
        self.refused("fields s (a int) then a ONE t\n", 1, "'a'", "a field of this structure that has a set")
        self.refused("choice c ONE 1\nfields s (a int<c>) then a TWO t\n", 2, "'TWO'", "'c'")
        self.refused("choice c ONE 1\nfields s (a int<c>) then a ONE t\n", 2, "'t'", "whose fields are in the table")

    def test_conditions_that_are_wrong(self):
        self.refused("flags open O_A 1\n" + numbered("f(a int if b O_A, b flags<open>) zero"), 2, "'b'", "in front")
        self.refused("flags open O_A 1\n" + numbered("f(b flags<open>, a int if b O_B) zero"), 2, "'O_B'", "'open'")

    def test_selections_that_are_wrong(self):
        self.refused("either e by a ONE int else int\n", 1, "'<set>'")
        self.refused("choice c ONE 1\neither e by a<c> TWO int else int\n", 2, "'TWO'", "'else'")

    def test_result_sizes_what_is_read(self):
        self.refused(numbered("f(a in bytes[n] -> ret, n size) size"), 1, "'-> ret'", "'inout bytes[...]'")

    def test_result_sizes_what_is_written_with_holes(self):
        table = self.table(numbered("f(a inout bytes[n] -> ret, n size) size"))
        self.assertIn(".dir = direction::inout,", emit_plans.emit(table))
        self.assertIn(".by_result = true", emit_plans.emit(table))

    def test_result_that_is_no_size(self):
        self.refused(numbered("f(a out bytes[n] -> ret, n size) zero"), 1, "'zero'", "'size'")

    def test_arrow_to_something_else(self):
        self.refused(numbered("f(a out bytes[n] -> n, n size) size"), 1, "'n'", "'ret'")

    def test_on_eintr_on_what_is_read(self):
        self.refused(numbered("f(a in timespec on EINTR) zero"), 1, "'on EINTR'", "'out' struct")

    def test_on_something_else(self):
        self.refused(numbered("f(a out timespec on EAGAIN) zero"), 1, "'EAGAIN'", "EINTR or any")

    def test_null_default_for_what_may_not_be_null(self):
        self.refused(numbered("f(a out timespec = null) zero"), 1, "'a'", "'out?'")

    def test_default_that_is_no_number(self):
        self.refused(numbered("f(a int = null) zero"), 1, "'null'", "a number")

    def test_no_default_behind_a_default(self):
        self.refused(numbered("f(a int = 0, b int) zero"), 1, "'b'", "'= ...'")

    def test_argument_named_twice(self):
        self.refused(numbered("f(a int, a int) zero"), 1, "two arguments 'a'", "another name")

    def test_seven_arguments(self):
        self.refused(numbered(f"f({', '.join(f'a{i} int' for i in range(7))}) zero"), 1, "'a6'", "at most 6")

    def test_unknown_result(self):
        self.refused(numbered("f() pid"), 1, "unknown result type 'pid'", "fd, size, off, int, zero or address")

    def test_domain_of_another_file(self):
        self.refused(numbered("f() zero").replace(" files ", " net "), 1, "'net'", "'files'")

    def test_unknown_attribute(self):
        self.refused(numbered("f() zero", "ready loud"), 1, "unknown attribute 'loud'", "quiet", "x86-64:NUMBER")

    def test_opcodes_that_are_wrong(self):
        other = "opcode OTHER 40 since 5.6\n"
        self.refused(other + "opcode OTHER 41 since 5.6\n", 2, "'OTHER'", "once")
        self.refused(other + "opcode THIRD 40 since 5.6\n", 2, "'40'", "'OTHER'", "another number")
        self.refused("opcode OTHER 64 since 5.6\n", 1, "'64'", "at most 63")
        self.refused("opcode OTHER 40\n", 1, "the end of the entry", "'since'")
        self.refused("opcode OTHER 40 since 5\n", 1, "the end of the entry", "'.'")

    def test_what_io_uring_cannot_make(self):
        self.refused(numbered("f(fd fd) zero", "uring(PAINT fd=fd) ready"), 1, "'PAINT'", "FSYNC")
        self.refused(numbered("f(fd fd) zero", "uring(FSYNC fd=on) ready"), 1, "'on'", "an argument of the call")
        self.refused(numbered("f(fd fd) zero", "uring(FSYNC fd=fd fd=fd) ready"), 1, "'fd'", "expected one")
        self.refused(numbered("f(fd fd) zero", "uring(FSYNC) ready"), 1, "'uring'", "with a descriptor")
        self.refused(numbered("f(fd fd, p in str) zero", "uring(FSYNC fd=fd) ready"), 1, "'uring'", "pointers")
        self.refused(numbered("f(fd fd) fd", "uring(FSYNC fd=fd) ready"), 1, "'uring'", "nothing to do")

    def test_what_kernels_cannot_submit(self):
        self.refused(numbered("f(fd fd) zero", "direct(FSYNC fd=fd) ready"), 1, "'direct'", "with a descriptor")
        self.refused(numbered("f(fd fd) zero", "direct(FSYNC fd=fd on it) ready"), 1, "'it'", "fd, addr")
        self.refused(numbered("f(fd fd) zero", "direct(FSYNC fd=fd on file unless g) ready"), 1, "'g'", "an argument")
        line = numbered("f(fd fd, p in str) zero", "direct(FSYNC fd=fd on file) ready")
        self.refused(line, 1, "'direct'", "pointers")

    def test_two_roles(self):
        self.refused(numbered("f() zero", "consumer producer ready"), 1, "'producer'", "only one role")

    def test_two_classes(self):
        self.refused(numbered("f() zero", 'ready changed("why")'), 1, "'changed'", "only one class")

    def test_no_class(self):
        self.refused(numbered("f() zero", ""), 1, "no class", "ready")

    def test_no_number_on_one_architecture(self):
        self.refused('f() zero files ready x86-64:7 "Does it."\n', 1, "arm64", "arm64:NUMBER")

    def test_class_without_reason(self):
        self.refused(numbered("f() zero", "hardware"), 1, "'('")

    def test_split_by_what_is_no_position(self):
        self.refused(numbered("f(fd fd, a in bytes[n], n size) size", "split(n) ready"), 1, "'n'", "type off")

    def test_split_without_buffer(self):
        self.refused(numbered("f(fd fd, pos off) size", "split(pos) ready"), 1, "'split'", "one argument of type bytes")

    def test_waits_on_what_is_no_descriptor(self):
        self.refused(numbered("f(n size) zero", "waits(n in) ready"), 1, "'n'", "type fd")

    def test_waits_without_direction(self):
        self.refused(numbered("f(fd fd) zero", "waits(fd) ready"), 1, "')'", "in or out")

    def test_quiet_that_reads_memory(self):
        self.refused(numbered("f(path in str) zero", "quiet ready"), 1, "'quiet'", "'out' pointers")

    def test_no_number(self):
        self.refused(numbered("f() zero").replace("arm64:8", ""), 1, "no number for arm64", "'arm64:NUMBER'")

    def test_number_twice_in_a_line(self):
        self.refused(numbered("f() zero", "ready x86-64:9"), 1, "two values for 'x86-64'", "expected one")

    def test_number_of_another_call(self):
        line = numbered("f() zero").replace("arm64:8", "arm64:63")
        self.refused(READ + "\n" + line, 5, "arm64:63", "'read'", "files.sys:1")

    def test_number_too_large(self):
        self.refused(numbered("f() zero").replace("x86-64:7", "x86-64:4000"), 1, "'4000'", "at most")

    def test_call_twice(self):
        self.refused(READ + READ, 4, "'read'", "table/files.sys:1")

    def test_no_text(self):
        self.refused(numbered("f() zero", text=""), 1, "a sentence in quotes")

    def test_text_that_is_no_sentence(self):
        for text in ('"does it."', '"Does it"', '""'):
            self.refused(numbered("f() zero", text=text), 1, "a full stop last")

    def test_something_behind_the_text(self):
        self.refused(numbered("f() zero", text='"Does it." quiet'), 1, "'quiet'", "the end of the entry")

    def test_struct_twice(self):
        line = "struct s x86-64:4 arm64:4 <s.h>\n"
        self.refused(line + line, 2, "'s'", "once")

    def test_struct_named_like_another_type(self):
        self.refused("struct fd x86-64:4 arm64:4 <s.h>\n", 1, "'fd'", "once")

    def test_struct_without_a_size(self):
        self.refused("struct s x86-64:4 <s.h>\n", 1, "no size for arm64")

    def test_struct_of_an_unknown_architecture(self):
        self.refused("struct s sparc:4 <s.h>\n", 1, "'sparc'", "x86-64 or arm64")

    def test_memory_that_is_not_mapped(self):
        call = numbered("f(length size, addr address) zero", "mapped ready")
        self.refused(call, 1, "'mapped'", "an address and a size")

    def test_exceptions_about_different_arguments(self):
        constants = "const ONE 1\n"
        excepts = "except(a ONE b ONE) except(b ONE a ONE)"
        call = numbered("f(a int, b int) zero", f"{excepts} ready")
        self.refused(constants + call, 2, "'except'", "the same arguments")

    def test_five_strings(self):
        strings = ", ".join(f"{name} in str" for name in "abcde")
        self.refused(numbered(f"f({strings}) zero"), 1, "5 strings", "at most 4")

    def test_two_structures_that_say_how_long_they_are(self):
        self.refused(numbered("f(a in timespec[@0], b in timespec[@0]) zero"), 1, "several", "expected one")

    def test_number_of_what_an_argument_counts(self):
        self.refused(numbered("f(a in bytes[8]) zero"), 1, "'a'", "the argument that counts")

    def test_result_that_counts_bits(self):
        self.refused(numbered("f(a out bits[n] -> ret, n size) size"), 1, "'-> ret'", "expected it only")

    def test_each_wrong_entry_is_told(self):
        self.write("files.sys", numbered("f() pid") + READ + numbered("g(a foo) zero"))
        errors = [str(error) for error in read_table(self.root / "table")[1]]
        self.assertEqual([re.match(r"table/files\.sys:(\d+)", error).group(1) for error in errors], ["1", "5"])


class Main(GenTest):
    def test_writes_then_finds_nothing_stale(self):
        self.write("files.sys", READ)
        self.assertEqual(self.run_main("--check")[0], 1)
        status, out, _ = self.run_main()
        self.assertEqual((status, out.count("wrote")), (0, len(main.EMITTERS)))
        self.assertEqual(self.run_main("--check"), (0, "", ""))
        self.assertEqual(self.run_main(), (0, "", ""))

    def test_says_what_is_stale_and_leaves_it(self):
        self.write("files.sys", READ)
        self.run_main()
        stale = self.root / emit_plans.OUTPUT
        stale.write_text("old", encoding="utf-8")
        status, out, err = self.run_main("--check")
        self.assertEqual((status, out), (1, ""))
        self.assertEqual(err.splitlines(), [f"{emit_plans.OUTPUT} is stale: run './dev gen'"])
        self.assertEqual(stale.read_text(encoding="utf-8"), "old")

    def test_wrong_line_writes_nothing(self):
        self.write("files.sys", numbered("f() pid"))
        status, out, err = self.run_main()
        self.assertEqual((status, out), (1, ""))
        self.assertIn("table/files.sys:1: unknown result type 'pid'", err)
        self.assertFalse((self.root / "include").exists())

    def test_empty_table(self):
        self.assertEqual(self.run_main()[0], 1)

    def test_project_is_not_stale(self):
        command = [sys.executable, str(PROJECT / "tools" / "gen" / "main.py"), "--check"]
        done = subprocess.run(command, capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))


if __name__ == "__main__":
    unittest.main()
