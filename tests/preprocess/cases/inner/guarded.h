#ifndef GUARDED_H
#define GUARDED_H
#include "once.h"
#include "../inner/once.h"
#ifdef MODE
int mode_MODE = MODE;
#else
int no_mode;
#endif
#endif
