/* SPDX-License-Identifier: MIT */
/*
 * How is a source line quoted below a message? With its number, and a caret below the place:
 *
 *        12 |         serve(fd);
 *           |         ^~~~~
 *
 * Columns count bytes, carets stand below characters as a terminal shows them. The line below
 * repeats the tabs of the line above, so that both are expanded alike. Of a very long line the part
 * around the place is shown. What would steer a terminal is blanked.
 */
#ifndef AWAITC_DIAG_SNIPPET_H
#define AWAITC_DIAG_SNIPPET_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "analyzer/base/strview.h"

struct snippet {
    strview line; /* without its end */
    uint32_t number;
    uint32_t column;     /* 1-based, in bytes; 0, or behind the line: no caret */
    uint32_t end_column; /* behind the last byte that is underlined; 0: the caret alone */
};

/* The bytes of the line that are shown: all, or the part around the column. */
struct snippet_window {
    size_t begin, end;
};

struct snippet_window snippet_window_of(const struct snippet *s);

void snippet_print(FILE *to, const struct snippet *s, bool colour);

#endif
