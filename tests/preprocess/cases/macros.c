/* SPDX-License-Identifier: MIT */
/* The examples of C11 6.10.3.5, and what compilers agree on beyond it. */
#define x    3
#define f(a) f(x *(a))
#undef x
#define x 2
#define g f
#define z z[0]
#define h g(~
#define m(a)    a(w)
#define w       0, 1
#define t(a)    a
#define p()     int
#define q(x)    x
#define r(x, y) x##y
#define str(x)  #x
f(y + 1) + f(f(z)) % t(t(g)(0) + t)(1);
g(x+(3,4)-w) | h 5) & m
(f)^m(m);
p() i[q()] = {q(1), r(2, 3), r(4, ), r(, 5), r(, )};
char c[2][6] = {str(hello), str()};
#define xstr(s)     str(s)
#define debug(s, t) printf("x" #s "= %d, x" #t "= %s", x##s, x##t)
#define INCFILE(n)  vers##n
#define glue(a, b)  a##b
#define xglue(a, b) glue(a, b)
#define HIGHLOW     "hello"
#define LOW         LOW ", world"
debug(1, 2);
fputs(str(strncmp("abc\0d", "abc", '\4') // this goes away
          == 0)
          str(
              : @\n),
      s);
xstr(INCFILE(2).h) glue(HIGH, LOW);
xglue(HIGH, LOW)
#define hash_hash     # ## #
#define mkstr(a)      #a
#define in_between(a) mkstr(a)
#define join(c, d)    in_between(c hash_hash d)
    char pp[] = join(x, y);
#define t2(x, y, z) x##y##z
int j[] = {t2(1, 2, 3), t2(, 4, 5), t2(6, , 7), t2(8, 9, ),
           t2(10, , ),  t2(, 11, ), t2(, , 12), t2(, , )};
#define showlist(...)      puts(#__VA_ARGS__)
#define report(test, ...)  ((test) ? puts(#test) : printf(__VA_ARGS__))
#define log(fmt, ...)      fprintf(stderr, fmt, ##__VA_ARGS__)
#define logn(fmt, rest...) fprintf(stderr, fmt, ##rest)
#define all(...)           all2(0, ##__VA_ARGS__)
showlist(The first, second, and third items.);
report(x > y, "x is %d but y is %d", x, y);
log("a");
log("a", );
log("a", 1, 2);
logn("a");
logn("a", b, c);
all();
all(1);
/* a call over lines, with directives inside, and names that no call follows */
#define two(a, b) [a | b]
two(1, 2) three;
two two(4, 5) int k = two(
#ifdef two
    6,
#else
    7,
#endif
    8);
f
/* self reference through others */
#define foo foo a bar
#define bar foo 12
    foo;
bar;
#define NIL(xxx) xxx
#define G_0(arg) NIL(G_1)(arg)
#define G_1(arg) NIL(arg)
G_0(42)
#define EMPTY
#define DEFER(m) m EMPTY
#define ff(x)    x ff
ff(1)(2)(3);
- EMPTY -
        +EMPTY + x EMPTY y a - EMPTY >
    b __LINE__ __FILE__ str(__LINE__)xstr(__LINE__)two(__LINE__, __LINE__)__COUNTER__ __COUNTER__
    xglue(a, __COUNTER__)
#define L_(x) L##x
        L_("wide")L_('c') u8"x"
                          L"y" 'a' '\'' "\"" 1.5e+3f 0x1p-3 .5 1..2 a... b
#pragma GCC diagnostic push
    _Pragma("GCC diagnostic ignored \"-Wunused\"")int after;
#define PRAGMA(x) _Pragma(#x)
PRAGMA(GCC diagnostic pop) int last;
% : define digraph<::> digraph<% %>
