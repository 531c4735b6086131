#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Illegal calls do not compile, and the compiler names the reason. Each case is a kernel of its own.

usage: compile_test.py [NVCC]    with nvcc it also tests CUDA's cooperative groups
"""
import concurrent.futures
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
NVCC = sys.argv[1] if len(sys.argv) > 1 else None
COMPILER = [os.environ.get("CXX", "c++"), "-std=c++20", f"-I{ROOT}/include"]
HEADERS = """#include <cerrno>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <genesys/genesys.h>
#include <genesys/posix/format.h>
"""
SOURCE = """#include "headers.h"
%s
struct kernel {
  GENESYS_KERNEL void operator()(genesys::os os, char* memory) const {
    using namespace genesys;
    (void)memory;
    %s;
  }
};
void start(genesys::runtime& rt) { genesys::launch(rt, {}, kernel{}, static_cast<char*>(nullptr)).drain(); }
"""
CUDA_SOURCE = """#include <sys/ioctl.h>
#include <genesys/cooperative_groups.h>
#include <genesys/genesys.h>
namespace cg = cooperative_groups;
__global__ void kernel(genesys::os os, char* memory) {
  (void)memory;
  %s;
}
"""
# A ported C source with one function, whose body a case says.
PORTED_SOURCE = """#include <genesys/shadow.h>
namespace ported {
#include <genesys/shadow/begin.h>
static inline int next(int from) { return from + 1; }
static int run(void) { %s; }
#include <genesys/shadow/end.h>
GENESYS_PORTED int call() { return run(); }
}
"""
# A host program, and a kernel that may call host functions; without our pragmas nvcc compiles such a kernel to an empty
# one.
HOST_CALL_SOURCE = """#include <genesys/genesys.h>
#include <algorithm>
#include <map>
#include <string>
#include <vector>
long host_function(long);
constexpr long host_constexpr(long x) { return 3 * x; }
template <class T>
struct indirect {
  GENESYS_KERNEL long operator()(long x) const { return T::host(x); }
};
struct host_only {
  static long host(long x) { return host_function(x); }
};
#pragma nv_exec_check_disable
template <class T>
__host__ __device__ T twice(T x) { return x + x; }
struct kernel {
  GENESYS_KERNEL void operator()(genesys::os os, long* memory) const { %s; }
};
int main() {  // what a host program is full of
  genesys::runtime rt;
  genesys::launch(rt, {}, kernel{}, static_cast<long*>(nullptr)).drain();
  std::vector<std::string> words{"b", "a", twice(std::string("c"))};
  std::sort(words.begin(), words.end(), [](const auto& a, const auto& b) { return a < b; });
  std::map<std::string, std::vector<long>> sizes;
  for (const auto& word : words) sizes[word].push_back(host_constexpr(host_function(1)));
  return sizes.empty();
}
"""
# The program with which docs/libc.md begins.
LIBRARY_PROGRAM = (ROOT / "docs" / "libc.md").read_text().split("```cpp\n")[1].split("```")[0]
# Lambdas as kernels: the form for both devices, and forms that lack a part of it.
LAMBDA_SOURCE = """#include <genesys/genesys.h>
void start(genesys::runtime& rt, long* got) {
  const auto kernel = %s;
  genesys::launch(rt, {}, kernel, 3).drain();
}
"""
LAMBDA = "[=] GENESYS_LAMBDA(genesys::os os, int fd) { *got = os.close(fd); }"

headers = tempfile.TemporaryDirectory()  # all cases include them, so they are compiled once


def precompile():
    whole = pathlib.Path(headers.name, "headers.h")
    whole.write_text(HEADERS)
    subprocess.run([*COMPILER, "-x", "c++-header", whole, "-o", f"{whole}.gch"], capture_output=True, timeout=120)


class Compile(unittest.TestCase):
    def compiled(self, body, before=""):
        """The compiler's exit status and output."""
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder, "kernel.cpp")
            source.write_text(SOURCE % (before, body))
            done = subprocess.run([*COMPILER, "-fsyntax-only", f"-I{headers.name}", source],
                                  capture_output=True, text=True, timeout=120)
        return done.returncode, done.stderr

    def compiles(self, body):
        status, said = self.compiled(body)
        self.assertEqual(status, 0, said)

    def refused(self, body, *words):
        status, said = self.compiled(body)
        self.assertNotEqual(status, 0, "it compiled")
        for word in words:
            self.assertIn(word, said)

    def test_what_is_legal(self):
        self.compiles("""
            os.read(0, memory, 1), os.on(thread()).read(0, memory, 1);
            os.on(warp()).read(0, memory, 1), os.on(warp{15}).relaxed().write(1, memory, 1);
            os.on(block()).relaxed().read(0, memory, 1), os.on(block()).relaxed(producer()).close(0);
            os.on(grid()).relaxed().write(1, memory, 1), os.on(grid()).relaxed(consumer()).openat(0, memory, 0);
            auto whole = os.on(grid()).relaxed().ticket().read(0, memory, 1);
            os.on(grid()).relaxed().after(whole).posted().write(1, memory, 1), (void)whole.wait();
            os.on(block()).relaxed(consumer()).syscall(39), os.syscall(39, -1, 0u, AT_FDCWD);
            auto one = os.ticket().read(0, memory, 1);
            auto two = os.on(block()).relaxed().ticket().read(0, memory, 1);
            os.posted().write(1, memory, 1), os.on(block()).relaxed().posted().write(1, memory, 1);
            os.after(one).posted().close(0), os.on(block()).after(two).getpid();
            (void)one.wait(), (void)two.wait(), os.posted().syscall(39);
            ticket_of<call::pread64, block> none;
            (void)none.wait();
            int n;
            genesys::linux_termios settings;
            os.ioctl<FIONREAD>(0, &n), os.ioctl<FIOCLEX>(0), os.on(block()).relaxed().ioctl<TCGETS>(0, &settings);
            os.posted().ioctl<TCSETS>(0, &settings), os.ioctl<FIONREAD>(0, nullptr);
            auto three = os.ticket().ioctl<FIONREAD>(0, &n);
            ticket_of<call::ioctl_FIONREAD> four;
            (void)three.wait(), (void)four.wait(), os.recvfrom(0, memory, 1), os.posted().sendto(0, memory, 1)""")

    def test_the_program_of_the_page(self):
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder, "program.cpp")
            source.write_text(LIBRARY_PROGRAM)
            done = subprocess.run([*COMPILER, "-fsyntax-only", "-Wall", "-Wextra", source],
                                  capture_output=True, text=True, timeout=120)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def refused_at_once(self, sentence, *options):
        """The first error is this sentence, and the second and last one ends the compilation."""
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder, "kernel.cpp")
            source.write_text("#include <genesys/genesys.h>\n")
            done = subprocess.run([*COMPILER, "-E", "-o", os.devnull, *options, source],
                                  capture_output=True, text=True, timeout=120)
        self.assertNotEqual(done.returncode, 0, "it compiled")
        errors = [line for line in done.stderr.splitlines() if "error:" in line]
        self.assertEqual(len(errors), 2, done.stderr)
        self.assertIn(sentence, errors[0])

    def test_old_compilers(self):
        self.refused_at_once("genesys needs C++20: compile with -std=c++20", "-std=c++17")
        self.refused_at_once("genesys needs nvcc of CUDA toolkit 13 or newer",
                             "-D__CUDACC__", "-D__CUDACC_VER_MAJOR__=12")
        self.refused_at_once("genesys needs a GPU from sm_80 on: compile with nvcc -arch=sm_80",
                             "-D__CUDACC__", "-D__CUDACC_VER_MAJOR__=13", "-D__CUDA_ARCH__=750")

    def test_static_variables_of_ported_sources(self):
        status, said = self.compiled("(void)os", PORTED_SOURCE % "return next(1)")
        self.assertEqual(status, 0, said)
        status, said = self.compiled("(void)os", PORTED_SOURCE % "static int calls = 0; return calls = next(calls)")
        self.assertNotEqual(status, 0, "it compiled")
        self.assertIn("attribute applies only to functions", said)

    def test_unsupported_ioctls(self):
        self.refused("os.ioctl<0x5412>(0, memory)", "genesys does not support this request of ioctl")
        self.refused("os.ioctl<FIONREAD>(0, memory)", "wrong arguments for this request of ioctl")
        self.refused("os.ioctl<FIOCLEX>(0, memory)", "wrong arguments for this request of ioctl")
        self.refused("int n; os.ioctl(0, FIONREAD, &n)", "the request of ioctl is a template argument: ioctl<")
        self.refused("int n; os.posted().ioctl<FIONREAD>(0, &n)", "nobody would see what Linux writes")

    def test_posted_calls_that_have_results(self):
        self.refused("os.posted().read(0, memory, 1)", "nobody would see what Linux writes")
        self.refused("os.on(block()).relaxed().posted().pread64(0, memory, 1, 0)", "nobody would see")

    def test_two_ways_of_waiting(self):
        self.refused("os.ticket().posted().close(0)", "waited for later (ticket) or never (posted)")
        self.refused("os.posted().ticket().close(0)", "waited for later (ticket) or never (posted)")

    def test_a_ticket_by_number(self):
        self.refused("os.ticket().syscall(39)", "gives no ticket")

    def test_a_ticket_that_is_copied(self):
        self.refused("auto one = os.ticket().getpid(); auto two = one; two.wait()", "deleted")

    def test_a_ticket_of_another_scope(self):
        self.refused("auto one = os.ticket().getpid(); os.on(block()).after(one).getpid()", "no matching")

    def test_a_thread_is_in_strong_order(self):
        self.refused("os.relaxed().write(1, memory, 1)", "a thread's own call is in strong order")
        self.refused("os.on(thread()).relaxed(consumer()).write(1, memory, 1)",
                     "a thread's own call is in strong order")

    def test_a_grid_is_in_relaxed_order(self):
        words = ("a call of the whole grid is in relaxed order only", "on(genesys::grid()).relaxed()")
        self.refused("os.on(grid()).write(1, memory, 1)", *words)
        self.refused("os.on(grid()).ticket().read(1, memory, 1)", *words)
        self.refused("os.on(grid()).syscall(39)", *words)

    def test_a_grids_call_without_a_role(self):
        self.refused("os.on(grid()).relaxed().close(0)", "neither produces nor consumes")

    def test_a_call_without_a_role(self):
        self.refused("os.on(block()).relaxed().close(0)", "neither produces nor consumes",
                     "relaxed(genesys::producer())")

    def test_a_number_without_a_role(self):
        self.refused("os.on(block()).relaxed().syscall(39)", "does not know the role", "relaxed(genesys::consumer())")

    def test_a_role_that_is_none(self):
        self.refused("os.on(block()).relaxed(1).close(0)", "a role is genesys::producer() or genesys::consumer()")

    def test_something_that_is_no_scope(self):
        self.refused("os.on(7).getpid()", "not a scope of genesys")

    def test_a_pointer_for_a_number(self):
        self.refused("os.syscall(0, 0, memory, 1)", "takes integers only")

    def test_arguments_that_printf_does_not_take(self):
        self.refused('struct {} none; posix::snprintf(memory, 9, "%d", none)', "printf takes integers, enumerators")
        self.refused('posix::snprintf(memory, 9, "%d", thread())', "printf takes integers, enumerators")
        self.refused('__int128 large = 0; posix::snprintf(memory, 9, "%d", large)', "at most 8 bytes")
        self.compiles('posix::snprintf(memory, 9, "%d%s%f%p", thread_scope::system, memory, 1.5f, nullptr)')

    def test_lambdas(self):
        for options in ((), ("-Wall", "-Wextra", "-Wpedantic", "-Werror")):
            with tempfile.TemporaryDirectory() as folder:
                source = pathlib.Path(folder, "kernel.cpp")
                source.write_text(LAMBDA_SOURCE % LAMBDA)
                done = subprocess.run([*COMPILER, *options, "-fsyntax-only", source],
                                      capture_output=True, text=True, timeout=120)
            self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_seven_arguments(self):
        self.refused("os.syscall(0, 1, 2, 3, 4, 5, 6, 7)", "at most six arguments")


