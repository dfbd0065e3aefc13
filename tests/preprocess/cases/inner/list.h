#ifndef ITEM
#define ITEM(x) int item_##x;
#endif
ITEM(a)
ITEM(b) ITEM
#undef ITEM
