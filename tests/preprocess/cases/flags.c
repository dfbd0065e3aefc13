/* SPDX-License-Identifier: MIT */
/* FLAGS: -DA=1 -D "F(x)=x x" -UB -include stdint.h -I inner -isystem inner -std=c99 -O2 -fPIC */
#include <guarded.h>
#include <list.h>
int a = A, f[] = {F(3)};
#ifdef __OPTIMIZE__
uint32_t u;
#endif
