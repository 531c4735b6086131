// SPDX-License-Identifier: Apache-2.0
// Keeps on disk what the classifier and the rewriter made of kernels, and what the driver learnt of their times. A file
// holds the whole text that it was made of, and what classifier and rewriter made it (a digest of their sources); it
// counts only if both are the same again. Compiled code is in the driver library's own cache, which knows it by its
// text. Any thread may call these.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "schedule/cache/cache_folder.h"
#include "schedule/policy/kernel_facts.h"
#include "schedule/rewrite/prepared_kernel.h"

namespace genesys::schedule {

// As prepare(), from the folder if it has it; otherwise the folder has it then. Null: no folder.
bool prepare_or_recall(const cache_folder* in, std::string_view text, std::string_view kernel, prepared_kernel& into);

// What a file holds, for the functions above and their tests. False: the bytes are no such kernel, of another text, or
// made by another classifier.
std::string packed_kernel(std::string_view text, const prepared_kernel& one);
bool unpack_kernel(std::string_view packed, std::string_view text, std::string_view kernel, prepared_kernel& into);

// Times of a kernel's launches of one shape, with arguments of one order of magnitude (driver/learnt_times.h).
struct kept_times {
  std::string kernel;
  std::uint64_t text_hash = 0;  // of its PTX; 0: machine code alone
  std::uint64_t blocks = 0, threads = 0, magnitudes = 0;
  kernel_times times;
};
inline constexpr std::size_t kept_times_max = 8'192;
// Of one GPU, as its description names it.
std::vector<kept_times> recall_times(const cache_folder& in, std::string_view gpu);
// Adds them to those that are there; the newest ones stay.
bool keep_times(const cache_folder& in, std::string_view gpu, const std::vector<kept_times>& more);

}  // namespace genesys::schedule
