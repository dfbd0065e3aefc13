/* SPDX-License-Identifier: MIT */
/*
 * How are async functions called whose name is not known? Through pointers, as plain ones are. This
 * file knows streams only by their tables.
 */
#include <stdio.h>
#include <string.h>

#include "stream.h"

/* Reads a stream to its end and prints it. 0, or a negated errno. */
static async int print_all(struct stream *s)
{
    char piece[16];
    int reads = 0;

    printf("%s:", s->ops->name);
    for (;;) {
        ssize_t n = await s->ops->read(s, piece, sizeof piece);
        if (n < 0)
            return (int)n;
        if (n == 0)
            break;
        reads++;
        printf(" [%.*s]", (int)n, piece);
    }
    printf(" in %d reads\n", reads);
    return 0;
}

async int main(void)
{
    struct stream streams[] = {
        {&memory_ops, "all of this is in memory"},
        {&ticker_ops, "word after word"},
    };

    for (size_t i = 0; i < sizeof streams / sizeof streams[0]; i++) {
        int rc = await print_all(&streams[i]); // NOLINT(awaitc-await-in-loop): lines in order
        if (rc < 0) {
            fprintf(stderr, "cannot read: %s\n", strerror(-rc));
            return 1;
        }
    }
    return 0;
}
