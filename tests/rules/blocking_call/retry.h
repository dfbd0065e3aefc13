/* SPDX-License-Identifier: MIT */
#ifndef RULES_CASES_RETRY_H
#define RULES_CASES_RETRY_H
#include <time.h>

static inline void back_off(int tries)
{
    struct timespec ts = {tries, 0};
    nanosleep(&ts, 0); /* LEAF */
}

#endif
