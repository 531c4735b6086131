// SPDX-License-Identifier: Apache-2.0
// Decompression of one LZ4 block (lz4's block format, version 1.6 of its description), as fatbins have it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace genesys::schedule {

// Nothing if the block is malformed, or does not give exactly `bytes`.
std::optional<std::string> unpack_lz4_block(std::string_view block, std::size_t bytes);

}  // namespace genesys::schedule
