// SPDX-License-Identifier: Apache-2.0
//
// hold.pml: processes that hold for more important ones (docs/schedule-processes.md, src/schedule/daemon). Member 0
// is the most important. Each has work ROUNDS times, and may be held and aborted meanwhile. Members die or hang, DIES
// of them, anywhere. The daemon then takes them off the board. AGES: the daemon makes the last member as important as
// the first, and later takes that back.
//
// H1 begin: running, look   H2 abort, acknowledge   H3 sleep: sleeps, look, futex   H4 state, wake
// H5 wait until alone   H6 the board changes
//
// LATE: H5 has a time limit, which may pass at any time. Sleeps have none here: no wake-up is lost without.

#ifndef MEMBERS
#define MEMBERS 3
#endif
#ifndef ROUNDS
#define ROUNDS 2
#endif
#ifndef DIES
#define DIES 0
#endif

#define IDLE    0
#define WAITING 1
#define RUNNING 2
#define NONE    9  // on the board: no member

#define at(i, j)   ((i) * MEMBERS + (j))
#define more(j)    (j != me && view[at(me, j)] < view[at(me, me)])
#define less(j)    (j != me && view[at(me, j)] != NONE && view[at(me, j)] > view[at(me, me)])

byte state[MEMBERS];           // each member's word, a futex
bit  sleeps[MEMBERS];
byte board[MEMBERS];           // nice values with aging
byte version;                  // of the board, a futex
byte seen[MEMBERS];            // the version that a member has read,
byte view[MEMBERS * MEMBERS];  // and what it read
bit  in_futex[MEMBERS];
byte buffered[MEMBERS];        // M_NO_FENCE: the store of the state that is not visible yet, plus 1
byte dies = DIES;

// Ghosts.
bit  inside[MEMBERS];   // launches in the GPU
bit  went_on[MEMBERS];  // H5 ended by its time limit
bit  dead[MEMBERS];
byte left = MEMBERS;

inline refresh()
{
    d_step {
        seen[me] = version; j = 0;
        do
        :: j < MEMBERS -> view[at(me, j)] = board[j]; j++
        :: else -> break
        od;
        j = 0 }
}

// Reads the words of the more important ones, one after the other.
inline look()
{
    atomic { held = 0; j = 0 };
    do
    :: atomic { j < MEMBERS ->
           if :: more(j) && state[j] != IDLE -> held = 1 :: else fi;
           j++ }
    :: atomic { j == MEMBERS -> j = 0; break }
    od
}

// H4
inline publish(now)
{
#ifdef M_NO_FENCE
    atomic { !buffered[me] -> buffered[me] = now + 1 };
#else
    state[me] = now;
#endif
    atomic { any = (seen[me] != version); j = 0 };
    do
    :: atomic { j < MEMBERS -> any = any || (sleeps[j] && j != me); j++ }
    :: atomic { j == MEMBERS -> j = 0; break }
    od;
    skip;
    d_step {
        if
        :: any ->
           do
           :: j < MEMBERS ->
              if :: in_futex[j] && j != me && view[at(j, me)] < view[at(j, j)] -> in_futex[j] = 0 :: else fi;
              j++
           :: else -> break
           od
        :: else
        fi;
        any = 0; j = 0 }
}

// H3
inline sleep()
{
#ifndef M_NO_SLEEPS
    sleeps[me] = 1;
#endif
    atomic { held = 0; j = 0 };
    do
    :: atomic { j < MEMBERS ->
           value[j] = state[j];
           if :: more(j) && state[j] != IDLE -> held = 1 :: else fi;
           j++ }
    :: atomic { j == MEMBERS -> j = 0; break }
    od;
    skip;
    d_step {
        any = held; j = 0;
#ifndef M_NO_COMPARE
        do
        :: j < MEMBERS -> any = any && (!more(j) || state[j] == value[j]); j++
        :: else -> break
        od;
#endif
#ifndef M_NO_VERSION
        any = any && seen[me] == version;
#endif
        in_futex[me] = any;
        any = 0; j = 0; held = 0 };
    !in_futex[me];
    atomic { sleeps[me] = 0; j = 0; do :: j < MEMBERS -> value[j] = 0; j++ :: else -> break od; j = 0 }
}

