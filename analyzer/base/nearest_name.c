/* SPDX-License-Identifier: MIT */
/* Names are compared by Levenshtein's distance: insertions, deletions and exchanges of one byte. */
#include "analyzer/base/nearest_name.h"

#include <string.h>

enum { LONGEST_NAME = 63 };

static size_t smallest(size_t a, size_t b, size_t c)
{
    size_t least = a < b ? a : b;
    return least < c ? least : c;
}

/* By the usual row of a table; names longer than LONGEST_NAME are far. */
static size_t distance(const char *a, const char *b)
{
    size_t row[LONGEST_NAME + 1];
    size_t b_len = strlen(b);
    if (b_len > LONGEST_NAME)
        return LONGEST_NAME;
    for (size_t k = 0; k <= b_len; k++)
        row[k] = k;
    for (size_t i = 0; a[i] != '\0'; i++) {
        size_t diagonal = row[0]; /* of the row above */
        row[0] = i + 1;
        for (size_t k = 0; k < b_len; k++) {
            size_t above = row[k + 1];
            row[k + 1] = smallest(above + 1, row[k] + 1, diagonal + (a[i] == b[k] ? 0 : 1));
            diagonal = above;
        }
    }
    return row[b_len];
}

struct nearest_name nearest_name_start(const char *wanted)
{
    return (struct nearest_name){.wanted = wanted, .limit = strlen(wanted) / 3 + 2};
}

void nearest_name_offer(struct nearest_name *n, const char *candidate, const char *shown)
{
    size_t far = distance(candidate, n->wanted);
    if (far < n->limit) {
        n->limit = far;
        n->best = shown;
    }
}
