/* SPDX-License-Identifier: MIT */
/* What the files of this program share. */
#ifndef PARTS_H
#define PARTS_H
#include "leaf.h"
typedef async int (*callback)(int);
extern callback plain_table[1];
int plain_sum(int a, int b);
async int declared_here(int v);
async int through(callback f, int v);
callback get_callback(void);
#endif
