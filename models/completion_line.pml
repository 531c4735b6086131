// SPDX-License-Identifier: Apache-2.0
//
// completion_line.pml: inline data of more than a completion holds (queue/completion_line.h). Two lanes on two
// multiprocessors own one completion slot in turn. The host writes both words of the line with the next tag, in any
// order, and then the completion with this tag. A lane that is alone loads the words and the completion in any order,
// and takes the words if both have the completion's tag; otherwise it loads them again. A lane that is not alone loads
// the words once it has the completion. The host may also complete without a line: the call has failed or is short, or
// must be made again.
//
// Each multiprocessor has a cache, from which it may load a word. The load of a completion goes to memory; it acquires,
// which empties the cache of all that was loaded before. There are TAGS tags instead of 256, so that they come again
// soon. Calls may be short: then they need the first word only.
//
// Mutants: the lane compares no tags (M_NO_TAGS); the host writes the completion first (M_COMPLETION_FIRST); the host
// writes only the words that the call needs (M_FEWER_WORDS); a lane that loads the words again leaves them in the cache
// (M_NO_FENCE); a lane takes the words that it has although the completion has no line (M_TAKE_ANYHOW).

#ifndef CALLS
#define CALLS 3
#endif
#ifndef TAGS
#define TAGS 2
#endif

#define name_of(lane, ordinal) (1 + (lane) * CALLS + (ordinal))

typedef word_t { byte tag; byte call }
word_t line[2];
word_t cached[4];  // of multiprocessor s: 2 * s, 2 * s + 1
bit in_cache[4];

bit owned, phase;  // the claim's word in device memory
bit completion_phase;
byte completion_tag, completion_call;
bit completion_lineless;
byte pending;      // published request: its name, 0 for none
bit pending_short;

inline write_completion()
{
    atomic {
        completion_phase = 1 - completion_phase; completion_tag = tag; completion_call = pending;
        completion_lineless = 0
    }
}

inline complete_without_line()
{
    atomic {
        completion_phase = 1 - completion_phase; completion_tag = 0; completion_call = pending;
        completion_lineless = 1; pending = 0
    }
}

inline write_word(i)
{
    atomic { line[i].tag = tag; line[i].call = pending }
}

proctype host()
{
    byte tag;
end:
    do
    :: pending -> complete_without_line()
    :: pending ->
        tag = (line[0].tag + 1) % TAGS;
#ifdef M_COMPLETION_FIRST
        write_completion();
#endif
        if
#ifdef M_FEWER_WORDS
        :: pending_short -> write_word(0)
        :: !pending_short -> write_word(0); write_word(1)
#else
        :: write_word(0); write_word(1)
        :: write_word(1); write_word(0)
#endif
        fi;
#ifndef M_COMPLETION_FIRST
        write_completion();
#endif
        pending = 0
    od
}

// From the cache, or from memory, which fills the cache.
inline load_word(i)
{
    atomic {
        if
        :: in_cache[2 * lane + i] -> got[i].tag = cached[2 * lane + i].tag; got[i].call = cached[2 * lane + i].call
        :: !in_cache[2 * lane + i] ->
            got[i].tag = line[i].tag; got[i].call = line[i].call;
            cached[2 * lane + i].tag = line[i].tag; cached[2 * lane + i].call = line[i].call;
            in_cache[2 * lane + i] = 1
        fi
    }
}

inline empty_cache()
{
    in_cache[2 * lane] = 0; in_cache[2 * lane + 1] = 0;
    cached[2 * lane].tag = 0; cached[2 * lane].call = 0; cached[2 * lane + 1].tag = 0; cached[2 * lane + 1].call = 0
}

inline load_completion()
{
    atomic {
        seen_phase = completion_phase; seen_tag = completion_tag; seen_call = completion_call;
        seen_lineless = completion_lineless
    }
}

#ifdef M_NO_TAGS
#define of_this_completion 1
#elif defined(M_FEWER_WORDS)
#define of_this_completion (got[0].tag == seen_tag && (is_short || got[1].tag == seen_tag))
#else
#define of_this_completion (got[0].tag == seen_tag && got[1].tag == seen_tag)
#endif

proctype caller(bit lane)
{
    byte ordinal, seen_tag, seen_call, looked;
    bit is_short, is_alone, my_phase, seen_phase, seen_lineless;
    word_t got[2];
    do
    :: ordinal == CALLS -> break
    :: ordinal < CALLS ->
        atomic { !owned -> owned = 1; my_phase = 1 - phase }  // C1
        if :: is_short = 0 :: is_short = 1 fi;
        if :: is_alone = 0 :: is_alone = 1 fi;
        atomic { pending = name_of(lane, ordinal); pending_short = is_short }  // C4
look:
        if
        :: is_alone ->
            looked = 0;
            do
            :: !(looked & 1) -> load_word(0); looked = looked | 1
            :: !(looked & 2) -> load_word(1); looked = looked | 2
            :: !(looked & 4) -> load_completion(); looked = looked | 4
            :: looked == 7 -> break
            od
        :: !is_alone -> load_completion()
        fi;
        atomic { empty_cache() }  // the acquire
        if
        :: seen_phase != my_phase -> goto look
        :: seen_phase == my_phase
        fi;
        assert(seen_call == name_of(lane, ordinal));
#ifdef M_TAKE_ANYHOW
        if :: seen_lineless && is_alone -> seen_lineless = 0; goto take :: else fi;
#endif
        if
        :: seen_lineless -> goto done
        :: !seen_lineless && is_alone && of_this_completion
        :: !seen_lineless && !(is_alone && of_this_completion) ->
            load_word(0);
            load_word(1);
#ifndef M_NO_FENCE
            atomic { empty_cache() }
#endif
        fi;
take:
        assert(got[0].call == name_of(lane, ordinal));
        assert(is_short || got[1].call == name_of(lane, ordinal));
done:
        atomic {  // C6
            phase = my_phase; owned = 0; my_phase = 0; seen_phase = 0; seen_tag = 0; seen_call = 0; looked = 0;
            seen_lineless = 0;
            got[0].tag = 0; got[0].call = 0; got[1].tag = 0; got[1].call = 0; ordinal++ }
    od
}

init { atomic { run host(); run caller(0); run caller(1) } }
