# SPDX-License-Identifier: MIT
"""`awaitc cc` behaves as the compiler does: inputs of all kinds, outputs whole or not at all."""
import glob
import os
import re
import shutil
import subprocess
import tempfile

from lib_cc import AWAITC, COMPILERS, Place, check, equal, erase, finish, include_dir

ASYNC = "#include <awaitc.h>\nasync int f(int a)\n{\n    return a + N;\n}\n"
PLAIN = "int g(int a) { return a; }\n"
MAIN = "#include <stdio.h>\nint main(void) { puts(\"runs\"); return 3; }\n"


TEMPORARY = tempfile.mkdtemp()
os.environ["TMPDIR"] = TEMPORARY


def cc(place, compiler, flags, **more):
    return place.run([AWAITC, "cc"] + compiler.split() + flags, **more)


def symbols(place, name):
    r = place.run(["nm", name])
    return r.stdout.decode() if r.returncode == 0 else "no file: " + r.stderr.decode()


def text(result):
    return result.stderr.decode(errors="replace")


def test_inputs(compiler):
    with Place() as p:
        p.write({"a.c": ASYNC, "b.c": PLAIN, "m.c": MAIN, "args": "-c a.c -DN=4 -o 'out file.o'\n",
                 "nested": "@args -g"})
        r = cc(p, compiler, ["@nested"])
        check(" f" in symbols(p, "out file.o"), compiler + ": response files in response files", text(r))
        r = cc(p, compiler, ["-x", "c", "-c", "-", "-DN=1", "-o", "s.o"], input=ASYNC.encode())
        check(" f" in symbols(p, "s.o"), compiler + ": async source on standard input", text(r))
        r = cc(p, compiler, ["-x", "c", "-c", "-", "-o", "sp.o"], input=PLAIN.encode())
        check(" g" in symbols(p, "sp.o"), compiler + ": plain source on standard input", text(r))
        r = cc(p, compiler, ["-c", "a.c", "b.c", "-DN=2"])
        check(" f" in symbols(p, "a.o") and " g" in symbols(p, "b.o"),
              compiler + ": several sources with -c", text(r))
        r = cc(p, compiler, ["m.c", "-o", "prog"])
        equal(p.run(["./prog"]).returncode, 3, compiler + ": compiles and links")
        r = cc(p, compiler, ["-c", "m.c"])
        r = cc(p, compiler, ["m.o", "-o", "linked", "-lm"])
        equal(p.run(["./linked"]).stdout, b"runs\n", compiler + ": a link step passes")
        p.write({"t.S": "#include \"x.inc\"\n.globl t\nt:\n", "x.inc": "\n"})
        r = cc(p, compiler, ["-c", "t.S"])
        check(" t" in symbols(p, "t.o"), compiler + ": assembly passes", text(r))
        r = cc(p, compiler, ["-flto", "-O2", "-g", "-pipe", "-c", "a.c", "-DN=1", "-o", "lto.o"])
        equal(r.returncode, 0, compiler + ": -flto -O2 -g -pipe: " + text(r))
        for std in ("c89", "gnu89", "c99", "c11", "gnu17", "c2x"):
            r = cc(p, compiler, ["-std=" + std, "-c", "a.c", "-DN=1"])
            equal(r.returncode, 0, compiler + ": -std=" + std + ": " + text(r))


def test_pass_through(compiler):
    with Place() as p:
        p.write({"b.c": PLAIN, "c.c": "#ifndef __AWAITC__\n#error no\n#endif\n#include <awaitc.h>\n"
                 "int h(void) { return 0; }\n", "a.c": ASYNC})
        for flags in (["--version"], ["-dumpmachine"], ["-print-search-dirs"], ["-MM", "b.c"],
                      ["-E", "b.c"], ["-###", "-c", "b.c"], ["nosuch.c"], []):
            bare = p.run(compiler.split() + flags)
            ours = cc(p, compiler, flags)
            equal((ours.returncode, ours.stdout), (bare.returncode, bare.stdout),
                  "%s %s: passes untouched" % (compiler, flags))
        equal(cc(p, compiler, ["-c", "c.c"]).returncode, 0, compiler + ": __AWAITC__ for plain files")
        r = cc(p, compiler, ["-MM", "a.c"])
        check(b"a.o: a.c" in r.stdout, compiler + ": -MM of an async source", text(r))


