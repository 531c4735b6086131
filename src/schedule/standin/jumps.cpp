// SPDX-License-Identifier: Apache-2.0
// Assembly for x86-64: the exported functions, and code that calls C++ between the program and the real library. An
// exported function is a load of its table entry and a jump, so the callee sees the program's registers and stack. How
// many arguments it has, and of which types, does not matter.
#include "schedule/standin/jumps.h"

#if !defined(__x86_64__) || !defined(__linux__)
#error "the stand-in for the driver's library is for Linux on x86-64"
#endif

// The integer registers of arguments are saved in their order, so that raw_arguments can read them. The table has no
// function with arguments in vector registers that is ordered, but the first call of any function saves all.
asm(R"(
  .hidden genesys_standin_table
  .hidden genesys_standin_exports
  .hidden genesys_standin_ordered_jumps
  .hidden genesys_standin_bind
  .hidden genesys_standin_ordered

  .macro genesys_export name
    .globl \name
    .type \name, @function
    .p2align 4
  \name:
    .cfi_startproc
    endbr64
    jmp *genesys_standin_table+8*genesys_number(%rip)
    .cfi_endproc
    .size \name, .-\name
    .set genesys_number, genesys_number+1
  .endm

  .macro genesys_numbered_jump to
    .p2align 4
    .cfi_startproc
    endbr64
    push $genesys_number
    .cfi_adjust_cfa_offset 8
    jmp \to
    .cfi_endproc
    .set genesys_number, genesys_number+1
  .endm

  .macro genesys_call_between function
    .cfi_startproc
    .cfi_def_cfa_offset 16
    push %r9
    .cfi_adjust_cfa_offset 8
    push %r8
    .cfi_adjust_cfa_offset 8
    push %rcx
    .cfi_adjust_cfa_offset 8
    push %rdx
    .cfi_adjust_cfa_offset 8
    push %rsi
    .cfi_adjust_cfa_offset 8
    push %rdi
    .cfi_adjust_cfa_offset 8
    mov %rsp, %rsi
    sub $128, %rsp
    .cfi_adjust_cfa_offset 128
    movups %xmm0, (%rsp)
    movups %xmm1, 16(%rsp)
    movups %xmm2, 32(%rsp)
    movups %xmm3, 48(%rsp)
    movups %xmm4, 64(%rsp)
    movups %xmm5, 80(%rsp)
    movups %xmm6, 96(%rsp)
    movups %xmm7, 112(%rsp)
    mov 48(%rsi), %edi
    call \function
    mov %rax, %r11
    movups (%rsp), %xmm0
    movups 16(%rsp), %xmm1
    movups 32(%rsp), %xmm2
    movups 48(%rsp), %xmm3
    movups 64(%rsp), %xmm4
    movups 80(%rsp), %xmm5
    movups 96(%rsp), %xmm6
    movups 112(%rsp), %xmm7
    add $128, %rsp
    .cfi_adjust_cfa_offset -128
    pop %rdi
    .cfi_adjust_cfa_offset -8
    pop %rsi
    .cfi_adjust_cfa_offset -8
    pop %rdx
    .cfi_adjust_cfa_offset -8
    pop %rcx
    .cfi_adjust_cfa_offset -8
    pop %r8
    .cfi_adjust_cfa_offset -8
    pop %r9
    .cfi_adjust_cfa_offset -8
    add $8, %rsp
    .cfi_adjust_cfa_offset -8
    jmp *%r11
    .cfi_endproc
  .endm

  .text
  .globl genesys_standin_exports
  .p2align 4
genesys_standin_exports:
  .set genesys_number, 0
)"
#define DRIVER_FUNCTION(name, order, argument) "genesys_export " #name "\n"
#include "schedule/standin/functions.inc"
#undef DRIVER_FUNCTION
    R"(
  .set genesys_count, genesys_number

genesys_standin_call_bind:
  genesys_call_between genesys_standin_bind
genesys_standin_call_ordered:
  genesys_call_between genesys_standin_ordered

  .p2align 4
genesys_standin_first_jumps:
  .set genesys_number, 0
  .rept genesys_count
    genesys_numbered_jump genesys_standin_call_bind
  .endr

  .globl genesys_standin_ordered_jumps
  .p2align 4
genesys_standin_ordered_jumps:
  .set genesys_number, 0
  .rept genesys_count
    genesys_numbered_jump genesys_standin_call_ordered
  .endr

  .data
  .globl genesys_standin_table
  .p2align 6
genesys_standin_table:
  .set genesys_number, 0
  .rept genesys_count
    .quad genesys_standin_first_jumps+16*genesys_number
    .set genesys_number, genesys_number+1
  .endr
  .text
)");
