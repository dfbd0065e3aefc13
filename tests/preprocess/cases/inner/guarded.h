/* SPDX-License-Identifier: MIT */
/* Is read again when its guard is taken away. */
#ifndef GUARDED_H
#define GUARDED_H
#include "../inner/once.h"
#include "once.h"
#ifdef MODE
int mode_MODE = MODE;
#else
int no_mode;
#endif
#endif