def test_preprocessed(compiler):
    with Place() as p:
        p.write({"a.c": ASYNC, "b.c": PLAIN})
        r = cc(p, compiler, ["-E", "a.c", "-DN=1", "-o", "a.i"])
        equal(r.returncode, 0, compiler + ": -E: " + text(r))
        r = cc(p, compiler, ["-c", "a.i", "-o", "x.o"])
        equal(r.returncode, 1, compiler + ": -E output does not come back")
        check("awaitc-preprocessed-input" in text(r), compiler + ": and the error says so", text(r))
        check(not os.path.exists(p.path("x.o")), compiler + ": and no output is written")
        r = cc(p, compiler, ["-x", "cpp-output", "-c", "-", "-o", "x.o"],
               input=p.read("a.i").encode())
        equal(r.returncode, 1, compiler + ": nor on standard input")
        r = p.run(compiler.split() + ["-Wall", "-Wextra", "-c", "a.i", "-o", "y.o"])
        check("warning" not in text(r) or "awaitc_not_lowered" not in text(r),
              compiler + ": the mark gives no warning", text(r))
        check("awaitc_not_lowered" in symbols(p, "y.o"), compiler + ": and it keeps the object out")
        cc(p, compiler, ["-E", "b.c", "-o", "b.i"])
        equal(cc(p, compiler, ["-c", "b.i"]).returncode, 0, compiler + ": plain .i compiles")
        r = cc(p, compiler, ["-c", "-save-temps", "a.c", "-DN=1"])
        r = cc(p, compiler, ["-c", "a.i", "-o", "z.o"])
        equal(r.returncode, 0, compiler + ": lowered .i of -save-temps compiles: " + text(r))


