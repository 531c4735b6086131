# SPDX-License-Identifier: Apache-2.0
# ./dev gpu-test [--full] [--binaries DIR]: the tests that need a CUDA GPU. Needs no network, installs nothing. Sourced
# by dev, which sets `full` and `binaries`. With --binaries nothing is built here, and no compiler is needed: DIR is the
# folder bin/ of a build of the preset gpu, made on another machine.

test_gpu() {
  local fewer=() executor started bin=${binaries:-build/gpu/bin} litmus name limit_s=400
  for name in python3 $([ -n "$binaries" ] || echo nvcc g++ cmake ninja); do
    command -v "$name" >/dev/null || {
      echo "dev: gpu-test needs $name, and installs nothing" >&2
      exit 1
    }
  done
  if [ ! -e /dev/nvidiactl ] && [ ! -e /dev/dxg ] && [ -z "$(gpu_query name)" ]; then
    echo "dev: there is no NVIDIA GPU here (no /dev/nvidiactl, and nvidia-smi names none)" >&2
    exit 1
  fi
  trap stop_step INT TERM
  cd "$root"
  started=$(tenths_now)
  if [ -n "$full" ]; then
    limit_s=1800
    export GENESYS_TEST_FULL=1
  fi
  gpu_describe
  if build_for_gpu; then
    export GENESYS_DEVICE=cuda
    for name in contract attack oracle faults stress schedule_abort scheduler service service_loading service_isolated \
      services service_daemon libc; do
      if [ -x "$bin/genesys_${name}_tests" ]; then
        step "${name^} tests on the GPU" gtest "$limit_s" "$bin/genesys_${name}_tests" --gtest_color=no || true
      fi
    done
    [ -n "$full" ] || fewer=(--gtest_filter=-Each*)  # one executor in each call mode
    for executor in uring direct; do
      for name in contract attack stress ${full:+oracle}; do
        if [ -x "$bin/genesys_${name}_tests" ]; then
          GENESYS_EXECUTOR=$executor step "${name^} tests on the GPU, executor $executor" gtest "$limit_s" \
            "$bin/genesys_${name}_tests" --gtest_color=no "${fewer[@]}" || true
        fi
      done
    done
    for litmus in "$bin"/litmus/*; do
      if [ -x "$litmus" ]; then
        step "Litmus test ${litmus##*/}" counts "$limit_s" "$litmus" ${full:+--full} || true
      fi
    done
    if [ -x "$bin/assertions/violations" ]; then
      step "Assertions find violations on the GPU" counts "$limit_s" "$bin/assertions/violations" || true
    fi
    if [ -f tests/e2e/grep_test.py ] && [ -x "$bin/grep" ]; then
      step "grep, end to end, on the GPU" counts "$((limit_s * 2))" \
        python3 tests/e2e/grep_test.py --grep "$bin/grep" --device cuda ${full:+--full} || true
      step "release, end to end, on the GPU" counts 120 python3 tests/e2e/release_test.py "$bin/release" || true
      step "Small samples, end to end, on the GPU" unittest "$limit_s" \
        python3 tests/e2e/samples_test.py "$bin" cuda || true
      step "Applications, on the GPU" unittest 300 python3 tests/e2e/applications_test.py "$bin" cuda || true
      if [ -x "$bin/genesys" ]; then
        step "genesys trace, on the GPU" unittest 120 \
          env GENESYS_DEVICE=cuda python3 tests/e2e/trace_test.py "$bin" || true
        step "genesys trace -p, --live; metrics, on the GPU" unittest 180 \
          env GENESYS_DEVICE=cuda python3 tests/e2e/trace_attach_test.py "$bin" || true
      fi
      step "Without a usable driver" unittest 120 python3 tests/e2e/driver_test.py "$bin/urgent" || true
    fi
    if [ -x "$bin/genesys" ] && [ -x "$bin/e2e/schedule_cases" ]; then
      step "genesys schedule run, on the GPU" unittest 300 python3 tests/e2e/schedule_gpu_test.py "$bin" || true
    fi
  fi
  echo
  echo "in $(seconds $(($(tenths_now) - started)))"
  sum_up
}

# Returns 0 if the programs are there.
build_for_gpu() {
  local arch
  if [ -n "$binaries" ]; then
    echo "== Programs of $binaries"
    return 0
  fi
  arch=$(gpu_query compute_cap | tr -d .)
  configure gpu -D "CMAKE_CUDA_ARCHITECTURES=${arch:-90}" -D "GENESYS_TEST_FULL_PRODUCT=${full:+ON}" \
    >/dev/null || exit 1
  build_step "Build (gpu, sm_${arch:-90})" gpu
}

# gpu_query FIELD: a field of the first GPU; empty if nvidia-smi does not report it.
gpu_query() { timeout 60 nvidia-smi --query-gpu="$1" --format=csv,noheader -i 0 2>/dev/null || true; }

gpu_describe() {
  local name release
  name=$(gpu_query name)
  release=$(nvcc --version 2>/dev/null | sed -n 's/.*release \([0-9.]*\).*/\1/p')
  if [ -n "$name" ]; then
    echo "== $name, driver $(gpu_query driver_version), CUDA ${release:-unknown}"
  else
    echo "== A GPU that nvidia-smi does not name, CUDA ${release:-unknown}"
  fi
}
