// SPDX-License-Identifier: Apache-2.0
//
// completion_slots.pml: two warps of two lanes claim completion slots (C1), also in several groups, publish their
// requests, get their completions and release the slots (C6). The queue is abstract. Warp 1 first calls with its
// second lane only. A warp publishes when all its lanes have slots. That needs as many groups as warps, GROUPS=2.
// (Fewer would do if each lane went on with its own slot, PUBLISH_APART, and held no sequence number meanwhile.)

#ifndef GROUPS
#define GROUPS 2
#endif
#ifndef CALLS
#define CALLS 3
#endif
#define COMPLETION_SLOTS (GROUPS * 2)

byte claimed[GROUPS], phase_of[GROUPS];  // one word of device memory
typedef completion_slot_t { bit phase; byte value }
completion_slot_t completion_slot[COMPLETION_SLOTS];
byte pending[COMPLETION_SLOTS];  // published request: its name, 0 for none
bit  pending_phase[COMPLETION_SLOTS];

#define name_of(w, o, l) (1 + ((w) * CALLS + (o)) * 2 + (l))

proctype host()
{
    byte i;
end:
    do
    :: atomic { pending[0] -> i = 0; goto serve }
    :: atomic { pending[1] -> i = 1; goto serve }
#if GROUPS >= 2
    :: atomic { pending[2] -> i = 2; goto serve }
    :: atomic { pending[3] -> i = 3; goto serve }
#endif
    od;
serve:
    atomic {  // S6
        completion_slot[i].phase = 1 - pending_phase[i]; completion_slot[i].value = pending[i]; pending[i] = 0; i = 0;
        goto end }
}

proctype warp(byte w)
{
    byte ordinal, need, have, g, got, live, l;
    byte my_slot[2];
    bit  my_phase[2];
    do
    :: ordinal < CALLS ->
        need = (w == 1 && ordinal == 0 -> 2 : 3);
        do
        :: d_step { need == 0 && have == 0 && live == 0 ->
               g = 0; my_slot[0] = 0; my_slot[1] = 0; my_phase[0] = 0; my_phase[1] = 0 } -> break
        :: d_step { need != 0 && (claimed[g] & need) != need ->  // C1: fetch_or (a look that gets nothing is left out)
               got = need & ~claimed[g];
               claimed[g] = claimed[g] | need;
               if :: got & 1 -> my_slot[0] = g * 2;     my_phase[0] = phase_of[g] & 1 :: else fi;
               if :: got & 2 -> my_slot[1] = g * 2 + 1; my_phase[1] = (phase_of[g] >> 1) & 1 :: else fi;
               need = need & ~got; have = have | got; got = 0 }
#if GROUPS == 2
        :: d_step { need != 0 && (claimed[g] & need) == need && (claimed[1 - g] & need) != need ->
               g = 1 - g }  // C1: the next group
#endif
#ifdef PUBLISH_APART
        :: d_step { have != 0 ->  // C2..C4: the lanes that have their completion slot go on
#else
        :: d_step { need == 0 && have != 0 ->  // C2..C4: the warp has all its completion slots
#endif
               if
               :: have & 1 ->
                   pending[my_slot[0]] = name_of(w, ordinal, 0); pending_phase[my_slot[0]] = my_phase[0]
               :: else
               fi;
               if
               :: have & 2 ->
                   pending[my_slot[1]] = name_of(w, ordinal, 1); pending_phase[my_slot[1]] = my_phase[1]
               :: else
               fi;
               live = live | have; have = 0 }
        :: d_step { (live & 1) && completion_slot[my_slot[0]].phase != my_phase[0] ->  // C5
               assert(completion_slot[my_slot[0]].value == name_of(w, ordinal, 0));
               live = live & ~1;
               claimed[my_slot[0] / 2] = claimed[my_slot[0] / 2] ^ 1;  // C6: fetch_xor
               phase_of[my_slot[0] / 2] = phase_of[my_slot[0] / 2] ^ 1 }
        :: d_step { (live & 2) && completion_slot[my_slot[1]].phase != my_phase[1] ->  // C5
               assert(completion_slot[my_slot[1]].value == name_of(w, ordinal, 1));
               live = live & ~2;
               claimed[my_slot[1] / 2] = claimed[my_slot[1] / 2] ^ 2;  // C6
               phase_of[my_slot[1] / 2] = phase_of[my_slot[1] / 2] ^ 2 }
        od;
        ordinal++
    :: else -> break
    od
}

init { atomic { run host(); run warp(0); run warp(1) } }
