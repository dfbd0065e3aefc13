/* SPDX-License-Identifier: MIT */
/* The environment variable of fault.h, read once. */
#include "transforms/fault.h"

#ifdef AWAITC_FAULTS
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[] = {
#define FAULT(name, what) #name,
#include "transforms/faults.def"
#undef FAULT
};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static enum fault planted = FAULT_COUNT;

static void read_environment(void)
{
    const char *name = getenv("AWAITC_FAULT");
    if (name == NULL || name[0] == '\0')
        return;
    for (int f = 0; f < FAULT_COUNT; f++) {
        if (strcmp(names[f], name) == 0)
            planted = (enum fault)f;
    }
    if (planted == FAULT_COUNT) {
        fprintf(stderr, "awaitc: AWAITC_FAULT=%s is none of transforms/faults.def\n", name);
        exit(2);
    }
}

bool fault_planted(enum fault f)
{
    pthread_once(&once, read_environment);
    return f == planted;
}
#endif
