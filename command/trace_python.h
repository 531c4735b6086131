// SPDX-License-Identifier: Apache-2.0
// `genesys trace plot` and `genesys trace compare`: the Python package genesys_trace (folder python/), which this
// process becomes.
#pragma once

namespace genesys::command {

// Whether the word behind `genesys trace` is one of the two. A program of that name is traced with `--` in front.
bool is_in_python(const char* word);

// Becomes python3 with these words as the package's. Returns only if it cannot: 1, and the error is printed with how to
// install what is missing. `words` end with a null.
int run_python(char** words);

}  // namespace genesys::command
