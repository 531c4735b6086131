# SPDX-License-Identifier: Apache-2.0
"""The programs of tools/ports: where they come from, what changes in their sources, and how their tests run."""

from dataclasses import dataclass, field


@dataclass
class Test:
    """A test program: what `cc` compiles in the folder `cwd`, which is also where it runs. `baseline`: its expected
    output, where the program has one. The test's name is the name in the kernel."""
    name: str
    sources: str
    baseline: str = None


@dataclass
class Program:
    name: str
    address: str
    commit: str
    licence: str
    files: dict  # those that kernels have: name -> edits, {number of a line: edit}
    digest: str  # SHA-256 of these files, one after the other
    cwd: str
    tests: list = field(default_factory=list)


# An edit is a text, which replaces the line (None: the line is left out), or a pair: a part of the line and its
# replacement. A text of n lines counts as n.
def global_variable(kind, name, rest=""):
    return (f"GENESYS_PORTED_GLOBAL({kind}, {name}{', ' + rest if rest else ''})\n"
            f"#define {name} GENESYS_PORTED_VALUE({name})")


def static_variable(kind, name, rest):
    return f"GENESYS_PORTED_STATIC({kind}, {name}, {rest});"


SECTION = global_variable("char", "Prev_section", "[50]")
USER = global_variable("int", "User")
CALLS = static_variable("int", "u", "= 100")


def inih_test(name, options="", program="unittest"):
    return Test(name, f"../ini.c {' '.join('-DINI_' + each for each in options.split())} {program}.c",
                f"baseline_{name}.txt")


INIH = Program(
    "inih", "https://github.com/benhoyt/inih", "26254ee9de7681f8825433415443e7116ff24b98", "BSD-3-Clause",
    files={
        "ini.c": {148: ("= ini_", "= (char*)ini_")},
        "ini.h": {19: None, 186: None},
        "tests/unittest.c": {22: USER, 23: SECTION, 58: CALLS},
        "tests/unittest_alloc.c": {27: SECTION},
        "tests/unittest_string.c": {12: USER, 13: SECTION, 29: CALLS},
    },
    digest="183193d92753baaf855ee4dfa77e7a2d6acf80b24e36199ef1968c9e7e759dbb",
    cwd="tests",
    tests=[
        inih_test("multi"),
        inih_test("multi_max_line", "MAX_LINE=20"),
        inih_test("single", "ALLOW_MULTILINE=0"),
        inih_test("disallow_inline_comments", "ALLOW_INLINE_COMMENTS=0"),
        inih_test("stop_on_first_error", "STOP_ON_FIRST_ERROR=1"),
        inih_test("handler_lineno", "HANDLER_LINENO=1"),
        inih_test("heap", "USE_STACK=0"),
        inih_test("heap_max_line", "USE_STACK=0 MAX_LINE=20 INITIAL_ALLOC=20"),
        inih_test("heap_realloc", "USE_STACK=0 ALLOW_REALLOC=1 INITIAL_ALLOC=5"),
        inih_test("heap_realloc_max_line", "USE_STACK=0 MAX_LINE=20 ALLOW_REALLOC=1 INITIAL_ALLOC=5"),
        inih_test("call_handler_on_new_section", "CALL_HANDLER_ON_NEW_SECTION=1"),
        inih_test("allow_no_value", "ALLOW_NO_VALUE=1"),
        inih_test("string", "MAX_LINE=20", "unittest_string"),
        inih_test("heap_string", "USE_STACK=0 MAX_LINE=20 INITIAL_ALLOC=20", "unittest_string"),
        inih_test("alloc", "CUSTOM_ALLOCATOR=1 USE_STACK=0 ALLOW_REALLOC=1 INITIAL_ALLOC=12", "unittest_alloc"),
    ])


def jsmn_test(name, options=""):
    return Test(name, f"{options} tests.c".strip())


JSMN = Program(
    "jsmn", "https://github.com/zserge/jsmn", "25647e692c7906b96ffd2b05ca54c097948e879c", "MIT",
    files={
        "jsmn.h": {30: None, 468: None},
        "test/test.h": {4: global_variable("int", "test_passed"), 5: global_variable("int", "test_failed")},
        "test/testutil.h": {},
        "test/tests.c": {},
    },
    digest="882546aaee5662cb67c065678f2b99390e7c5af035870b096030cc19146120ea",
    cwd="test",
    tests=[
        jsmn_test("test_default"),
        jsmn_test("test_strict", "-DJSMN_STRICT=1"),
        jsmn_test("test_links", "-DJSMN_PARENT_LINKS=1"),
        jsmn_test("test_strict_links", "-DJSMN_STRICT=1 -DJSMN_PARENT_LINKS=1"),
    ])

TINY_REGEX = Program(
    "tiny-regex-c", "https://github.com/kokke/tiny-regex-c", "f2632c6d9ed25272987471cdb8b70395c2460bdb", "Unlicense",
    files={
        "re.c": {
            114: static_variable("regex_t", "re_compiled", "[MAX_REGEXP_OBJECTS]"),
            115: static_variable("unsigned char", "ccl_buf", "[MAX_CHAR_CLASS_LEN]"),
        },
        "re.h": {40: None, 62: None},
        "tests/test1.c": {
            14: "GENESYS_PORTED_GLOBAL(char*, test_vector, [76][4] =",
            100: "})\n#define test_vector GENESYS_PORTED_VALUE(test_vector)",
            121: ("(int)", "(int)(long)"),
        },
        "tests/test_compile.c": {},
    },
    digest="a247e1bb09f42526c592c92c9dcf0af554d58e476866797a27968ee6ae308c7a",
    cwd=".",
    tests=[Test("test1", "-I. re.c tests/test1.c"), Test("test_compile", "-I. re.c tests/test_compile.c")])

PROGRAMS = [INIH, JSMN, TINY_REGEX]
