// SPDX-License-Identifier: Apache-2.0
// jsmn with one set of options, and its tests: the namespace VARIANT. jsmn.cpp includes it for each set.

namespace VARIANT {
#include <genesys/shadow/begin.h>
#define JSMN_STATIC
GENESYS_PORTED int test_empty(), test_object(), test_array(), test_primitive(), test_string(), test_partial_string();
GENESYS_PORTED int test_partial_array(), test_array_nomem(), test_unquoted_keys(), test_input_length();
GENESYS_PORTED int test_issue_22(), test_issue_27(), test_count(), test_nonstrict(), test_unmatched_brackets();
GENESYS_PORTED int test_object_key(), ported_main();
// clang-format off
#include "test/tests.c"
// clang-format on
#include <genesys/shadow/end.h>
}  // namespace VARIANT

#undef JSMN_API
#undef JSMN_H
#undef JSMN_PARENT_LINKS
#undef JSMN_STATIC
#undef JSMN_STRICT
#undef VARIANT
#undef __TEST_H__
#undef __TEST_UTIL_H__
#undef check
#undef done
#undef fail
#undef test_failed
#undef test_passed
