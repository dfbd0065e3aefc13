/* SPDX-License-Identifier: MIT */
/*
 * What is a stream? Anything with a table of operations, as in many C programs; here the operation
 * is async, so a stream may wait without holding up its thread.
 */
#ifndef STREAM_H
#define STREAM_H

#include <awaitc.h>

struct stream;

struct stream_ops {
    const char *name;
    /* Up to `size` bytes; their count, 0 at the end, or a negated errno. */
    async ssize_t (*read)(struct stream *s, char *to, size_t size);
};

struct stream {
    const struct stream_ops *ops;
    const char *text; /* what is still to come */
};

/* Hands out its text as fast as it is asked. */
extern const struct stream_ops memory_ops;
/* Hands out one word every few milliseconds. */
extern const struct stream_ops ticker_ops;

#endif
