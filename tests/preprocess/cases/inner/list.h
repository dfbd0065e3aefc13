/* SPDX-License-Identifier: MIT */
/* Says what the includer's macro makes of it. */
#ifndef ITEM
#define ITEM(x) int item_##x;
#endif
ITEM(a)
ITEM(b) ITEM
#undef ITEM
