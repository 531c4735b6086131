// SPDX-License-Identifier: Apache-2.0
// workloads.ptx in a program, so that it runs where there is no compiler.
__asm__(
    ".section .rodata\n"
    ".global genesys_workloads_ptx\n"
    "genesys_workloads_ptx:\n"
    ".incbin \"" GENESYS_WORKLOADS_PTX
    "\"\n"
    ".byte 0\n"
    ".previous\n");
