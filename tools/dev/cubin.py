# SPDX-License-Identifier: Apache-2.0
"""Reads the registers and the stack of a program's kernels, which ptxas stores for the driver, without tools of the
CUDA toolkit. It skips compressed device code (by default nvcc compresses only PTX). Imported by tools/dev/bench."""

import struct

MACHINE_CUDA = 190  # e_machine
ENTRY = 0x10  # bit of st_other: a kernel, not a function that a kernel calls
WITH_VALUES = 4  # a kind of item of .nv.info: kind, what, number of bytes that follow
REGISTERS, STACK = 0x2F, 0x12  # items: (symbol, value)


def resources(program):
    """{mangled name of a kernel: {"registers": N, "stack_bytes": N}}"""
    data = program.read_bytes()
    found, at = {}, data.find(b"\x7fELF", 4)
    while at >= 0:
        if data[at + 4] == 2 and struct.unpack_from("<H", data, at + 18)[0] == MACHINE_CUDA:
            found.update(of_cubin(memoryview(data)[at:]))
        at = data.find(b"\x7fELF", at + 4)
    return found


def of_cubin(elf):
    table, = struct.unpack_from("<Q", elf, 40)
    count, names_at = struct.unpack_from("<HH", elf, 60)
    headers = [struct.unpack_from("<IIQQQQIIQQ", elf, table + 64 * i) for i in range(count)]

    def text(section, offset):
        return bytes(elf[section[4] + offset:section[4] + section[5]]).partition(b"\0")[0].decode()

    sections = {text(headers[names_at], header[0]): header for header in headers}
    if ".nv.info" not in sections:
        return {}
    symbols, strings, info = (sections[name] for name in (".symtab", ".strtab", ".nv.info"))
    values = {REGISTERS: {}, STACK: {}}
    at, end = info[4], info[4] + info[5]
    while at < end:
        kind, what, size = struct.unpack_from("<BBH", elf, at)
        at += 4
        if kind == WITH_VALUES:
            if what in values:
                symbol, value = struct.unpack_from("<II", elf, at)
                values[what][symbol] = value
            at += size
    found = {}
    for symbol, registers in values[REGISTERS].items():
        name, _, other = struct.unpack_from("<IBB", elf, symbols[4] + 24 * symbol)
        if other & ENTRY:
            found[text(strings, name)] = {"registers": registers, "stack_bytes": values[STACK].get(symbol, 0)}
    return found
