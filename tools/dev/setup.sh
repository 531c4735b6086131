# SPDX-License-Identifier: Apache-2.0
# Finds the tools and libraries that builds and tests need; for demo and test, installs them. Sourced by dev.

# A need is met if the tool or library itself works, from any source. The package is only the way to get it on Debian.
have_header() { printf '#include <%s>\n' "$1" | timeout 60 g++ -x c++ -std=c++20 -fsyntax-only - >/dev/null 2>&1; }
have_library() { printf 'int main() {}\n' | timeout 60 g++ -x c++ - "-l$1" -o /dev/null >/dev/null 2>&1; }

has_libfuzzer() {
  printf 'extern "C" int LLVMFuzzerTestOneInput(const unsigned char *, unsigned long) { return 0; }\n' |
    timeout 60 clang++ -x c++ - -fsanitize=fuzzer,address,undefined -o /dev/null >/dev/null 2>&1
}

meets() {
  case $1 in
    libssl-dev) have_header openssl/evp.h && have_library crypto ;;
    libisal-dev) have_header isa-l.h && have_library isal ;;
    fio) command -v fio >/dev/null ;;
    nbdkit) command -v nbdkit >/dev/null ;;
    nbdkit-plugin-dev) have_header nbdkit-plugin.h ;;
    libnbd-bin) command -v nbdcopy >/dev/null ;;
    python3-libnbd) /usr/bin/python3 -c 'import nbd' 2>/dev/null ;;
    qemu-system-x86) command -v qemu-system-x86_64 >/dev/null ;;
    qemu-utils) command -v qemu-img >/dev/null ;;
    busybox-static) [ -x /usr/bin/busybox ] || [ -x /bin/busybox ] ;;
    kmod) command -v depmod >/dev/null ;;
    dmsetup | cpio | make) command -v "$1" >/dev/null ;;
    g++) command -v g++ >/dev/null && have_header cstdint ;;
    cmake) command -v cmake >/dev/null ;;
    ninja-build) command -v ninja >/dev/null ;;
    python3) command -v python3 >/dev/null ;;
    pkgconf) command -v pkg-config >/dev/null ;;
    spin) command -v spin >/dev/null ;;
    tmux) command -v tmux >/dev/null ;;
    strace) command -v strace >/dev/null ;;
    clang) command -v clang++ >/dev/null ;;
    libclang-rt-dev) has_libfuzzer ;;
    libboost-context-dev) have_header boost/context/detail/fcontext.hpp && have_library boost_context ;;
    libcli11-dev) have_header CLI/CLI.hpp ;;
    libncurses-dev) have_header ncurses.h ;;
    nlohmann-json3-dev) have_header nlohmann/json.hpp ;;
    liburing-dev) have_header liburing.h && have_library uring ;;
    libzstd-dev) have_header zstd.h && have_library zstd ;;
    libssl-dev) have_header openssl/evp.h && have_library crypto ;;
    memcached) [ -x /usr/bin/memcached ] ;;
    libisal-dev) have_header isa-l.h && have_library isal ;;
    liblz4-dev) have_header lz4.h && have_library lz4 ;;
    libgtest-dev) have_header gtest/gtest.h && have_library gtest ;;
    *) return 1 ;;
  esac
}

# missing PACKAGES...: prints the packages whose need is not met, one in each line.
missing() {
  local package
  for package in "$@"; do
    meets "$package" || printf '%s\n' "$package"
  done
}

# set_up PACKAGES...: installs missing packages if it runs as root and has apt-get; otherwise prints how to, and exits.
set_up() {
  local packages command
  packages=$(missing "$@" | tr '\n' ' ')
  packages=${packages% }
  [ -n "$packages" ] || return 0
  command="apt-get update && apt-get install -y --no-install-recommends $packages"
  if ! command -v apt-get >/dev/null; then
    echo "dev: missing, by their Debian names: $packages" >&2
    echo "dev: install these with your system's package manager, and start again" >&2
    exit 1
  fi
  if [ "$(id -u)" -ne 0 ]; then
    echo "dev: missing: $packages. Run this, and start again:" >&2
    echo "  sudo sh -c '$command'" >&2
    exit 1
  fi
  echo "== Setting up: $command"
  export DEBIAN_FRONTEND=noninteractive
  # shellcheck disable=SC2086  # each word is a package
  if ! { timeout 600 apt-get update -q && timeout 1800 apt-get install -q -y --no-install-recommends $packages; } \
    </dev/null; then
    echo "dev: the packages could not be installed" >&2
    exit 1
  fi
  packages=$(missing "$@" | tr '\n' ' ')
  if [ -n "$packages" ]; then
    echo "dev: installed, but still not found: $packages" >&2
    exit 1
  fi
}

# For commands that install nothing: checks what a build needs. One of the two devices is enough.
needs_compiler() {
  local lacking
  lacking=$(missing g++ cmake ninja-build | tr '\n' ' ')
  if ! command -v nvcc >/dev/null && [ -n "$(missing libboost-context-dev)" ]; then
    lacking="${lacking}libboost-context-dev"
  fi
  [ -n "$lacking" ] || return 0
  echo "dev: missing: $lacking. './dev demo' sets up what is needed, or run this:" >&2
  echo "  sudo sh -c 'apt-get update && apt-get install -y --no-install-recommends ${lacking% }'" >&2
  exit 1
}

# python_with NAME [PIP_OPTIONS...] PACKAGES==VERSIONS...: prints the Python of the virtual environment
# build/python/NAME, into which it installs these packages of PyPI, once. Returns 1 if they cannot be had.
python_with() {
  local folder=$root/build/python/$1 done_file
  shift
  done_file=$folder/has-$(printf '%s' "$*" | tr -cs 'A-Za-z0-9.' '-')
  if [ ! -e "$done_file" ]; then
    {
      [ -x "$folder/bin/pip" ] || timeout 120 python3 -m venv "$folder" || return 1
      timeout 300 "$folder/bin/pip" --disable-pip-version-check --retries 1 --timeout 10 install --only-binary :all: \
        "$@" || return 1
      touch "$done_file"
    } >/dev/null 2>&1 </dev/null
  fi
  printf '%s\n' "$folder/bin/python"
}
