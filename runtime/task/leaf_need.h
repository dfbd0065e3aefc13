/* SPDX-License-Identifier: MIT */
/*
 * How much room did awaitc.h announce for a leaf's frame? This turns its AW_LEAF_(aw_read, 144)
 * into the constant awi_need_aw_read, so that each leaf can assert it:
 *
 *     AWI_LEAF_FITS(struct read_frame, aw_read);
 *
 * Included by files that define leaves, and by no header.
 */
#ifndef AWAITC_RUNTIME_LEAF_NEED_H
#define AWAITC_RUNTIME_LEAF_NEED_H

#ifndef __AWAITC__
#define __AWAITC__ 1 /* awaitc.h without keywords to lower */
#endif
#ifndef AWAITC_NO_KEYWORDS
#define AWAITC_NO_KEYWORDS 1
#endif
#define AW_LEAF_(name, need)                                                                       \
    ;                                                                                              \
    enum { awi_need_##name = (need) }
#include <awaitc.h>

#define AWI_LEAF_FITS(frame, name)                                                                 \
    _Static_assert(sizeof(frame) <= (size_t)awi_need_##name && _Alignof(frame) <= sizeof(void *),  \
                   #name ": awaitc.h announces a smaller frame")

#endif