def test_errors(compiler):
    with Place() as p:
        p.write({"miss.c": ASYNC + "#include \"nosuch.h\"\n", "bad.c": ASYNC + "int x = ;\n",
                 "open.c": "#include <awaitc.h>\nasync int f(int a) {\n  if (a) {\n",
                 "if.c": ASYNC + "#if 1\n", "a.c": ASYNC})
        for name in ("miss.c", "bad.c", "open.c", "if.c"):
            r = cc(p, compiler, ["-c", name, "-DN=1", "-o", "out.o"])
            equal(r.returncode, 1, "%s: %s exits with 1: %s" % (compiler, name, text(r)))
            check(not os.path.exists(p.path("out.o")), "%s: %s leaves no output" % (compiler, name))
            check(name + ":" in text(r), "%s: %s is named in the error" % (compiler, name), text(r))
            check("/proc/" not in text(r), "%s: %s: no strange name" % (compiler, name), text(r))
        r = cc(p, compiler, ["-c", "a.c", "-DN=1", "-o", "nodir/x.o"])
        check(r.returncode != 0, compiler + ": an unwritable output fails")
        r = cc(p, compiler, ["-c", "a.c", "-DN=1", "-o", "/dev/full"])
        check(r.returncode != 0 or compiler.startswith("clang"), compiler + ": a full disk fails")
        garbage = bytes((i * 7919 + i // 251) % 256 for i in range(5000))
        with open(p.path("bin.c"), "wb") as f:
            f.write(b"#include <awaitc.h>\nasync int f(void) { " + garbage)
        r = cc(p, compiler, ["-c", "bin.c", "-o", "bin.o"])
        equal(r.returncode, 1, compiler + ": garbage is refused")
        with open(p.path("nul.c"), "wb") as f:
            f.write(ASYNC.encode() + b"\0\0\0 \n")
        check(cc(p, compiler, ["-c", "nul.c", "-DN=1"]).returncode in (0, 1), compiler + ": NUL bytes")


def test_wrong_use():
    with Place() as p:
        p.write({"a.c": ASYNC})
        for argv in (["cc"], ["cc", "-c", "a.c"], ["nosuch"], [], ["lower"], ["lower", "a.c", "b.c"],
                     ["lower", "--nosuch", "a.c"], ["lower", "a.c", "-o"]):
            r = p.run([AWAITC] + argv)
            equal(r.returncode, 2, "wrong use: %s" % argv)
            check(text(r).startswith("awaitc: error: "), "and it says so: %s" % argv, text(r))
        r = p.run([AWAITC, "cc", "nosuchcompiler", "-c", "a.c"])
        equal(r.returncode, 2, "a compiler that is not there")
        check("nosuchcompiler" in text(r), "is named", text(r))
        r = p.run([AWAITC, "lower", "nosuch.c"])
        equal(r.returncode, 2, "a file that is not there")
        r = p.run([AWAITC, "lower", "a.c", "-o", "nodir/x.c", "--", "-DN=1"])
        equal(r.returncode, 2, "an output that cannot be written")
        with open("/dev/full", "w") as full:
            r = p.run([AWAITC, "lower", "a.c", "--", "-DN=1"], stdout=full,
                      stderr=subprocess.PIPE, capture_output=False)
        equal(r.returncode, 2, "a full disk")
        for argv in (["--help"], ["--version"], ["cc", "--help"], ["lower", "--help"]):
            equal(p.run([AWAITC] + argv).returncode, 0, "help: %s" % argv)


def test_lower():
    with Place() as p:
        p.write({"a.c": ASYNC, "src/b.c": "#include \"b.h\"\n" + ASYNC, "src/b.h": "#define N 3\n",
                 "plain.c": PLAIN, "build/compile_commands.json":
                 '[{"directory": "%s/build", "file": "../src/b.c", "command": "cc -DB=\\"1 2\\" -c ../src/b.c -o b.o"}]'
                 % "DIR"})
        p.write({"build/compile_commands.json":
                 p.read("build/compile_commands.json").replace("DIR", p.dir)})
        one = p.run([AWAITC, "lower", "a.c", "--", "-DN=1"])
        equal(one.returncode, 0, "lower: " + text(one))
        p.run([AWAITC, "lower", "a.c", "-o", "out.c", "--", "-DN=1"])
        equal(p.read("out.c").encode(), one.stdout, "-o writes what standard output gets")
        two = p.run([AWAITC, "lower", "-", "--", "-DN=1"], input=ASYNC.encode())
        equal(two.returncode, 0, "lower from standard input: " + text(two))
        r = p.run(["cc", "-c", "out.c", "-isystem", include_dir(), "-o", "out.o"])
        equal(r.returncode, 0, "the lowered text compiles by itself: " + text(r))
        r = p.run([AWAITC, "lower", "src/b.c"])
        equal(r.returncode, 0, "a compilation database in build/ is found: " + text(r))
        r2 = p.run([AWAITC, "lower", p.path("src/b.c"), "-p", "build"])
        equal(r.stdout, r2.stdout, "and gives the same text by -p")
        check(b'#line 1 "../src/b.c"' in r.stdout, "in the command's own spelling", r.stdout)
        r = p.run([AWAITC, "lower", "plain.c"])
        equal(r.stdout, PLAIN.encode(), "a plain source stays as it is")
        r = p.run([AWAITC, "lower", "--no-line", "a.c", "--", "-DN=1"])
        check(b"#line" not in r.stdout, "--no-line")
        equal(p.run([AWAITC, "lower", "a.c", "-p", "src"]).returncode, 2, "-p without a database")


def test_quoted_names(compiler):
    """A header's "util.h" is not looked for beside the source."""
    source = ('#include <lib.h>\n#include "own.h"\n#include <awaitc.h>\n'
              'async int f(void)\n{\n    return UTIL + OWN;\n}\n'
              '_Static_assert(UTIL == 1, "wrong util.h");\n')
    with Place() as p:
        p.write({"src/a.c": source, "src/util.h": "#define UTIL 2\n", "src/own.h": "#define OWN 3\n",
                 "lib/lib.h": '#include "util.h"\n', "inc/util.h": "#define UTIL 1\n",
                 "util.h": "#define UTIL 4\n", "own.h": "#define OWN 5\n", "b.c": source,
                 "inc/forced.h": "#define F 1\n", "src/forced.h": "#error wrong\n"})
        r = cc(p, compiler, ["-Ilib", "-Iinc", "-c", "src/a.c", "-MD"])
        equal(r.returncode, 0, compiler + ": the right util.h is found: " + text(r))
        check("src/a.c" in p.read("a.d") and ".awaitc" not in p.read("a.d"),
              compiler + ": dependencies are right there, too", p.read("a.d"))
        r = cc(p, compiler, ["-Ilib", "-Iinc", "-include", "forced.h", "-c", "src/a.c"])
        equal(r.returncode, 0, compiler + ": the right -include is found: " + text(r))
        r = cc(p, compiler, ["-Ilib", "-Iinc", "-c", "b.c"])
        equal(r.returncode, 0, compiler + ": also from the working directory: " + text(r))
        equal([n for n in p.all_files() if ".awaitc" in n], [], compiler + ": nothing is left beside")


def test_warnings_of_directives(compiler):
    """Warnings about directives in a region appear, and once."""
    with Place() as p:
        p.write({"a.c": "#include <awaitc.h>\n#warning outside\nasync int f(void)\n{\n"
                 "#warning inside\n#if NOPE\n#endif\n    return 1;\n}\n"})
        r = cc(p, compiler, ["-Wundef", "-c", "a.c"])
        for word, line in (("outside", 2), ("inside", 5), ("NOPE", 6)):
            places = [w for w in text(r).splitlines() if "warning:" in w and word in w]
            equal(len(places), 1, "%s: one warning of %s: %s" % (compiler, word, text(r)))
            check(places and places[0].startswith("a.c:%d:" % line), compiler + ": at its line", places)
        r = cc(p, compiler, ["-Werror", "-c", "a.c", "-o", "x.o"])
        check(r.returncode != 0 and not os.path.exists(p.path("x.o")), compiler + ": -Werror", text(r))


def test_determinism(compiler):
    """The same bytes from another directory, in another locale, with other descriptors open."""
    objects = []
    for extra in ({}, {"LC_ALL": "C"}, {"LANG": "de_DE.UTF-8", "TMPDIR": "/var/tmp"}):
        with Place() as p:
            p.write({"src/a.c": ASYNC})
            env = dict(os.environ, **extra)
            r = cc(p, compiler, ["-g", "-ffile-prefix-map=%s=." % p.dir, "-DN=1", "-c", "src/a.c"],
                   env=env)
            objects.append(p.read("a.o", "rb"))
    check(objects[0] == objects[1] == objects[2], compiler + ": the same object everywhere")


# Warnings of the front end and of the optimiser, in async and plain functions, at known lines.
WARNS = """#include <awaitc.h>
#include <stdio.h>
#include <stdlib.h>
#include "warns.h"
static async int leafy(int x)
{
    int y;
    int unused;
    if (x > 3)
        y = await aw_accept(x);
    {
        int x = 3;
        printf("%s", x);
    }
    switch (x) {
    case 1:
        x = 2;
    case 2:
        x = 3;
    }
    short s = await aw_accept(x);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
    short s2 = await aw_accept(x);
#pragma GCC diagnostic pop
    return y + s + s2;
}
async int falls_off(int a)
{
    if (await leafy(a))
        return 1;
}
int plain(int a)
{
    int z;
    if (a > 2)
        z = 1;
    return z;
}
int array[3];
int outside(void)
{
    return array[4];
}
"""
WARNS_H = "static inline short narrow(int a) { int b; return a; }\n"
ONLY_ERASED = ["-D__AWAITC__", "-D__AWAITC_ERASED__", "-isystem", include_dir()]


def places(result):
    found = re.findall(r"^(\S+:\d+):\d+: warning: .*(\[-W.*\])$", text(result), re.M)
    return sorted(w for w in found if w[1] != "[-Wgnu-line-marker]")


def test_warnings(compiler):
    """What the compiler says is what it says of the erased text, byte for byte."""
    all_on = ["-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-pedantic"]
    variants = [["-O2"], ["-O0", "-g"], ["-O1", "-fsyntax-only"], ["-O2", "-S", "-o", "-"],
                ["-fdiagnostics-color=always"], ["-Werror"], ["-Werror=shadow"], ["-Wno-unused"],
                ["-Wno-error", "-Wsystem-headers"], ["-std=c89"], ["-std=c99", "-pedantic-errors"],
                ["-w"], ["-O2", "-flto"], ["-MD"], ["-O2", "-save-temps"], ["-DNDEBUG", "-I."],
                ["-O2", "-Wframe-larger-than=8"], ["-O2", "-fsanitize=undefined"]]
    variants += [["-Weverything"], ["-fdiagnostics-format=msvc"]] if "clang" in compiler else \
                [["-fdiagnostics-format=json"], ["-O2", "-fanalyzer"], ["-fno-diagnostics-show-caret"]]
    with Place() as p:
        p.write({"warns.c": WARNS, "warns.h": WARNS_H, "src/warns.c": WARNS, "src/warns.h": WARNS_H,
                 "plain.c": "int q(int a)\n{\n    int left;\n    return 0;\n}\n", "m.c": MAIN})
        for flags in variants:
            for name in ("warns.c", "src/warns.c"):
                rest = all_on + flags + ([] if "-S" in flags else ["-c"]) + [name]
                bare = p.run(compiler.split() + rest + ONLY_ERASED)
                p.run(["sh", "-c", "rm -f *.o *.s *.i *.d *.bc *.su"])
                ours = cc(p, compiler, rest)
                # gcc -save-temps reads its own preprocessed text: other columns, no macros
                said = places if "-save-temps" in flags else text
                equal((ours.returncode, said(ours)), (bare.returncode, said(bare)),
                      "%s %s %s: the same messages" % (compiler, flags, name))
                if bare.returncode != 0:
                    check(not os.path.exists(p.path("warns.o")), compiler + ": and no output")
        bare = p.run(compiler.split() + all_on + ["-x", "c", "-c", "-", "-O2", "-o", "x.o", "-I."]
                     + ONLY_ERASED, input=WARNS.encode())
        ours = cc(p, compiler, all_on + ["-x", "c", "-c", "-", "-O2", "-o", "x.o", "-I."],
                  input=WARNS.encode())
        equal(text(ours), text(bare), compiler + ": the same messages for standard input")
        for rest in (["-c", "warns.c", "plain.c"], ["warns.c", "plain.c", "m.c", "-o", "prog"]):
            ours = cc(p, compiler, all_on + rest)
            equal([text(ours).count(place) for place in ("warns.c:8:9: ", "plain.c:3:9: ")], [1, 1],
                  "%s %s: each warning once" % (compiler, rest))
        if shutil.which("ccache"):
            env = dict(os.environ, CCACHE_DIR=p.path("cache"))
            bare = p.run(compiler.split() + all_on + ["-c", "warns.c"] + ONLY_ERASED)
            for turn in ("a miss", "a hit"):
                ours = cc(p, "ccache " + compiler, all_on + ["-c", "warns.c"], env=env)
                equal(text(ours), text(bare), "%s behind ccache, %s" % (compiler, turn))


def test_forms_warn_of_nothing(compiler):
    """Forms and defer give no warning of their own, and the contract's errors come with C's."""
    quiet = ("#include <awaitc.h>\n#include <stdlib.h>\nasync int g(int v);\n"
             "async int f(int fd)\n{\n    char *p = malloc(9);\n    int a, b, n;\n"
             "    if (p == NULL)\n        return -1;\n    defer { free(p); }\n    p[0] = 1;\n"
             "    await aw_all(a = g(1), b = g(2));\n"
             "    if (await aw_timeout(9, n = g(p[0])) || await aw_try_all(g(1), g(fd)) < 0)\n"
             "        return a;\n    switch (await aw_race(a = g(1), aw_sleep_ms(5))) {\n"
             "    case 0:\n        break;\n    }\n    aw_task *t = spawn(g(4));\n"
             "    spawn(g(3));\n    await aw_join(t, NULL);\n    aw_scope s;\n"
             "    aw_scope_init(&s, 2);\n    await aw_scope_spawn(&s, g(1));\n"
             "    return await aw_blocking(abs(n)) + a + b + await aw_scope_wait(&s);\n}\n")
    both = "#include <awaitc.h>\nasync int g(int v);\nasync int f(void)\n{\n    g(2);\n    return 1;\n}\n"
    both += "async int h(void)\n{\n    return no;\n}\n"
    with Place() as p:
        p.write({"quiet.c": quiet, "both.c": both})
        for opt in ("-O0", "-O2"):
            r = cc(p, compiler, [opt, "-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-pedantic",
                                 "-std=c11", "-c", "quiet.c"])
            equal((r.returncode, text(r)), (0, ""), "%s %s: forms are quiet" % (compiler, opt))
        r = cc(p, compiler, ["-c", "both.c", "-o", "both.o"])
        equal(r.returncode, 1, compiler + ": errors of both kinds")
        equal((text(r).count("both.c:10:12: error"), text(r).count("awaitc-missing-await"),
               text(r).count("awaitc-parse")), (1, 1, 0), compiler + ": each once: " + text(r))


def test_warnings_of_erased_text(compiler):
    """The same places when the keywords are really gone, without <awaitc.h>."""
    erased = erase(WARNS).replace("#include <awaitc.h>", "int aw_accept(int listener);")
    with Place() as p:
        p.write({"warns.c": WARNS, "warns.h": WARNS_H, "bare/warns.c": erased})
        for flags in (["-O2"], ["-O0"], ["-O3", "-std=c99"]):
            rest = flags + ["-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-pedantic", "-c", "warns.c"]
            ours = cc(p, compiler, rest)
            bare = p.run(["sh", "-c", 'cd bare && "$@" -I..', "sh"] + compiler.split() + rest)
            check(len(places(bare)) >= 7, compiler + ": there are warnings", text(bare))
            equal([w for w in places(ours) if ".h" not in w[0]],
                  [w for w in places(bare) if ".h" not in w[0]],
                  "%s %s: the places of the erased text" % (compiler, flags))


for compiler in COMPILERS:
    test_inputs(compiler)
    test_pass_through(compiler)
    test_preprocessed(compiler)
    test_errors(compiler)
    test_quoted_names(compiler)
    test_warnings_of_directives(compiler)
    test_determinism(compiler)
    test_warnings(compiler)
    test_forms_warn_of_nothing(compiler)
    test_warnings_of_erased_text(compiler)
test_wrong_use()
test_lower()
equal(glob.glob(TEMPORARY + "/awaitc*"), [], "no temporary files are left")
shutil.rmtree(TEMPORARY)
finish()
