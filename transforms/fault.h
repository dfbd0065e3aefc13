/* SPDX-License-Identifier: MIT */
/*
 * Do the tests of the lowering see a wrong lowering? Each line of faults.def is one that can be
 * planted:
 *
 *     AWAITC_FAULT=SPILL_DROPPED awaitc cc gcc ...
 *
 * Only in a build with the CMake option AWAITC_FAULTS. In any other, every question here is the
 * constant false, and the variable is not looked at. tests/lower/faults.py finds them all.
 */
#ifndef AWAITC_TRANSFORMS_FAULT_H
#define AWAITC_TRANSFORMS_FAULT_H

#include <stdbool.h>

enum fault {
#define FAULT(name, what) FAULT_##name,
#include "transforms/faults.def"
#undef FAULT
    FAULT_COUNT
};

#ifdef AWAITC_FAULTS
/* Does the environment ask for this one? A name that is none ends the program. */
bool fault_planted(enum fault f);
#else
#define fault_planted(f) false
#endif

#endif
