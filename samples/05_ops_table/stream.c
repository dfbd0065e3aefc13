/* SPDX-License-Identifier: MIT */
/*
 * Two kinds of streams. Their functions are static: the tables are the only way to reach them.
 */
#include <string.h>

#include "stream.h"

/* The next `count` bytes of the text. */
static ssize_t take(struct stream *s, char *to, size_t count)
{
    memcpy(to, s->text, count);
    s->text += count;
    return (ssize_t)count;
}

static async ssize_t read_memory(struct stream *s, char *to, size_t size)
{
    return take(s, to, strnlen(s->text, size));
}

static async ssize_t read_ticker(struct stream *s, char *to, size_t size)
{
    size_t word = strcspn(s->text, " ");
    if (s->text[word] == ' ')
        word++;
    await aw_sleep_ms(5);
    return take(s, to, word < size ? word : size);
}

const struct stream_ops memory_ops = {.name = "memory", .read = read_memory};
const struct stream_ops ticker_ops = {.name = "ticker", .read = read_ticker};
