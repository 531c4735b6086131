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

struct programs {
  static constexpr const char* names[] = {"multi",
                                          "multi_max_line",
                                          "single",
                                          "disallow_inline_comments",
                                          "stop_on_first_error",
                                          "handler_lineno",
                                          "heap",
                                          "heap_max_line",
                                          "heap_realloc",
                                          "heap_realloc_max_line",
                                          "call_handler_on_new_section",
                                          "allow_no_value",
                                          "string",
                                          "heap_string",
                                          "alloc",
                                          nullptr};
  GENESYS_KERNEL static int run(int number) {
    switch (number) {
      case 0:
        return multi::ported_main();
      case 1:
        return multi_max_line::ported_main();
      case 2:
        return single::ported_main();
      case 3:
        return disallow_inline_comments::ported_main();
      case 4:
        return stop_on_first_error::ported_main();
      case 5:
        return handler_lineno::ported_main();
      case 6:
        return heap::ported_main();
      case 7:
        return heap_max_line::ported_main();
      case 8:
        return heap_realloc::ported_main();
      case 9:
        return heap_realloc_max_line::ported_main();
      case 10:
        return call_handler_on_new_section::ported_main();
      case 11:
        return allow_no_value::ported_main();
      case 12:
        return string::ported_main();
      case 13:
        return heap_string::ported_main();
      case 14:
        return alloc::ported_main();
      default:
        return 2;
    }
  }
};

int main(int argc, char** argv) { return port_main<programs>(argc, argv); }
