// SPDX-License-Identifier: Apache-2.0
// Fatbins: the containers in which nvcc keeps PTX and machine code. NVIDIA does not document the format; this follows
// what nvcc 13 writes (tests/schedule/fatbin_test.cpp has one of each compression). Any bytes are accepted.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace genesys::schedule {

struct fatbin_entry {
  enum class kind { ptx, cubin, other };
  kind what = kind::other;
  unsigned architecture = 0;  // 90: sm_90
  std::string contents;       // decompressed; empty if there is a problem
  std::string problem;        // why the contents cannot be read; empty: they can
};

bool is_fatbin(std::string_view bytes);
// All entries of all containers, one after the other. A malformed container ends the list with an entry that says so.
std::vector<fatbin_entry> entries_of(std::string_view fatbins);
// The container that begins there, with its entries. Empty: there begins none. For images in memory, whose size only
// their header says.
std::string_view fatbin_at(const void* image);
// The same containers with their entries of PTX alone, compressed as they were. Empty: there are none.
std::string only_ptx(std::string_view fatbins);
// Those in the sections of a program or library.
std::vector<fatbin_entry> entries_of_program(std::string_view elf);
// The names of the kernels in a cubin.
std::vector<std::string> kernels_of_cubin(std::string_view cubin);

}  // namespace genesys::schedule
