/* SPDX-License-Identifier: MIT */
/* clang-format off */
/* FLAGS: -DPLAIN -D EMPTY= -DTWICE=1 -DTWICE=2 -DGONE=3 -UGONE -DCALL(a,b)=a+b -D"TEXT=\"a b\"" -Ulinux -D__RESERVED=5 -DWORDS=PLAIN+TWICE */
/* clang-format on */
/* Definitions of the command line that sources share a compiler run without. */
int plain = PLAIN EMPTY, twice = TWICE, call = CALL(1, 2), reserved = __RESERVED, words = WORDS;
const char *text = TEXT;
#if defined GONE || defined linux
int wrong;
#else
int right;
#endif
#define PLAIN 1
#undef TWICE
#define TWICE 4
int again = WORDS;
