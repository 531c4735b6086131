// SPDX-License-Identifier: Apache-2.0
//
// service_loading.pml: services are loaded into a running server and unloaded LOADS times (docs/service-loading.md,
// src/service/loader.cpp, exchange.cpp). CALLERS threads make CALLS requests each, of a service of the list (row 0) or
// of the loaded one (row 1). A load may be refused REFUSALS times, because the kernel did not leave in time, and the
// kernel may leave by itself LEAVES times.
// service.pml has the words, the blocks and the slots; here the kernel takes a request whole.
//
// X1 the new kernel is linked   X2 hold launches back, stop   X3 wait until the kernel has left
// X4 launches are of the new kernel   X5 open the row   U1 close it   U2 wait for its requests   U3 another version

#ifndef CALLERS
#define CALLERS 2
#endif
#ifndef CALLS
#define CALLS 2
#endif
#ifndef LOADS
#define LOADS 2
#endif
#ifndef REFUSALS
#define REFUSALS 1
#endif
#ifndef LEAVES
#define LEAVES 1
#endif
#define REQUESTS (CALLERS * CALLS)

// Shared memory. A request: 0 not published; else 1 + its row.
byte published[REQUESTS], version_of[REQUESTS];
bit  completed[REQUESTS], stop;
byte gone;

// The host.
bit  launching;  // the lock
byte current, functions, tail;  // functions: the version that kernels have from here on; 0: none
bit  open;
byte version, holders;

// The GPU, and ghosts.
byte alive, head, leaves = LEAVES, refusals = REFUSALS;

inline lock()   { atomic { !launching -> launching = 1 } }
inline unlock() { launching = 0 }
inline launch_one() { atomic { current++; run kernel(current, functions) } }

proctype kernel(byte number; byte mine)
{
    bit told = 0;
    atomic { alive++; assert(alive == 1) }  // two at a time would take a request twice
    do
    :: stop && !told -> told = 1            // it looks now and then, and keeps what it has seen
    :: atomic { !told && head < REQUESTS && published[head] != 0 ->
           // J8
           assert(published[head] == 1 || version_of[head] == mine);
           assert(!completed[head]);
           completed[head] = 1;
           head++
       }
    :: told -> break
    :: atomic { leaves > 0 && (head == REQUESTS || published[head] == 0) -> leaves--; break }
    :: atomic { head == REQUESTS && tail == REQUESTS && current == number && functions >= LOADS -> break }
    od;
    atomic { alive--; gone = number }
}

active [CALLERS] proctype caller()
{
    byte call = 0, mine, row, held;
    do
    :: call == CALLS -> break
    :: call < CALLS ->
        if
        :: row = 1
        :: atomic { open -> row = 2; held = version; holders++ }
        fi;
        atomic { mine = tail; tail++ }
        atomic { version_of[mine] = (row == 2 -> held : 0); published[mine] = row }
        do
        :: completed[mine] -> break
        :: !completed[mine] && gone == current ->
            lock();
            if
            :: gone == current && !completed[mine] -> launch_one()
            :: else
            fi;
            unlock()
        od;
        if
        :: row == 2 -> holders--
        :: else
        fi;
        call++
    od
}

active proctype loader()
{
    byte next = 0;
    bit runs;
    do
    :: next == LOADS -> break
    :: next < LOADS ->
        next++;  // X1
#ifdef M_OPEN_FIRST
        atomic { version = next; open = 1 }
#endif
#ifndef M_NO_HOLD
        lock();  // X2
#endif
        runs = (gone != current);
        stop = 1;
        if
#ifdef M_NO_WAIT
        :: true -> skip
#else
        :: gone == current -> skip  // X3
#endif
        :: atomic { refusals > 0 -> refusals--; stop = 0; unlock(); next-- } goto refused
        fi;
        stop = 0;  // X4
        functions = next;
        if
        :: runs -> launch_one()
        :: else
        fi;
        unlock();
        atomic { version = next; open = 1 }  // X5
        open = 0;                            // U1
#ifndef M_NO_WAIT_FOR_HOLDERS
        holders == 0;                        // U2
#endif
refused:
        skip
    od
}
