# SPDX-License-Identifier: Apache-2.0
# ./dev bench [--cpu] [NAME] [ARGS...]: runs benches and keeps what they print in bench/results/. Sourced by dev.

bench_timeout_s=900

bench() {
  local device=cuda preset=release names=() name failed_names=() source
  if [ "${1-}" = --cpu ]; then
    device=cpu
    shift
  fi
  if [ $# -gt 0 ] && [ -f "$root/bench/$1.cpp" ]; then
    names=("$1")
    shift
  else
    for source in "$root"/bench/*.cpp; do
      [ ! -e "$source" ] || names+=("$(basename "$source" .cpp)")
    done
  fi
  if [ "$device" = cuda ]; then preset=gpu; fi
  configured "$preset" || exit 1
  mkdir -p "$root/bench/results"
  for name in "${names[@]}"; do
    if ! has_target "$preset" "bench_$name"; then
      echo "dev: bench $name is not built for the $device device" >&2
      continue
    fi
    quiet_build "$preset" "bench_$name" >&2 || exit 1
    bench_one "$name" "$@" || failed_names+=("$name")
  done
  [ ${#failed_names[@]} -eq 0 ] || {
    echo "dev: failed: ${failed_names[*]}" >&2
    return 1
  }
}

# bench_one NAME ARGS...: the result replaces the last one only if the bench went well.
bench_one() {
  local name=$1 result
  shift
  result=$root/bench/results/$name.$device.txt
  echo "== bench $name $* on $device"
  {
    bench_header "$name" "$@"
    GENESYS_DEVICE=$device timeout -k 10 "$bench_timeout_s" "$root/build/$preset/bin/bench/$name" "$@" </dev/null
  } | tee "$result.new" || return 1
  mv "$result.new" "$result"
}

# What each kernel of a program uses, as far as the toolkit can say.
bench_registers() {
  command -v cuobjdump >/dev/null || return 0
  timeout 120 cuobjdump --dump-resource-usage "$1" 2>/dev/null |
    awk '/^ *Function /{ name = $2; sub(/:$/, "", name) } /^ *REG:/{ print "# kernel:  " name "  " $1 " " $2 }' |
    c++filt || true
}

# The commit, and whether more than earlier figures differs from it.
bench_commit() {
  git -C "$root" rev-parse --short HEAD 2>/dev/null || echo unknown
  [ -z "$(git -C "$root" status --porcelain -uno -- ':!bench/results' 2>/dev/null)" ] || echo "-dirty"
}

# What a figure is worth nothing without.
bench_header() {
  echo "# ./dev bench $([ "$device" = cuda ] || echo "--cpu ")$*"
  echo "# date:    $(date -u +%Y-%m-%d)"
  echo "# commit:  $(bench_commit | tr -d '\n')"
  echo "# machine: $(sed -n 's/^model name.*: //p' /proc/cpuinfo | head -n 1), $(nproc) CPUs, Linux $(uname -r)"
  if [ "$device" = cuda ]; then
    echo "# gpu:     $(timeout 60 nvidia-smi --query-gpu=name,driver_version --format=csv,noheader -i 0 2>/dev/null)"
    echo "# nvcc:    $(nvcc --version | sed -n 's/.*release \(.*\)/\1/p')"
    bench_registers "$root/build/$preset/bin/bench/$1"
  fi
}
