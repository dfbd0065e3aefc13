/* SPDX-License-Identifier: MIT */
/*
 * How does the target's compiler lay out the frames of a lowered text? Asked of libclang, which
 * sees what arithmetic on sizes does not: #pragma pack, alignments that are expressions.
 */
#ifndef AWAITC_PARSE_CLANG_FRAMES_H
#define AWAITC_PARSE_CLANG_FRAMES_H

#include "analyzer/parse/clang_unit.h"

/* A field of a frame: offset and size in bytes. */
struct clang_frame_field {
    uint64_t offset_bytes, size_bytes;
};

/* `struct NAME__frame` as laid out, and the value of the constant `NAME__need`. */
struct clang_frame {
    strview name;
    uint64_t size_bytes, align_bytes, need_bytes;
    VEC(struct clang_frame_field) fields; /* in order; an anonymous union is one */
};

typedef struct clang_frame_list {
    VEC(struct clang_frame) all;
} clang_frame_list;

/* All frames of a unit whose text is lowered. */
clang_frame_list clang_frames(clang_unit *u);

#endif
