// SPDX-License-Identifier: Apache-2.0
//
// completion_slots.pml: two warps of two lanes claim completion slots (C1), also in several groups, publish their
// requests, get their completions and release the slots (C6). The queue is abstract. Warp 1 first calls with its
// second lane only. A warp publishes when all its lanes have slots. That needs as many groups as warps, GROUPS=2.
// (Fewer would do if each lane went on with its own slot, PUBLISH_APART, and held no sequence number meanwhile.)
//
// A completion is two words, of which the host writes the data first. A lane's look loads both, in any order, and takes
// them only if both have the phase that it waits for. Calls of odd ordinals have inline data; the host writes the
// phase into the data word of every completion. Mutants: the lane compares only the word's phase (M_WORD_ONLY); the
// host writes the data word, and the lane compares its phase, only for calls with inline data (M_DATA_IF_ASKED).

#ifndef GROUPS
#define GROUPS 2
#endif
#ifndef CALLS
#define CALLS 3
#endif
#define COMPLETION_SLOTS (GROUPS * 2)

byte claimed[GROUPS], phase_of[GROUPS];  // one word of device memory
typedef completion_slot_t { bit phase; byte value; bit data_phase; byte data }
completion_slot_t completion_slot[COMPLETION_SLOTS];
byte pending[COMPLETION_SLOTS];  // published request: its name, 0 for none
bit  pending_phase[COMPLETION_SLOTS];

#define name_of(w, o, l) (1 + ((w) * CALLS + (o)) * 2 + (l))
#define has_data(name)   ((((name) - 1) / 2) % CALLS % 2 == 1)
#ifdef M_WORD_ONLY
#define both_have(l) (seen_phase[l] != my_phase[l])
#elif defined(M_DATA_IF_ASKED)
#define both_have(l) (seen_phase[l] != my_phase[l] && \
                      (!has_data(name_of(w, ordinal, l)) || seen_data_phase[l] != my_phase[l]))
#else
#define both_have(l) (seen_phase[l] != my_phase[l] && seen_data_phase[l] != my_phase[l])
#endif

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
#ifdef M_DATA_IF_ASKED
    if
    :: !has_data(pending[i]) -> goto write_word
    :: else
    fi;
#endif
    atomic { completion_slot[i].data_phase = 1 - pending_phase[i]; completion_slot[i].data = pending[i] }  // S6
write_word:
    atomic {  // S6
        completion_slot[i].phase = 1 - pending_phase[i]; completion_slot[i].value = pending[i]; pending[i] = 0; i = 0;
        goto end }
}

// C5 of lane l: loads of the word and of the data, in any order, and then C6. (A look before there is a word is left
// out.) Bits of `looked`: what the look has loaded.
inline look(l, word_bit, data_bit)
{
    if
    :: d_step { (live & (1 << l)) && !(looked & word_bit) && completion_slot[my_slot[l]].phase != my_phase[l] ->
           seen_phase[l] = completion_slot[my_slot[l]].phase; seen_value[l] = completion_slot[my_slot[l]].value;
           looked = looked | word_bit }
    :: d_step { (live & (1 << l)) && !(looked & data_bit) ->
           seen_data_phase[l] = completion_slot[my_slot[l]].data_phase; seen_data[l] = completion_slot[my_slot[l]].data;
           looked = looked | data_bit }
    :: d_step { (looked & (word_bit | data_bit)) == (word_bit | data_bit) ->
           looked = looked & ~(word_bit | data_bit);
           if
           :: both_have(l) ->
               assert(seen_value[l] == name_of(w, ordinal, l));
               assert(!has_data(name_of(w, ordinal, l)) || seen_data[l] == name_of(w, ordinal, l));
               live = live & ~(1 << l);
               claimed[my_slot[l] / 2] = claimed[my_slot[l] / 2] ^ (1 << l);  // C6: fetch_xor
               phase_of[my_slot[l] / 2] = phase_of[my_slot[l] / 2] ^ (1 << l)
           :: else
           fi;
           seen_phase[l] = 0; seen_value[l] = 0; seen_data_phase[l] = 0; seen_data[l] = 0 }
    fi
}

proctype warp(byte w)
{
    byte ordinal, need, have, g, got, live, looked;
    byte my_slot[2];
    bit  my_phase[2];
    bit  seen_phase[2], seen_data_phase[2];
    byte seen_value[2], seen_data[2];
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
        :: look(0, 1, 4)
        :: look(1, 2, 8)
        od;
        ordinal++
    :: else -> break
    od
}

init { atomic { run host(); run warp(0); run warp(1) } }