inline enter()
{
    d_step {
        inside[me] = 1; j = 0;
        do
        :: j < MEMBERS ->
           if
           :: j != me && inside[j] && !dead[j] && board[j] != board[me] ->
#ifndef AGES
              assert(board[j] < board[me] -> went_on[j] : went_on[me]);
#endif
              skip
           :: else
           fi;
           j++
        :: else -> break
        od;
        j = 0 }
}

#define die_here  d_step { dies > 0 -> dies--; dead[me] = 1; left-- }

proctype member(byte me)
{
    byte j, rounds, value[MEMBERS];
    bit held, any;
again:
    if
    :: rounds == ROUNDS -> goto done
    :: else
    fi;
    refresh();
    look();
    if
    :: !held ->
#ifndef M_LOOK_FIRST
       publish(RUNNING);
       if :: seen[me] != version -> refresh() :: else fi;
       look()
#else
       publish(RUNNING)
#endif
    :: else
    fi;
    if
    :: held -> goto hold_on
    :: die_here -> goto gone
    :: !held
    fi;
#ifndef M_NOT_ALONE
    do  // H5
    :: atomic { j < MEMBERS && !(less(j) && state[j] == RUNNING) -> j++ }
    :: atomic { j < MEMBERS && seen[me] != version -> j = 0; goto again }
#ifdef LATE
    :: atomic { j < MEMBERS && less(j) && state[j] == RUNNING -> went_on[me] = 1; j++ }
#endif
    :: atomic { j == MEMBERS -> j = 0; break }
    :: atomic { j < MEMBERS && ((more(0) && state[0] != IDLE) || (more(1) && state[1] != IDLE)) -> j = 0; goto hold_on }
    od;
    skip;
#endif
    enter();
    if
    :: true
    :: die_here -> goto gone
    :: look();
       if
       :: held -> goto hold_on
       :: else
       fi
    fi;
    atomic { inside[me] = 0; went_on[me] = 0; rounds++ };
    publish(IDLE);
    goto again;

hold_on:  // H2
    held = 0;
#ifdef M_ACKNOWLEDGE_FIRST
    publish(WAITING);
    atomic { inside[me] = 0; went_on[me] = 0 };
#else
    atomic { inside[me] = 0; went_on[me] = 0 };  // the abort is over
    publish(WAITING);
#endif
    if
    :: die_here -> goto gone
    :: true
    fi;
    sleep();
    goto again;
done:
    left--;
gone:
    skip
}

#ifdef M_NO_FENCE
proctype store_buffer(byte me)
{
end:
    do
    :: d_step { buffered[me] -> state[me] = buffered[me] - 1; buffered[me] = 0 }
    od
}
#endif

// H6. All that sleep wait for the version, too.
inline change_board()
{
#ifndef M_NO_WAKE
    version++;
    d_step { i = 0; do :: i < MEMBERS -> in_futex[i] = 0; i++ :: else -> break od; i = 0 }
#else
    version++
#endif
}

proctype daemon()
{
    byte i, risen;
end:
    do
#ifndef M_NO_REMOVAL
    :: atomic { dead[0] && board[0] != NONE -> board[0] = NONE }; change_board()
    :: atomic { dead[1] && board[1] != NONE -> board[1] = NONE }; change_board()
#endif
#ifdef AGES
    :: atomic { risen == 0 && state[MEMBERS - 1] == WAITING -> risen = 1; board[MEMBERS - 1] = 0 }; change_board()
    :: atomic { risen == 1 -> risen = 2; board[MEMBERS - 1] = MEMBERS - 1 }; change_board()
#endif
    :: left == 0 -> break
    od
}

init {
    atomic {
        board[1] = 1;
        run member(0); run member(1);
#if MEMBERS == 3
        board[2] = 2;
        run member(2);
#endif
#ifdef M_NO_FENCE
        run store_buffer(0); run store_buffer(1);
#if MEMBERS == 3
        run store_buffer(2);
#endif
#endif
        run daemon()
    }
}
