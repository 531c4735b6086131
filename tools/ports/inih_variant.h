// SPDX-License-Identifier: Apache-2.0
// inih with one set of options, and one of its test programs: the namespace VARIANT. inih.cpp includes it for each set.

namespace VARIANT {
#include <genesys/shadow/begin.h>
#define INI_API GENESYS_PORTED
#include "ini.h"
GENESYS_PORTED void *ini_malloc(size_t), *ini_realloc(void*, size_t), ini_free(void*);
GENESYS_PORTED int dumper(void*, const char*, const char*, const char*);
GENESYS_PORTED int dumper(void*, const char*, const char*, const char*, int);
GENESYS_PORTED void parse(const char*), parse(const char*, const char*);
GENESYS_PORTED int ported_main();
// clang-format off
#include "ini.c"
#include PROGRAM
// clang-format on
#include <genesys/shadow/end.h>
}  // namespace VARIANT

#undef HANDLER
#undef INI_ALLOW_BOM
#undef INI_ALLOW_INLINE_COMMENTS
#undef INI_ALLOW_MULTILINE
#undef INI_ALLOW_NO_VALUE
#undef INI_ALLOW_REALLOC
#undef INI_API
#undef INI_CALL_HANDLER_ON_NEW_SECTION
#undef INI_CUSTOM_ALLOCATOR
#undef INI_H
#undef INI_HANDLER_LINENO
#undef INI_INITIAL_ALLOC
#undef INI_INLINE_COMMENT_PREFIXES
#undef INI_MAX_LINE
#undef INI_START_COMMENT_PREFIXES
#undef INI_STOP_ON_FIRST_ERROR
#undef INI_USE_STACK
#undef MAX_NAME
#undef MAX_SECTION
#undef Prev_section
#undef User
#undef VARIANT
#undef ini_free
#undef ini_malloc
#undef ini_realloc
