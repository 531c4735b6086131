// SPDX-License-Identifier: Apache-2.0
//
// growth.pml: bounce buffers of a size become usable on demand (staging/bounce_buffers.h, memory/bounce_growth.h).
// Three lanes each want a buffer. One is usable at the start; the lane that has it keeps it until all others are done,
// so that they need more. A lane that finds none looks at the host's word and asks for more, unless a request is under
// way, or the host had no memory a moment ago. The host finds no memory FAILS times, and each time it says so. A ticket
// does not wait then.
//
// Checked: each lane ends; one request is under way at a time; a ticket gives up only if there was no memory.
//
// TELL_FIRST: the host tells before it gives the buffer. This is right, too: a lane that finds none looks again.
// Mutants: lanes never ask again after a refusal (M_NO_RETRY); the host does not tell that it has failed (M_SILENT);
// lanes do not compare when they ask (M_NO_COMPARE).

#define LANES 3
#ifndef FAILS
#define FAILS 1
#endif

byte free = 1;
byte usable = 1, finished;  // the host's word
bit refused;
byte seen_usable = 1, seen_finished;  // as a lane last saw it
bit seen_refused;
byte asked, pending, failed;
bit may_retry = 1;  // the time since the last attempt after a refusal
bit taken;  // a buffer was, so the next lane is not the first
byte done, given_up;

#ifdef M_NO_RETRY
#define can_retry 0
#else
#define can_retry may_retry
#endif
#define under_way(finished_then) (asked_before != finished_then)

proctype host()
{
    bit grows;
end:
    do
    :: pending > 0 ->
        assert(pending == 1);
        if
        :: failed < FAILS -> failed++; grows = 0
        :: else -> grows = 1
        fi;
#ifdef TELL_FIRST
        if :: grows -> atomic { usable++; finished++; refused = 0; pending = 0 }; free++
        :: !grows -> atomic { finished++; refused = 1; pending = 0 }
        fi
#else
        if :: grows -> free++ :: !grows fi;
#ifdef M_SILENT
        if :: !grows -> pending = 0; goto end :: grows fi;
#endif
        atomic { usable = usable + grows; finished++; refused = !grows; pending = 0 }
#endif
    od
}

proctype clock()
{
end:
    do :: !may_retry -> may_retry = 1 od
}

proctype lane(bit is_ticket)
{
    byte asked_before, searched;
    bit has, is_first;
look:
    searched = seen_usable;
    atomic { if :: free > 0 -> free--; has = 1; is_first = !taken; taken = 1 :: else fi };
    if :: has -> goto hold :: !has fi;
    asked_before = asked;
    if
    :: seen_usable <= searched && under_way(seen_finished) ->
        atomic { seen_usable = usable; seen_finished = finished; seen_refused = refused }
    :: else
    fi;
    if
    :: seen_usable > searched -> goto look
    :: seen_usable <= searched && under_way(seen_finished) ->
        // waits for what may change its mind
        (free > 0 || finished != seen_finished || seen_usable > searched || !under_way(seen_finished) ||
            asked != asked_before);
        goto look
    :: else
    fi;
    if
    :: seen_refused ->
        if
        :: atomic { can_retry -> may_retry = 0 }
        :: else ->
            if
            :: is_ticket -> assert(failed > 0); given_up++; goto leave
            :: !is_ticket -> (free > 0 || can_retry || asked != asked_before || seen_usable > searched); goto look
            fi
        fi
    :: !seen_refused
    fi;
#ifdef M_NO_COMPARE
    asked = asked_before + 1; pending++;
#else
    atomic { if :: asked == asked_before -> asked++; pending++ :: else fi };
#endif
    goto look;
hold:
    if
    :: is_first -> (done + given_up == LANES - 1)
    :: !is_first
    fi;
    free++;
leave:
    atomic { done = done + has; has = 0; asked_before = 0; searched = 0 }
}

init
{
    atomic { run host(); run clock(); run lane(0); run lane(0); run lane(1) }
}
