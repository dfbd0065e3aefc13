/* SPDX-License-Identifier: MIT */
/* Headers more than once, in other states, under other names. */
#include "inner/guarded.h"
#include "inner/list.h"
#define ITEM(x) char *name_##x = #x;
#include "inner/list.h"
(c)
#include "inner/guarded.h"
#include "inner/list.h"
#undef GUARDED_H
#define MODE 2
#include "inner/guarded.h"
#undef GUARDED_H
#undef MODE
#include "inner/guarded.h"
#define HEADER "inner/list.h"
#include HEADER
#define SYSTEM <stddef.h>
#include SYSTEM
#define PART std
#include <stddef.h>
#define __need_size_t
#include <limits.h>
#include <stddef.h>
    int end[ONCE];
