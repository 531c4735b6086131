#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Compiles the kernels of this folder to the PTX that is kept beside them. Needs nvcc 13; the tests need the PTX only.
set -eu
cd "$(dirname "$0")"
for source in *.cu; do
  ptx=${source%.cu}.ptx
  "${NVCC:-nvcc}" -arch=sm_90 -ptx -std=c++20 "$source" -o "$ptx"
  # As the project's other files: no tabs, no white space at the end of a line.
  sed -i -e 's/\t/ /g' -e 's/ *$//' -e '/^$/d' "$ptx"
done
rm -f small.ptx
for how in "plain -no-compress" "lz4 -Xfatbin -compress-mode=speed" "zstd -Xfatbin -compress-mode=balance"; do
  # shellcheck disable=SC2086  # the options are words
  "${NVCC:-nvcc}" -gencode arch=compute_90,code=[sm_90,compute_90] ${how#* } --fatbin small.cu -o small.fatbin
  xxd -p small.fatbin >"small.${how%% *}.hex"
done
rm -f small.fatbin
