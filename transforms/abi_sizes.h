/* SPDX-License-Identifier: MIT */
/*
 * How large are the structs of runtime/include/awaitc/abi.h on the target? The tool may run on
 * another machine than the program. p: bytes of a pointer there, a: alignment of an int64_t. Each
 * size is written as its pointers, then the rest in its place; the assertions fail when abi.h
 * changes.
 */
#ifndef AWAITC_TRANSFORMS_ABI_SIZES_H
#define AWAITC_TRANSFORMS_ABI_SIZES_H

#include "runtime/include/awaitc/abi.h"

#define ABI_ROUND_UP(n, to) (((n) + (to)-1) / (to) * (to))

#define ABI_FRAME_BYTES(p)  (2 * (p)) /* its alignment is that of a pointer */
#define ABI_CX_BYTES(p)     (11 * (p) + 8)
#define ABI_BRANCH_BYTES(p) (ABI_CX_BYTES(p) + 2 * (p) + 8)
#define ABI_GROUP_BYTES(p, a)                                                                      \
    ABI_ROUND_UP(ABI_ROUND_UP(ABI_FRAME_BYTES(p) + (p) + 14, a) + 8 + (p), (a) > (p) ? (a) : (p))
/* AW_GROUP_NEED on the target. */
#define ABI_GROUP_NEED(p, a, n, rooms)                                                             \
    (ABI_GROUP_BYTES(p, a) + (n)*ABI_BRANCH_BYTES(p) + (rooms) + 16 * ((n) + 1))

_Static_assert(ABI_FRAME_BYTES(sizeof(void *)) == sizeof(aw_frame), "as in abi.h");
_Static_assert(ABI_CX_BYTES(sizeof(void *)) == sizeof(aw_cx), "as in abi.h");
_Static_assert(ABI_BRANCH_BYTES(sizeof(void *)) == sizeof(aw_branch), "as in abi.h");
_Static_assert(ABI_GROUP_BYTES(sizeof(void *), _Alignof(int64_t)) == sizeof(aw_group),
               "as in abi.h");

#endif
