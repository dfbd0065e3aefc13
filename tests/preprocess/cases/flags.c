// FLAGS: -DA=1 -D "F(x)=x x" -UB -include stdint.h -I inner -isystem inner -std=c99 -O2 -fPIC
#include "list.h"
#include <guarded.h>
int a = A, f[] = {F(3)};
#ifdef __OPTIMIZE__
uint32_t u;
#endif
