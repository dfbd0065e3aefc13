# SPDX-License-Identifier: MIT
# ctest-timeout: 240
"""Does a source ten times as long as any written by hand cost ten times as much, and not a hundred?

Generated sources have very long lines and functions. Each is read within a limit of processor time
that a reader passes by far which looks along the line, or over the function, again for each call.
"""
import resource

from lib_lint import Project, check, finish

MOST_SECONDS = 20

SOURCES = {
    "calls on one line": "int g(int);\nvoid f(void) { %s }\n"
    % " ".join(f"g({i});" for i in range(20000)),
    "calls in one macro call": "int g(int);\n#define SAME(x) x\nvoid f(void) { SAME(\n%s\n) }\n"
    % "\n".join(f"g({i});" for i in range(20000)),
    "loops in one function": "int g(int);\nint f(int n, int *a)\n{\n    int s = 0;\n%s    return s;\n}\n"
    % "".join(
        f"    for (int i = 0; i < n; i++)\n        s += g(a[i] + {k});\n" for k in range(8000)
    ),
    "async functions that await the one before": "#include <awaitc.h>\n%s"
    % "".join(
        f"async int g{i}(int n)\n{{\n    await aw_yield();\n    return n + await g{max(i - 1, 0)}(n);\n}}\n"
        for i in range(6000)
    ),
}


def limit():
    resource.setrlimit(resource.RLIMIT_CPU, (MOST_SECONDS, MOST_SECONDS))


for name, text in SOURCES.items():
    with Project({"a.c": text}) as p:
        done = p.lint("a.c", preexec_fn=limit)
        check(done.returncode in (0, 1), f"{name}: in {MOST_SECONDS} s", done.stderr[:300])

finish()
