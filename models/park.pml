// SPDX-License-Identifier: Apache-2.0
//
// park.pml: calls that may wait (P1 to P7), bounce buffers that others need meanwhile, and the end of the runtime (E1
// to E5). The queue is abstract: one request for each lane, dequeued whole. Completion slots keep their phase, so that
// a completion of another call is found.
//
// READERS lanes read one unit each from one pipe; one lane writes as many. With LINE it is a socket: of the parked
// calls epoll watches the first alone. With LIMIT the first reader may give up at any time. With LEFT the end cancels
// what is left in the queue. With KEEP so many calls that wait may keep their bounce buffers (parkable): the host makes
// such a call again itself. With LASTING the writer takes one of so many buffers, those of posted calls and of relaxed
// producers; calls that wait keep some of these. The graph has no cycle, so "no invalid end state" means that every
// call completes.

#ifdef M_COMPLETION_FOR_BLOCKED
#define END
#define M_NO_CLOSED
#define POLL_THEN_READ
#define NO_TRY
#define LATER_CALL 2
#endif
#ifndef READERS
#define READERS 2
#endif
#ifndef WORKERS
#define WORKERS 2
#endif
#ifndef BOUNCES
#define BOUNCES 1  // bounce buffers
#endif
#ifndef PARKED_MAX
#define PARKED_MAX READERS
#endif
#define WRITER  READERS
#define CALLERS (READERS + 1)

#define none 0
mtype = { read, last_read, wait, write, value, again, ready, again_errno, canceled };

mtype request[CALLERS];  // published, not taken yet
byte  ordinal_of[CALLERS];  // which call of this lane the request is
bit   phase_word[CALLERS];  // p
typedef completion_slot_t { bit phase; mtype result; byte ordinal }
completion_slot_t completion_slot[CALLERS];
bit   parked[CALLERS];
byte  parked_ordinal[CALLERS];
bit   parked_phase[CALLERS];
byte  parked_count;
#ifdef LINE
bool  watched;  // epoll watches the line of the socket; any call of it may be woken
#endif
byte  bounces = BOUNCES;
byte  units;  // in the pipe
byte  done;
bit   ending, closed;
bit   edge[CALLERS];  // M_EDGE: something was written after this call parked
#ifdef KEEP
byte  keeps_free = KEEP;
#ifdef LASTING
byte  lasting_free = LASTING;
#else
byte  lasting_free = BOUNCES;
#endif
bit   keeps[CALLERS];  // the call is parkable
bit   redo[CALLERS];  // what is parked is the call itself
#endif
bit   in_call[CALLERS];  // M_COMPLETION_FOR_BLOCKED: a worker is in S5 for this lane

inline completion(to, p_, o_, what)  // S6
{
    d_step { completion_slot[to].phase = 1 - (p_); completion_slot[to].result = what; completion_slot[to].ordinal = o_ }
}

// One request and its completion. C1..C6 shortened: the completion slot is the lane's own, its phase flips.
inline call(kind)
{
    if
#ifndef M_RELEASE_AT_END
    :: closed -> got = canceled  // E4: the runtime has ended
#endif
    :: else ->
       d_step { request[me] = kind; ordinal_of[me] = ordinal; phase_word[me] = phase };  // C4
       if
       :: d_step { completion_slot[me].phase != phase ->  // C5
              assert(completion_slot[me].ordinal == ordinal);  // the completion of this call, not of an older one
              got = completion_slot[me].result }
          phase = 1 - phase  // C6
#ifdef M_RELEASE_AT_END
       :: closed -> got = canceled; phase = 1 - phase  // E4 with C6, although no worker completed
#elif !defined(M_NO_CLOSED)
       :: closed -> got = canceled  // E4: leave; the completion slot stays claimed for ever
#endif
       fi;
       ordinal++
    fi
}

