// SPDX-License-Identifier: Apache-2.0
//
// interrupt.pml: the host sleeps, and a lane that reserves in an armed queue wakes it (A1 to A7). The queue is
// abstract: a tail, a count of published requests, and a head (protocol.pml has the rest). A request is published any
// time after its reservation, and the interrupt is raised any time after it. The monitor does not look, so nothing
// else wakes the host. With END, the end of the kernel raises the interrupt, and every wait of the device's stream has
// to pass.
//
// SPIN checks the claim under weak fairness (pan -a -f), and all assertions in the same run.

#ifndef REQUESTS
#define REQUESTS 2  // of each lane
#endif
#ifndef LANES
#define LANES 2  // the first ones in queue 0, the last one in queue 1
#endif

#define QUEUES 2
#define TOTAL  (LANES * REQUESTS)

byte tail[QUEUES], published[QUEUES], head[QUEUES];
bit  armed[QUEUES];  // the highest byte of the tail: one word with it
bit  word;           // the interrupt word
bit  waiting;        // the stream was given a wait, and has not passed it
byte served, lanes_left = LANES;
bit  ended;          // the kernel
bit  end_stores;     // the stream of the kernel stores the word when the kernel has ended
bit  arms_no_more;        // no kernel is under way: the host arms no more

#ifdef END
ltl all_pass { <> (ended && arms_no_more && !waiting) }
#else
ltl served_all { <> (served == TOTAL) }
#endif

inline raise()
{
    word = 1  // A6
}

proctype lane(byte q)
{
    byte made;
    bit was_armed;
    do
    :: made < REQUESTS ->
#ifdef M_RAISE_FIRST
       if
       :: armed[q] -> raise()
       :: else
       fi;
#endif
#ifdef ADDS
       if
       :: d_step { was_armed = armed[q]; armed[q] = 0; tail[q]++; made++ }
       :: d_step { was_armed = armed[q]; tail[q]++; made++ }  // C3: an addition leaves the mark
       fi;
#else
       d_step { was_armed = armed[q]; armed[q] = 0; tail[q]++; made++ };  // C3: one exchange
#endif
#ifdef M_NO_RAISE
       was_armed = 0;
#endif
#ifdef M_RAISE_FIRST
       was_armed = 0;
#endif
       if  // the stores leave the multiprocessor in any order
       :: published[q]++;  // C4
          if
          :: was_armed -> raise()
          :: else
          fi
       :: was_armed -> raise(); published[q]++
       fi;
       was_armed = 0;
    :: else -> break
    od;
    lanes_left--
}

// The stream that waits for the word, and the one in which the kernel runs.
proctype streams()
{
end:
    do
    :: atomic { waiting && word == 1 -> waiting = 0 }
    :: atomic { end_stores && ended -> end_stores = 0; word = 1 }  // A7
    :: atomic { !ended && lanes_left == 0 && served == TOTAL -> ended = 1 }
    od
}

#define pending(q) (head[q] < published[q])

proctype host()
{
    byte seen[QUEUES];
#ifdef END
    bit told;
#endif
end_look:
    do
    :: pending(0) -> d_step { head[0]++; served++ }
    :: pending(1) -> d_step { head[1]++; served++ }
    :: !pending(0) && !pending(1) ->  // nothing for a while
#ifdef END
       if
       :: ended -> arms_no_more = 1; break
       :: else
       fi;
#endif
#ifndef M_RESET_LAST
       !waiting;  // the stream has passed its last wait
       word = 0;  // A1
#endif
#ifdef M_LOAD_FIRST
       seen[0] = tail[0]; seen[1] = tail[1];
       armed[0] = 1; armed[1] = 1;
#else
       armed[0] = 1; armed[1] = 1;  // A2
       seen[0] = tail[0]; seen[1] = tail[1];  // A3
#endif
#ifdef M_RESET_LAST
       !waiting;
       word = 0;
#endif
#ifdef M_END_FIRST
       end_stores = 1;
       word = 0;
#endif
       waiting = 1;
#ifdef END
#ifndef M_NO_END
#ifndef M_END_FIRST
       if  // once for the kernel
       :: !told -> told = 1; end_stores = 1
       :: else
       fi;
#endif
#ifndef M_END_UNSEEN
       if
       :: ended -> raise(); seen[0] = 0; seen[1] = 0;
          goto end_look  // it may have stored before A1
       :: else
       fi;
#endif
#endif
#endif
#ifndef M_NO_COMPARE
       if
       :: seen[0] != head[0] || seen[1] != head[1] ->  // A4: a request is on its way
          raise(); seen[0] = 0; seen[1] = 0;
          goto end_look
       :: else
       fi;
#endif
       seen[0] = 0; seen[1] = 0;
       !waiting  // A5: sleeps
    od
}

init {
    atomic {
        run lane(0);
#if LANES > 2
        run lane(0);
#endif
#if LANES > 1
        run lane(1);
#endif
        run streams();
        run host()
    }
}
