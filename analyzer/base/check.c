/* SPDX-License-Identifier: MIT */
/* Where an internal error ends: one line on standard error, exit status 70 (EX_SOFTWARE). */
#include "analyzer/base/check.h"

#include <stdio.h>
#include <stdlib.h>

_Noreturn void awc_fail(const char *file, int line, const char *text)
{
    fprintf(stderr, "awaitc: internal error: %s (%s:%d); please report it\n", text, file, line);
    exit(70);
}