@unittest.skipUnless(NVCC, "no nvcc was given")
class CompileCuda(unittest.TestCase):
    def compiled(self, body, text=CUDA_SOURCE, options=("-std=c++20", "-arch=sm_80"), until="-ptx",
                 into=os.devnull):
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder, "kernel.cu")
            source.write_text(text % body)
            done = subprocess.run([NVCC, *options, until, "-o", into,
                                   f"-I{ROOT}/include", source], capture_output=True, text=True, timeout=300)
        return done.returncode, done.stdout + done.stderr

    def refused(self, body, word, text=CUDA_SOURCE):
        status, said = self.compiled(body, text)
        self.assertNotEqual(status, 0, "it compiled")
        self.assertIn(word, said)
        line = 1 + next(i for i, code in enumerate(text.splitlines()) if "%s;" in code)
        self.assertRegex(said, rf"kernel\.cu\({line}\)|at line {line}\b", "the caller's line is not named")

    def test_scopes_that_are_none(self):
        self.refused("os.on(7).getpid()", "not a scope of genesys")

    def test_orders_and_waits(self):
        self.refused("os.relaxed().write(1, memory, 1)", "a thread's own call is in strong order")
        self.refused("os.ticket().posted().close(0)", "waited for later (ticket) or never (posted)")
        self.refused("os.syscall(0, 0, memory, 1)", "takes integers only")

    def test_groups_that_are_scopes(self):
        status, said = self.compiled("""
            auto all = cg::this_thread_block();
            os.on(all).getpid(), os.on(cg::tiled_partition<8>(all)).getpid();
            os.on(cg::tiled_partition<1>(all)).getpid();
            os.on(cg::this_grid()).relaxed().write(1, memory, 1);
            os.on(cg::coalesced_threads()).relaxed().write(1, memory, 1), os.on(cg::this_thread()).getpid();
            long fd = 0;
            int n;
            os.on(all).ioctl<FIONREAD>(fd, &n)""")
        self.assertEqual(status, 0, said)

    def test_large_tiles(self):
        self.refused("os.on(cg::tiled_partition<64>(cg::this_thread_block())).getpid()",
                     "a tile of more than 32 threads is no scope")

    def test_grids_in_strong_order(self):
        self.refused("os.on(cg::this_grid()).write(1, memory, 1)", "in relaxed order only")

    def test_groups_of_any_kind(self):
        self.refused("cg::thread_group any = cg::this_thread_block(); os.on(any).getpid()", "not a scope of genesys")

    def test_old_standards_and_gpus(self):
        for options, sentence in ((("-std=c++17", "-arch=sm_80"), "genesys needs C++20"),
                                  (("-std=c++20", "-arch=sm_75"), "genesys needs a GPU from sm_80 on")):
            status, said = self.compiled("", options=options)
            self.assertNotEqual(status, 0, "it compiled")
            self.assertIn(sentence, said)
            self.assertEqual(said.count("error:"), 2, said)

    def test_host_functions_in_kernels(self):
        words = "from a __host__ __device__ function"
        self.refused("*memory = os.getpid() + host_function(1)", f'a __host__ function("host_function(long)") {words}',
                     HOST_CALL_SOURCE)
        self.refused("*memory = os.getpid() + host_constexpr(1)", "--expt-relaxed-constexpr", HOST_CALL_SOURCE)
        status, said = self.compiled("*memory = os.getpid() + indirect<host_only>{}(1)", HOST_CALL_SOURCE)
        self.assertNotEqual(status, 0, "it compiled")
        self.assertIn(f"a __host__ function {words}", said)

    def test_errno_of_the_host_in_kernels(self):
        body = "errno = 0; *memory = os.getpid() + errno"
        status, said = self.compiled(body, HOST_CALL_SOURCE, until="-cubin")
        self.assertNotEqual(status, 0, "it compiled")
        self.assertIn("errno_needs_genesys_posix", said)
        with_library = "#include <genesys/posix.h>\n" + HOST_CALL_SOURCE
        self.assertEqual(self.compiled(body, with_library, until="-cubin"), (0, ""))

    def test_the_program_of_the_page(self):
        self.assertEqual(self.compiled("", LIBRARY_PROGRAM.replace("%", "%%") + "%s"), (0, ""))

    def test_static_variables_of_ported_sources(self):
        self.assertEqual(self.compiled("return next(1)", PORTED_SOURCE), (0, ""))
        status, said = self.compiled("static int calls = 0; return calls = next(calls)", PORTED_SOURCE)
        self.assertNotEqual(status, 0, "it compiled")
        self.assertIn('error: attribute "__host__" does not apply here', said)

    def test_context_stays_in_registers(self):
        """Each look at a completion slot empties the cache that local memory is in."""
        for calls in ("os", "os.on(genesys::warp())", "os.on(genesys::block())"):
            body = f"const auto& calls = {calls}; for (long at = 0; at >= 0;) at += calls.pread64(0, memory, at, at)"
            with tempfile.NamedTemporaryFile(suffix=".ptx") as ptx:
                self.assertEqual(self.compiled(body, into=ptx.name), (0, ""))
                kernel = pathlib.Path(ptx.name).read_text().partition(".entry")[2].partition("\n}\n")[0]
            self.assertLess(kernel.count("ld.local"), 60, calls)

    def test_constant_lengths_leave_code_out(self):
        """A call that is too short for two pieces has no code for pieces, if the compiler knows the length."""
        lengths = (("8", False), ("at % 4096", False), ("131057", False), ("131058", True), ("at", True))
        for calls in ("os", "os.on(genesys::block())"):
            for count, has_pieces in lengths:
                body = f"const auto& calls = {calls}; for (unsigned long at = 0; at < 9999;) " \
                       f"at += calls.pread64(0, memory, {count}, at)"
                with tempfile.NamedTemporaryFile(suffix=".ptx") as ptx:
                    self.assertEqual(self.compiled(body, into=ptx.name), (0, ""))
                    self.assertEqual("9call_rest" in pathlib.Path(ptx.name).read_text(), has_pieces, (calls, count))

    def test_lambdas(self):
        with_lambdas = ("-std=c++20", "-arch=sm_80", "--extended-lambda")
        self.assertEqual(self.compiled(LAMBDA, LAMBDA_SOURCE, with_lambdas), (0, ""))
        status, said = self.compiled(LAMBDA, LAMBDA_SOURCE)
        self.assertNotEqual(status, 0, "it compiled")
        self.assertIn("requires --extended-lambda", said)
        status, said = self.compiled(LAMBDA.replace("GENESYS_LAMBDA", ""), LAMBDA_SOURCE, with_lambdas)
        self.assertNotEqual(status, 0, "it compiled")
        self.assertIn("The closure type for a lambda", said)

    def test_host_functions_on_the_host(self):
        status, said = self.compiled("*memory = twice(os.getpid())", HOST_CALL_SOURCE)
        self.assertEqual((status, said), (0, ""))


def run_one(test):
    result = unittest.TestResult()
    test.run(result)
    return result


def run_all():
    """Like unittest.main, but runs several tests at a time, because each waits for a compiler."""
    loader, started = unittest.defaultTestLoader, time.monotonic()
    precompile()
    tests = [test for case in (Compile, CompileCuda) for test in loader.loadTestsFromTestCase(case)]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(run_one, tests))
    wrong = [one for result in results for one in result.failures + result.errors]
    for test, trace in wrong:
        print(f"FAIL: {test}\n{trace}", file=sys.stderr)
    skipped = sum(len(result.skipped) for result in results)
    print(f"Ran {len(tests)} tests in {time.monotonic() - started:.3f}s\n", file=sys.stderr)
    if wrong:
        print(f"FAILED (failures={len(wrong)})", file=sys.stderr)
    else:
        print("OK" + (f" (skipped={skipped})" if skipped else ""), file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(run_all())