inline acquire_buffer() { atomic { bounces > 0 -> bounces-- } }
inline release_buffer() { bounces++ }
#ifdef KEEP
inline acquire_to_wait()
{
    if
    :: atomic { bounces > 0 && keeps_free > 0 && lasting_free > 0 ->
           bounces--; keeps_free--; lasting_free--; keeps[me] = 1 }
    :: acquire_buffer(); keeps[me] = 0  // also if one of the others is free: it is the leader's choice
    fi
}
inline release_kept()
{
    d_step { bounces++; keeps_free = keeps_free + keeps[me]; lasting_free = lasting_free + keeps[me] }
}
#else
#define acquire_to_wait acquire_buffer
#define release_kept release_buffer
#endif

proctype reader(byte me)
{
    byte ordinal;
    bit phase;
    mtype got;
retry:
    acquire_to_wait();
    call(read);
    if
    :: got == again ->
#ifndef M_KEEP_BOUNCE
       release_buffer();  // P3: release the bounce buffer,
#endif
       call(wait);  // P3: wait(fd, events)
#ifdef M_KEEP_BOUNCE
       release_buffer();
#endif
       if
       :: got == ready -> goto retry  // P6: make the call again
       :: else -> assert(got == canceled || got == again_errno)
       fi
#ifdef KEEP
    :: got == again_errno -> assert(keeps[me]); release_kept()
#endif
    :: else -> assert(got == value || got == canceled); release_kept()
    fi;
#ifdef LATER_CALL
    call(wait);  // one more call, maybe after the end
    assert(got == ready || got == canceled || got == again_errno);
#if LATER_CALL >= 2
    call(wait);
#endif
#endif
    done++
}

proctype writer(byte me)
{
    byte ordinal, n;
    bit phase;
    mtype got;
    do
#ifdef LASTING
    :: n < READERS -> atomic { bounces > 0 && lasting_free > 0 -> bounces--; lasting_free-- };
       call(write); d_step { bounces++; lasting_free++ }; n++;
#else
    :: n < READERS -> acquire_buffer(); call(write); release_buffer(); n++;
#endif
       assert(got == value || got == canceled)
    :: else -> break
    od;
#ifdef LATER_CALL
    call(write);
    assert(got == value || got == canceled);
#endif
    done++
}

#if READERS >= 3
#define any_request (request[0] || request[1] || request[2] || request[3])
#elif READERS >= 2
#define any_request (request[0] || request[1] || request[2])
#else
#define any_request (request[0] || request[1])
#endif

inline enter_lot()  // P4: under the parking lot's lock
{
    atomic {
        if
#ifndef M_PARK_AFTER_SWEEP
        :: ending -> hit = 0; kind = canceled
#endif
        :: else ->
           if
           :: parked_count >= PARKED_MAX -> hit = 0; kind = again_errno
           :: else -> hit = 1; parked[c] = 1; parked_count++; edge[c] = 0;
#ifdef LINE
                      watched = watched || parked_count == 1;
#endif
#ifdef KEEP
                      redo[c] = (kind == read);
#endif
                      parked_ordinal[c] = o; parked_phase[c] = p
           fi
        fi };
    if
    :: !hit -> completion(c, p, o, kind)
    :: else
    fi
}

proctype worker()
{
    byte c, o;
    bit p, hit;
    mtype kind;
end:
    do
    :: atomic {  // S1..S4
           !closed && any_request ->
           if
           :: request[0] != none -> c = 0
           :: request[1] != none -> c = 1
#if READERS >= 2
           :: request[2] != none -> c = 2
#endif
#if READERS >= 3
           :: request[3] != none -> c = 3
#endif
           fi;
           kind = request[c]; o = ordinal_of[c]; p = phase_word[c]; request[c] = none };
       if
       :: ending -> completion(c, p, o, canceled)  // E2: later calls
       :: !ending && kind == read ->
#ifdef POLL_THEN_READ
#ifdef NO_TRY
          hit = true;
#else
          hit = (units > 0);  // P1: poll(0) ...
#endif
          if
          :: hit -> in_call[c] = 1;
end_blocked:  // (after E4 this thread is leaked)
             atomic { units > 0 -> units-- };  // P1: ... then a read that may block
             in_call[c] = 0;
             completion(c, p, o, value)
#else
          d_step { hit = (units > 0); units = (hit -> units - 1 : units) };  // P1: one try that cannot block
          if
          :: hit -> completion(c, p, o, value)
#endif
#ifdef KEEP
          :: !hit && keeps[c] -> enter_lot()
          :: !hit && !keeps[c] -> completion(c, p, o, again)  // P2
#else
          :: !hit -> completion(c, p, o, again)  // P2
#endif
          fi
       :: !ending && kind == last_read ->
          d_step { hit = (units > 0); units = (hit -> units - 1 : units) };
          if
          :: hit -> completion(c, p, o, value)
          :: else -> completion(c, p, o, again_errno)
          fi
       :: !ending && kind == wait ->
          enter_lot()
       :: !ending && kind == write ->
          d_step { units++; edge[0] = 1; edge[1] = 1;  // S5
#if READERS >= 3
              edge[2] = 1;
#endif
              edge[WRITER] = 1 };
          completion(c, p, o, value)  // S6
       fi;
       d_step { c = 0; o = 0; p = 0; hit = 0; kind = none }
    od
}

