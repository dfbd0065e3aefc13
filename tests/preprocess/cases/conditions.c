/* SPDX-License-Identifier: MIT */
/* Conditions: operators, literals, questions, groups that are skipped, #line. */
#define one    1
#define two(x) (x + one)
#if one + 1 == 2 && two(1) == 2 && defined(one) && defined two && !defined three
int a;
#endif
#if 0
it's "open
#error no
#if 1
#elif
#else
#endif
#include <none.h>
#elif - 1 > 0u && -1 < 0 && (2 || 1 / 0) && !(0 && 1 / 0) && (1 ? 2 : 1 / 0) == 2
int b;
#elif 1
#error no
#else
#error no
#endif
#if (-5 / 2 == -2) && (-5 % 2 == -1) && (1 << 3 >> 2) == 2 && (-8 >> 1) == -4 && ~0 == -1
int c;
#endif
#if 'a' == 97 && '\n' == 10 && 0x10 == 16 && 010 == 8 && 0b11 == 3 && 1ull && 10L
int d;
#endif
#if 0xFFFFFFFFFFFFFFFF == -1 && 0x8000000000000000 > 0 && 9223372036854775807 + 0 > 0
int e;
#endif
#ifdef none
#elif defined none
#else
int f;
#endif
#if defined __has_include
#if __has_include(<stdio.h>) && !__has_include("none.h") && !__has_include(<none/none.h>)
int g;
#endif
#endif
#if defined __has_attribute
#if __has_attribute(__noreturn__) && !__has_attribute(none_such)
int h;
#endif
#endif
#if defined __has_builtin
#if __has_builtin(__builtin_expect)
int i;
#endif
#endif
#define is_defined defined(one)
#if is_defined
int j;
#endif
#line 100 "other.y"
int k = __LINE__;
char *l = __FILE__;
#line 7
int m = __LINE__;
#ifndef __STDC__
#error no
#endif
#/* nothing */
#ident "x"
int n;
