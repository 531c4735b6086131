// SPDX-License-Identifier: Apache-2.0
// The protocol: how a system call crosses from a kernel to the CPU and back through a submission queue. Freestanding,
// used by both sides on both devices. The calling side is detail/queue/, the serving side src/host/. models/ checks
// both, and docs/protocol.md names the function of each label.
//
// Memory. *Host block*: pinned memory that both sides address. The GPU may overwrite it, so the serving side reads each
// word once and checks it. *Device block*: device memory that only kernels access. *Private*: the host's own memory.
//
//   host block    slots[queue][slots]        requests, 64 bytes each; written by lanes, read by the queue's worker
//                 published_heads[queue]     how many requests were taken; written by the worker, read by lanes that
//                                            need space
//                 completion_slots[32 * groups]  completions, 16 bytes each; written by the worker, polled by one lane
//                 extras[32 * groups]        16 more bytes of some completions, written before the completion
//                 interrupt                  1: a kernel wakes the host, see queue/sequence.h
//                 seen, as many              when a recorded call's completion was seen; written by that lane
//                 returned[buffers / 64]     bits that the host flips when it returns a bounce buffer
//   device block  producers[queue]           tail, and the last known head
//                 claims[groups]             {phase : 32 | claimed : 32}: which slots of a completion group are owned
//                 first_looks[groups][16]    when lanes look first for a completion: a hint
//                 ended                      1: no worker serves
//                 ranges, grids              known addresses, calls of grids
//   private       cursor[queue]              {epoch : 12 | head : 52}: the queue's owner, and the next request
//
// A call. (C: calling side, S: serving side.)
//   C1 Claim a completion slot: set its bit in `claimed`. If the bit was set before, another lane owns the slot. The
//      same operation reads the slot's phase; the completion will have the other phase.
//   C2 Choose a queue that has space, or the one in the hint.   C3 If it still has space, reserve sequence numbers:
//      tail -> tail + lanes.
//   C4 Fence; then store the words of the slot, in any order, each with the tag of the sequence number. Pairs of
//      arguments that are zero are left out, except in every eighth generation of the slot.
//   C5 Poll the completion slot until both its words have the other phase.
//   C6 Release: flip the phase and clear the claim, in one operation.
//   With a ticket, C1 claims a slot of the tickets' groups, and C5 and C6 come at the wait. A posted call has no slot,
//   and thus no C1, C5, C6, nor the store of S6. Each ticket's slot has one queue, through which all its requests and
//   all dependents of its calls go. The host holds a dependent until the slot has the completion (F1 to F5,
//   src/host/dependent_calls.h).
//   S1 Read the cursor, and of the slot at head the last word, which names the other words that are written, and these
//      words; all tags must be those of head.   S2 Keep the words in private memory.
//   S3 Cursor: head -> head + 1, if the epoch is still the worker's.   S4 Published head = head + 1.
//   S5 Make the call.   S6 Store the extra words, the completion's data, and then its word.
//
// Invariants.
//   I1 A lane reserves number t, and writes its slot, only after it has seen a published head > t - slots: a worker has
//      taken the slot's last request (S3). Between C3 and C4 no lane waits for space, so a lane that is suspended does
//      not hold a number that others need.
//   I2 8 bytes arrive whole or not at all; two words arrive in any order. So each word carries the tag, and a request
//      is complete when all words that it names are. A word never shows an older generation after a newer one
//      (coherence). It is at most eight generations old, because each eighth generation is written whole, and the
//      worker waits for all its words. So tags must distinguish nine generations; they distinguish sixteen.
//   I3 Exactly one worker takes a request: the one whose exchange S3 succeeds. A worker whose exchange fails drops what
//      it has read, and the queue too if its epoch is over.
//   I4 A completion slot has one owner from C1 to C6. In between, one completion is written, with the phase that the
//      slot did not have. There are as many groups as resident warps, and a lane owns one slot of them at a time, so a
//      lane that looks for a slot finds one. Tickets have their own groups, the same number for each warp; a lane that
//      finds none free there gets -EAGAIN.
//   I5 The published head may lag. It may also go back for a moment, when a worker that has lost the queue stores late
//      (S4); a worker that finds no request repairs it. Lanes use the highest value that they saw, and look again while
//      they wait.
#pragma once

#include "genesys/detail/wire/completion.h"
#include "genesys/detail/wire/device_context.h"
#include "genesys/detail/wire/request.h"
