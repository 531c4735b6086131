// SPDX-License-Identifier: Apache-2.0
//
// service_raiser.pml: a server's kernel is the resident raiser of a scheduler, too (G1 to G3,
// include/genesys/detail/wire/service.h, src/service/raiser.cpp). The scheduler asks for it ROUNDS times; the kernel
// may leave LEAVES times, at any moment. A raise is an epoch; abort.pml has what happens to the flags.

#ifndef ROUNDS
#define ROUNDS 3
#endif
#ifndef LEAVES
#define LEAVES 2
#endif

// Shared memory: of the server, and of the raiser. context: whose words the raiser's are, so that a kernel that stores
// for another round is seen. 0: they are freed.
byte number, gone, context;
bit  stop, raiser_gone = 1;
byte wanted, acknowledged;

// The host. ended: raisers that have left.
byte current, ended;

// Ghosts.
byte raisers;  // kernels that are the raiser
byte leaves = LEAVES;
bit  over;

proctype kernel(byte launch; byte seen)
{
    byte mine = 0, loaded;
    bit has = 0;
    do
    :: has ->
        loaded = wanted;
        atomic { assert(context == mine && !raiser_gone); acknowledged = loaded }
        if
        :: stop -> atomic { raisers--; has = 0; raiser_gone = 1 }
        :: else
        fi
    :: !has && number != seen ->
        seen = number;
        atomic { assert(context == seen); has = 1; mine = context; raisers++; assert(raisers == 1) }  // G2
    :: atomic { leaves > 0 -> leaves--; break }
    :: over && number == seen -> break
    od;
#ifdef M_GONE_FIRST
    gone = launch;
#endif
    if
    :: has -> atomic { assert(context == mine); raisers--; raiser_gone = 1 }
    :: else
    fi;
#ifndef M_GONE_FIRST
    gone = launch
#endif
}

// By any thread that attends a request, or the raiser. The lock of the raiser is held.
inline attend()
{
    atomic {
        if
        :: gone == current ->
#ifndef M_NO_LOOK_AT_GONE
            if
            :: raiser_gone -> ended = number
            :: else
            fi;
#endif
            current++;
            run kernel(current, ended)
        :: else
        fi
    }
}

active proctype requests()
{
    do
    :: !over && gone == current && leaves > 0 -> attend()
    :: over -> break
    od
}

active proctype scheduler()
{
    byte round = 0;
    do
    :: round == ROUNDS -> break
    :: round < ROUNDS ->
        round++;
        stop = 0;
        context = round;
        atomic { raiser_gone = 0; number++ }  // G1: the raiser is known to attend() from here on
        attend();
        wanted++;
        if
        :: stop = 1
        :: skip  // it leaves with the kernel, or when asked below
        fi;
        do
        :: atomic { raiser_gone -> ended = number; break }
        :: !raiser_gone -> stop = 1;
#ifdef M_NO_ATTEND
            raiser_gone
#else
            attend();
            (raiser_gone || gone == current)
#endif
        od;
        context = 0;
        assert(raisers == 0)
    od;
    over = 1
}
