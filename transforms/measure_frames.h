/* SPDX-License-Identifier: MIT */
/*
 * Where state_export could only guess a frame's layout (an alignment is an expression, #pragma pack
 * is in force), what does a compiler make of the emitted text?
 */
#ifndef AWAITC_TRANSFORMS_MEASURE_FRAMES_H
#define AWAITC_TRANSFORMS_MEASURE_FRAMES_H

#include "analyzer/base/arena.h"
#include "analyzer/ir/machine.h"

/*
 * Corrects the places and sizes of frames and the rooms for callees, if any machine is_guessed.
 *
 * path, args  as for the parse of the source; text: the whole lowered source
 *
 * A text that libclang cannot parse leaves the guesses as they are.
 */
void measure_frames(arena *mem, const char *path, strview text, const char *const *args,
                    uint32_t arg_count, machine_list machines);

#endif
