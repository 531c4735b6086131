# SPDX-License-Identifier: Apache-2.0
# ./dev demo: installs what is missing, builds samples/grep, and searches files from a kernel. Sourced by dev.

demo() {
  local words=build/demo-words.txt tree=/usr/include here needs=(g++ cmake ninja-build)
  # With a GPU the build may leave out the CPU device.
  if ! command -v nvcc >/dev/null || ! timeout 60 nvidia-smi -L >/dev/null 2>&1; then needs+=(libboost-context-dev); fi
  set_up "${needs[@]}"
  here=$(pwd)
  cd "$root"
  [ -n "$(ls /usr/include/linux 2>/dev/null)" ] || tree=.
  echo "== Building samples/grep"
  configure release
  build release grep </dev/null
  printf '%s\n' IORING_SETUP_SQPOLL getdents64 sched_getcpu >"$words"
  echo
  echo "== A kernel searches $tree, by its own openat, fstat, pread64, write and close"
  echo "\$ cat $words"
  cat "$words"
  echo "\$ ./dev run grep -F -l --stats -f $words $tree"
  timeout 300 ./dev run grep -F -l --stats -f "$words" "$tree" </dev/null
  echo
  echo "== The same by GNU grep"
  echo "\$ grep -r -F -l -f $words $tree"
  if diff <(timeout 300 ./dev run grep -F -l -f "$words" "$tree" </dev/null | LC_ALL=C sort) \
    <(LC_ALL=C timeout 300 grep -r -F -l -f "$words" "$tree" </dev/null | LC_ALL=C sort); then
    echo "names the same files"
  else
    echo "dev: GNU grep names other files" >&2
    return 1
  fi
  cd "$here"
}