inline unpark(who, reply)
{
    d_step { parked[who] = 0; parked_count--; edge[who] = 0;  // P5, E3: leave the parking lot under its lock,
#ifdef LINE
#ifdef M_NO_NEXT
        watched = 0
#elif defined(M_WATCHED_BY_NOBODY)
        watched = (parked_count > 0 && reply != again_errno)
#else
        watched = (parked_count > 0)
#endif
#endif
    };
#ifdef KEEP
    if
    :: reply == ready && redo[who] -> request[who] = read  // a worker makes it again
    :: reply == again_errno && redo[who] -> request[who] = last_read  // without waiting
    :: else -> completion(who, parked_phase[who], parked_ordinal[who], reply)
    fi
#else
    completion(who, parked_phase[who], parked_ordinal[who], reply)  // P5, E3: then the completion
#endif
}
#ifdef M_EDGE
#define awake(c) (parked[c] && edge[c])
#elif defined(LINE)
#define awake(c) (parked[c] && watched && units > 0)
#else
#define awake(c) (parked[c] && units > 0)
#endif

inline cancel_request(who)
{
    request[who] = none;
    completion(who, phase_word[who], ordinal_of[who], canceled)
}

// The parking thread, which waits on epoll. In the model it also does E1, the sweep E3, E4 and E5.
proctype poller()
{
end:
    do
    :: awake(0) -> unpark(0, ready)  // P5
#if READERS >= 2
    :: awake(1) -> unpark(1, ready)  // P5
#endif
#if READERS >= 3
    :: awake(2) -> unpark(2, ready)  // P5
#endif
#ifdef LIMIT
    :: parked[0] -> unpark(0, again_errno)  // P7
#endif
#ifdef END
    :: !ending -> atomic { ending = 1 };  // E1: at any moment
       do  // E3: sweep what is parked
       :: parked[0] -> unpark(0, canceled)
       :: parked[1] -> unpark(1, canceled)
#if READERS >= 2
       :: parked[2] -> unpark(2, canceled)
#endif
#if READERS >= 3
       :: parked[3] -> unpark(3, canceled)
#endif
       :: parked_count == 0 -> break
       od;
#ifdef M_COMPLETION_FOR_BLOCKED
       if
       :: in_call[0] -> completion(0, phase_word[0], ordinal_of[0], canceled)
       :: in_call[1] -> completion(1, phase_word[1], ordinal_of[1], canceled)
       :: !in_call[0] && !in_call[1]
       fi;
#endif
#ifndef M_NO_CLOSED
       closed = 1;  // E4: all calls are complete, or the time is up
#ifdef LEFT
       do  // E5
       :: request[0] != none -> cancel_request(0)
       :: request[1] != none -> cancel_request(1)
#if READERS >= 2
       :: request[2] != none -> cancel_request(2)
#endif
#if READERS >= 3
       :: request[3] != none -> cancel_request(3)
#endif
       :: else -> break
       od
#endif
#endif
#endif
    od
}

init
{
    byte i;
    atomic {
        i = 0;
        do :: i < READERS -> run reader(i); i++ :: else -> break od;
        run writer(WRITER);
        i = 0;
        do :: i < WORKERS -> run worker(); i++ :: else -> break od;
        run poller();
        i = 0
    }
    done == CALLERS
}
