# SPDX-License-Identifier: Apache-2.0
# Configures, builds and runs. Each preset has its folder, build/PRESET. Sourced by dev.

jobs_max=$(nproc)
build_timeout_s=3000

# configure PRESET [CMAKE ARGUMENTS...]: prints only what CMake decided about genesys, and errors.
configure() {
  local preset=$1 log=$root/build/$1-configure.log
  shift
  mkdir -p "$root/build"
  (cd "$root" && timeout 300 cmake --preset "$preset" "$@") >"$log" 2>&1 </dev/null || {
    cat "$log" >&2
    echo "dev: the preset '$preset' could not be configured" >&2
    return 1
  }
  grep -E '^-- genesys: ' "$log" | sed 's/^-- /   /' || true
}

# configured PRESET: configures the preset once; later ninja does so when a CMake file changes.
configured() { [ -f "$root/build/$1/build.ninja" ] || configure "$1"; }

# for_cuda PRESET [PROGRAM]: after ./dev test, has nvcc compile all programs again; if PROGRAM is given, only if it is
# none of the few that nvcc compiles for the tests.
for_cuda() {
  local few
  configured "$1" || return 1
  few=$(cached "$1" GENESYS_CUDA_PROGRAMS)
  [ -z "$few" ] || [[ ";$few;" == *";${2-};"* ]] || configure "$1" -D GENESYS_CUDA_PROGRAMS= >/dev/null
}

# build PRESET [TARGETS...]
build() {
  local preset=$1
  shift
  configured "$preset" || return 1
  timeout "$build_timeout_s" ninja -C "$root/build/$preset" -j "$jobs_max" "$@"
}

# has_target PRESET TARGET
has_target() { timeout 60 ninja -C "$root/build/$1" -t query "$2" >/dev/null 2>&1; }

# cached PRESET VARIABLE: its value in the preset's cache
cached() { sed -n "s/^$2:[A-Z]*=//p" "$root/build/$1/CMakeCache.txt"; }

# built_with_cuda PRESET
built_with_cuda() { grep -q 'WITH_CUDA TRUE' "$root/build/$1/genesys-config.cmake"; }

# The genesys command, the applications, samples and benches, by name.
programs() {
  local file
  echo genesys
  added_programs
  for file in "$root"/bench/*.cpp; do
    [ -e "$file" ] && basename "$file" .cpp
  done
  return 0
}

# The applications and samples: what their folders add.
added_programs() {
  sed -n 's/^genesys_add_program(\([a-z0-9-]*\).*/\1/p' "$root"/{applications,samples}/*/CMakeLists.txt
}

# is_bench NAME: each .cpp file right in bench/ is a bench
is_bench() { [[ $1 != */* && -f $root/bench/$1.cpp ]]; }

# run NAME ARGS...: builds the program if need be, and becomes it. Only the program writes to standard output. If all is
# up to date, dev prints nothing. (In the preset release the benches run on the CPU device only.)
run() {
  local name=$1 preset=${GENESYS_PRESET:-release} target binary
  shift
  if [ "$name" = genesys ]; then
    target=genesys_command binary=$root/build/$preset/bin/genesys
    configured "$preset" >&2 || exit 1
    has_target "$preset" "$target" || {
      echo "dev: the genesys command is not built without CLI11, nlohmann-json and ncurses (Debian: libcli11-dev" \
        "nlohmann-json3-dev libncurses-dev); install them, and remove build/$preset" >&2
      exit 1
    }
  elif added_programs | grep -qxF -e "$name"; then
    target=$name binary=$root/build/$preset/bin/$name
    for_cuda "$preset" "$name" >&2 || exit 1
  elif is_bench "$name"; then
    if [ -z "${GENESYS_PRESET-}" ] && command -v nvcc >/dev/null; then preset=gpu; fi
    target=bench_$name binary=$root/build/$preset/bin/bench/$name
  else
    wrong "there is no program '$name': $(programs | tr '\n' ' ')"
  fi
  quiet_build "$preset" "$target" >&2 || exit 1
  exec "$binary" "$@"
}

# quiet_build PRESET TARGET: prints only that it builds, and errors.
quiet_build() {
  local preset=$1 target=$2 log=$root/build/$1/dev-build.log
  mkdir -p "$root/build/$preset"
  # Prints one line when ninja's first line shows that there is work.
  build "$preset" "$target" 2>&1 </dev/null | tee "$log" |
    awk -v line="dev: building $target in build/$preset" \
      '/^\[[0-9]+\/[0-9]+\] [BL]/ && !said++ { print line; fflush() }' || {
    cat "$log"
    echo "dev: $target could not be built in build/$preset"
    return 1
  }
}
