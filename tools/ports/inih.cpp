// SPDX-License-Identifier: Apache-2.0
// The test programs of inih as kernels, with the options that its tests/unittest.sh has.
#include "run.h"

#define PROGRAM "tests/unittest.c"
#define VARIANT multi
#include "inih_variant.h"
#define VARIANT multi_max_line
#define INI_MAX_LINE 20
#include "inih_variant.h"
#define VARIANT single
#define INI_ALLOW_MULTILINE 0
#include "inih_variant.h"
#define VARIANT disallow_inline_comments
#define INI_ALLOW_INLINE_COMMENTS 0
#include "inih_variant.h"
#define VARIANT stop_on_first_error
#define INI_STOP_ON_FIRST_ERROR 1
#include "inih_variant.h"
#define VARIANT handler_lineno
#define INI_HANDLER_LINENO 1
#include "inih_variant.h"
#define VARIANT heap
#define INI_USE_STACK 0
#include "inih_variant.h"
#define VARIANT heap_max_line
#define INI_USE_STACK 0
#define INI_MAX_LINE 20
#define INI_INITIAL_ALLOC 20
#include "inih_variant.h"
#define VARIANT heap_realloc
#define INI_USE_STACK 0
#define INI_ALLOW_REALLOC 1
#define INI_INITIAL_ALLOC 5
#include "inih_variant.h"
#define VARIANT heap_realloc_max_line
#define INI_USE_STACK 0
#define INI_MAX_LINE 20
#define INI_ALLOW_REALLOC 1
#define INI_INITIAL_ALLOC 5
#include "inih_variant.h"
#define VARIANT call_handler_on_new_section
#define INI_CALL_HANDLER_ON_NEW_SECTION 1
#include "inih_variant.h"
#define VARIANT allow_no_value
#define INI_ALLOW_NO_VALUE 1
#include "inih_variant.h"
#undef PROGRAM
#define PROGRAM "tests/unittest_string.c"
#define VARIANT string
#define INI_MAX_LINE 20
#include "inih_variant.h"
#define VARIANT heap_string
#define INI_USE_STACK 0
#define INI_MAX_LINE 20
#define INI_INITIAL_ALLOC 20
#include "inih_variant.h"
#undef PROGRAM
#define PROGRAM "tests/unittest_alloc.c"
#define VARIANT alloc
#define INI_CUSTOM_ALLOCATOR 1
#define INI_USE_STACK 0
#define INI_ALLOW_REALLOC 1
#define INI_INITIAL_ALLOC 12
#include "inih_variant.h"

#define EACH(do)                                                                                                                               \
  do                                                                                                                                           \
  (multi) do(multi_max_line) do(single) do(disallow_inline_comments) do(stop_on_first_error) do(handler_lineno) do(heap) do(heap_max_line) do( \
      heap_realloc) do(heap_realloc_max_line) do(call_handler_on_new_section) do(allow_no_value) do(string) do(heap_string) do(alloc)

struct programs {
#define NAME_OF(program) #program,
  static constexpr const char* names[] = {EACH(NAME_OF) nullptr};
  GENESYS_KERNEL static int run(int number) {
    int at = 0;
#define RUN(program) \
  if (number == at++) return program::ported_main();
    EACH(RUN)
    return 2;
  }
};

int main(int argc, char** argv) { return port_main<programs>(argc, argv); }
