# SPDX-License-Identifier: Apache-2.0
# Run at build time: writes a header with a digest of the classifier's and the rewriter's sources, which decide what a
# file of the cache holds. cmake -D FOLDER=src/schedule -D INTO=FILE -P digest.cmake
set(all "")
file(GLOB files "${FOLDER}/ptx/*" "${FOLDER}/classify/*" "${FOLDER}/rewrite/*" "${FOLDER}/cache/kernel_cache.*")
list(SORT files)
foreach(each IN LISTS files)
  file(SHA256 "${each}" one)
  string(APPEND all "${one}")
endforeach()
string(SHA256 digest "${all}")
file(WRITE "${INTO}"
  "#pragma once\nnamespace genesys::schedule {\ninline constexpr char genesys_rewriter_digest[] = \"${digest}\";\n}\n")
