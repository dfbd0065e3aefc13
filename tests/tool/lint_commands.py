# SPDX-License-Identifier: MIT
# ctest-timeout: 120
"""Does `awaitc lint` take its files, flags and options as promised, and end with the right status?"""
import os
import subprocess

from lib_lint import AWAITC, FOUND, Project, check, entry, equal, findings, finish

USAGE = r"^awaitc: error: .*\[awaitc-usage\]$"

with Project() as p:
    p.expect("named files", ["a.c", "b.c"], 1, FOUND)
    p.expect("a file alone has no chain", ["a.c"], 0, [])
    p.expect("a file named twice", ["a.c", "./a.c", "b.c", os.path.join(p.dir, "b.c")], 1, FOUND,
             "1 warning in 2 files")
    p.expect("the severity that fails", ["a.c", "b.c", "--fail-on=error"], 0, FOUND)
    p.expect("value as a word of its own", ["--fail-on", "note", "-j", "1", "a.c", "b.c"], 1, FOUND)
    for args in (["--no-such-option"], ["--format=xml", "a.c"], ["--fail-on=never", "a.c"],
                 ["--jobs=0", "a.c"], ["--jobs=many", "a.c"], ["--write-baseline", "a.c"],
                 ["--checks"], ["--fix=yes", "a.c"], [], ["-p", ".", "a.c"]):
        p.expect("misuse " + " ".join(args), args, 2, [], USAGE)
    r = p.expect("help", ["--help"], 0, err="^$")
    check(r.stdout.startswith("Usage: awaitc lint"), "help says its use", r.stdout)
    for option in ("--checks", "--format", "--fix", "--baseline", "--jobs", "--facts-out", "--cache"):
        check(option in r.stdout, "help names " + option)
    p.expect("a file that is not there", ["gone.c", "a.c", "b.c"], 2, FOUND,
             r"^awaitc: error: cannot read 'gone.c': No such file or directory \[awaitc-input\]$")
    p.write({"flags.c": "#ifndef LIMIT\n#error no limit\n#endif\nint limit = LIMIT;\n"})
    p.expect("flags behind --", ["flags.c", "--", "-DLIMIT=3"], 0, [], "^$")
    r = p.expect("without flags", ["flags.c"], 2, [], "note: this file was not understood.*plain C11")
    check("flags.c:2:2: error: #error no limit" in r.stderr, "the compiler's error is shown", r.stderr)

with Project() as p:
    text = "#include <awaitc.h>\n#include <unistd.h>\nasync int f(int fd)\n{\n" \
           "    fsync(fd);\n    await aw_sleep_ms(1);\n    return 0;\n}\n"
    p.expect("standard input", ["-"], 1, ["<stdin>:5 awaitc-blocking-call"], input=text)
    p.expect("standard input with flags", ["-", "--", "-DX"], 1, ["<stdin>:5 awaitc-blocking-call"],
             input=text)
    p.expect("empty standard input", ["-"], 0, [], "^$", input="")
    p.write({"broken.c": "#include <no_such_header.h>\n#include <awaitc.h>\n#include <assert.h>\n"
                         "async int f(void)\n{\n    assert(await aw_read(0, 0, 0) == 0);\n"
                         "    return 0;\n}\n"})
    p.expect("checks without types in a file that does not parse", ["broken.c", "a.c", "b.c"], 2,
             FOUND + ["broken.c:6 awaitc-assert-await"], "broken.c: note: this file was not understood")
    p.write({"part.c": "int broken(void)\n{\n    int x = ;\n    return x;\n}\n" + text})
    p.expect("a function that does not parse", ["part.c"], 2, ["part.c:10 awaitc-blocking-call"],
             r"part.c:3:13: error: .*\[awaitc-parse\]")

with Project() as p:
    os.makedirs(p.path("build"))
    os.makedirs(p.path("src/deep"))
    for name in ("a.c", "b.c", "b.h"):
        os.rename(p.path(name), p.path("src/" + name))
    p.write({"src/b.c": "#if LIMIT != 3\n#error wrong flags\n#endif\n" + p.read("src/b.c")})
    found = ["src/a.c:6 awaitc-blocking-call"]
    commands = [entry("a.c", "../src"),
                entry("../src/b.c", ".", arguments=["cc", "-DLIMIT=3", "-c", "../src/b.c"]),
                entry("b.c", os.path.join(p.dir, "src"), command="cc -DLIMIT=3 -DNAME='\"a b\"' -c b.c"),
                entry("x.S", "."), entry("x.cpp", ".")]
    p.database(commands, "build/compile_commands.json")
    p.expect("the database of build/, found from here", [], 1, found, "in 2 files")
    p.expect("named files, their commands from build/ above", ["src/a.c", "src/b.c"], 1, found)
    p.expect("from a folder below", [], 1, [os.path.join(p.dir, "src/a.c") + ":6 awaitc-blocking-call"],
             folder=p.path("src/deep"))
    p.expect("from the folder of the sources", ["a.c", "b.c"], 1, ["a.c:6 awaitc-blocking-call"],
             folder=p.path("src"))
    p.expect("-p DIR", ["-p", "build"], 1, found)
    p.expect("-p joined", ["-pbuild"], 1, found)
    p.expect("-p of a folder above build", ["-p", ".", "src/a.c", "src/b.c"], 1, found)
    p.expect("-p where there is none", ["-p", "src/deep"], 2, [], USAGE)
    r = p.expect("flags behind -- outweigh the database", ["src/b.c", "--", "-DLIMIT=4"], 2, [])
    check("wrong flags" in r.stderr, "the database's flags are not used then", r.stderr)
    p.write({"elsewhere.c": p.read("src/a.c").replace('"b.h"', '"src/b.h"')})
    p.expect("a file that the database lacks", ["elsewhere.c", "src/b.c"], 1,
             ["elsewhere.c:6 awaitc-blocking-call"])

    commands += [entry("gone.c"), entry("q.c", "/no/such/folder"), {"file": "odd.c"}, {"directory": "."},
                 17, entry("c.c", ".", arguments=["/no/such/compiler", "-c", "c.c"])]
    p.write({"build/c.c": "int c;\n"})
    p.database(commands, "build/compile_commands.json")
    r = p.expect("wrong entries are named, the rest is reported", [], 2, found, "")
    for wanted in ("cannot read 'build/gone.c'", "cannot enter '/no/such/folder'", "/no/such/compiler"):
        check(wanted in r.stderr, "named: " + wanted, r.stderr)
    p.write({"build/compile_commands.json": '[{"directory": ".",\n  oops}]'})
    for args in ([], ["src/a.c"], ["-p", "build"]):
        p.expect("a broken database", args, 2, [],
                 r"compile_commands.json:2:\d+: error: .*\[awaitc-input\]$")
    p.write({"build/compile_commands.json": '{"a": 1}'})
    p.expect("a database that is no list", [], 2, [], "compile_commands.json:1:1: error: .*not a list")

# Errors in the text form can be told from findings by where they go.
with Project() as p:
    r = subprocess.run([AWAITC, "lint", "a.c", "b.c"], cwd=p.dir, stdout=subprocess.PIPE,
                       stderr=subprocess.DEVNULL, text=True)
    equal(findings(r.stdout), FOUND, "findings are on standard output")

finish()
