// SPDX-License-Identifier: Apache-2.0
//
// sleep.pml: sleeping workers, the monitor's look, and the wake-up of the worker that gets a queue (Z1 to Z4, L1 to
// L3, H1, H3). The queue is abstract: a request is a count (protocol.pml has the rest). A host store waits in the
// store buffer (x86) at most until the next locked instruction of its thread.
//
// The monitor never stops looking, so the graph has cycles. SPIN checks the claim `served_all` under weak fairness
// (pan -a -f), and all assertions in the same run.

#ifndef REQUESTS
#define REQUESTS 3  // per queue; the first of queue 0 comes back only after the last of the last queue was made
#endif
#ifndef QUEUES
#define QUEUES 1
#endif
#ifndef MIGRATIONS
#define MIGRATIONS 1  // migrations that are not needed
#endif

byte published[QUEUES];
typedef cursor_t { byte owner; byte head }
cursor_t cursor[QUEUES];
bit  asleep[2];  // shared word, the futex
bit  in_futex[2];  // the thread sleeps in the futex
bit  buffered[2];  // asleep = 1 is still in the worker's store buffer
bit  stuck[2];  // in one call for longer than stall_us
byte served;
bit  last_served;
byte migrations = MIGRATIONS;

#define NONE         255
#define TOTAL        (QUEUES * REQUESTS)
#define work(s)      (cursor[s].head < published[s])
#define mine(s)      (cursor[s].owner == me && work(s))
#if QUEUES == 2
#define any_mine     (mine(0) || mine(1))
#else
#define any_mine     (mine(0))
#endif

ltl served_all { <> (served == TOTAL) }

proctype device(byte s)
{
    do
    :: published[s] < REQUESTS -> published[s]++  // C4, seen whole
    :: else -> break
    od
}

proctype store_buffer(byte w)
{
end:
    do
    :: d_step { buffered[w] -> buffered[w] = 0; asleep[w] = 1 }
    od
}

proctype worker(byte me)
{
    byte s, h;
    bit found;
end:
    do
    :: any_mine ->
       atomic {
           if
           :: mine(0) -> s = 0; h = cursor[0].head  // S1, S2
#if QUEUES == 2
           :: mine(1) -> s = 1; h = cursor[1].head  // S1, S2
#endif
           :: else -> s = NONE
           fi };
       if
       :: d_step { s != NONE && cursor[s].owner == me && cursor[s].head == h ->  // S3, locked: empties the store buffer
              cursor[s].head = h + 1;
              asleep[me] = (buffered[me] -> 1 : asleep[me]); buffered[me] = 0;
              stuck[me] = (s == 0 && h == 0) };
          if
          :: stuck[me] -> d_step { last_served -> stuck[me] = 0; served++ }  // S5, a pipe
          :: else -> d_step { served++; last_served = last_served || (s == QUEUES - 1 && h == REQUESTS - 1) }  // S5, S6
          fi
       :: else  // S3 fails
       fi;
       s = 0; h = 0
    :: !any_mine && served < TOTAL ->
       buffered[me] = 1;  // Z1: nothing for idle_us: asleep = 1
#ifdef FENCE
       d_step { asleep[me] = (buffered[me] -> 1 : asleep[me]); buffered[me] = 0 };  // Z2: full fence
#endif
#ifndef M_NO_SECOND_LOOK
       found = any_mine;  // Z3: look once more
#endif
       if
       :: found -> d_step { found = 0; buffered[me] = 0; asleep[me] = 0 }  // Z3: awake again
       :: else ->
          d_step { asleep[me] = (buffered[me] -> 1 : asleep[me]); buffered[me] = 0;  // Z4: futex wait, locked
#ifndef M_WAIT_WITHOUT_COMPARE
              in_futex[me] = asleep[me]
#else
              in_futex[me] = 1
#endif
          };
end_asleep:
          !in_futex[me]  // Z4: woken, or asleep was no longer 1
       fi
    od
}

inline wake(who)
{
    if
    :: asleep[who] -> asleep[who] = 0;  // L3, H3: clear the flag,
       in_futex[who] = 0  // L3, H3: then wake the futex
    :: else
    fi
}

inline look(queue)
{
    d_step { w = cursor[queue].owner; h = cursor[queue].head; n = work(queue) };  // L1: cursor, then the words
    if
    :: n && stuck[w] && !stuck[1 - w] ->
       if
       :: d_step { cursor[queue].owner == w && cursor[queue].head == h -> cursor[queue].owner = 1 - w };  // H1
          wake(1 - w)  // H3
       :: else
       fi
#ifndef M_NO_LOOK
    :: n && !stuck[w] -> wake(w)  // L2: there is work and its owner sleeps
#endif
    :: else
    fi;
    atomic { w = 0; h = 0; n = 0 }
}

proctype monitor()
{
    byte w, h, n;
    do
    :: look(0)
#if QUEUES == 2
       ; look(1)
#endif
       ;
       if
       :: d_step {  // H1, unneeded
            migrations > 0 -> migrations--; cursor[0].owner = 1 - cursor[0].owner; w = cursor[0].owner
          };
          wake(w)  // H3
       :: true
       fi;
       w = 0
    od
}

init {
    atomic {
        run device(0);
#if QUEUES == 2
        run device(1); cursor[1].owner = 1;
#endif
        run store_buffer(0); run store_buffer(1);
        run worker(0); run worker(1);
        run monitor()
    }
}
