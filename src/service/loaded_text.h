// SPDX-License-Identifier: Apache-2.0
// PTX of services that are loaded, as text: what it says of a service, and how it is made ready for the link.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "genesys/detail/service/loadable.h"
#include "service/kernel_image.h"

namespace genesys::detail::services {

// The bytes of a variable that has an initializer of bytes; as many as it has, at most `bytes_max`.
std::optional<std::string> bytes_of_variable(std::string_view ptx, std::string_view name, std::size_t bytes_max);
bool has_function(std::string_view ptx, std::string_view name);

// The text with one function that others can call, by the name function_symbol(row). All else is local to it, so files
// with the same names, as two versions of one file, do not disturb each other.
std::string with_one_function(std::string_view ptx, std::string_view function, u32 row);
std::string function_symbol(u32 row);

// A text with the table of the functions' addresses, in the PTX version of `kernel`, another text.
std::string table_text(const std::vector<kernel_image::function>& functions, unsigned architecture,
                       std::string_view kernel);

}  // namespace genesys::detail::services
