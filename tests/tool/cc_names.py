# SPDX-License-Identifier: MIT
"""Everything that is named after the source has the names that the bare compiler gives."""
import os
import re
import subprocess

from lib_cc import COMPILERS, Place, build, check, equal, finish

SOURCE = """#include "local.h"
#include <awaitc.h>

static async int twice(int a)
{
    return LOCAL(a);
}

async int entry(int a)
{
    int unused_here;
    return await twice(a) + header(a);
}

int plain(void)
{
    int unused_there;
    return 0;
}
"""
HEADER = """#define LOCAL(a) ((a) * 2)
static inline int header(int a)
{
    int unused_in_header;
    return a + __FILE__[0];
}
"""
MAIN = SOURCE + "int main(void) { return plain(); }\n"

# flags, files; the source is src/foo.c or foo.c
COMPILES = [
    ["-c", "src/foo.c"],
    ["-c", "foo.c"],
    ["-c", "./foo.c"],
    ["-c", "foo.c", "-o", "out.o"],
    ["-c", "src/foo.c", "-o", "out/bar.o"],
    ["-S", "src/foo.c"],
    ["-S", "foo.c", "-o", "x.s"],
    ["-fsyntax-only", "src/foo.c"],
    ["-c", "src/foo.c", "-MD"],
    ["-c", "foo.c", "-MMD"],
    ["-c", "foo.c", "-MD", "-MP"],
    ["-c", "src/foo.c", "-MD", "-MP", "-o", "out/bar.o"],
    ["-c", "foo.c", "-MMD", "-MP", "-MF", "deps.txt", "-MT", "all"],
    ["-c", "foo.c", "-MD", "-MQ", "a$b", "-MF", "out/d"],
    ["-c", "src/foo.c", "-Wp,-MD,out/.foo.d"],
    ["-c", "foo.c", "-Wp,-MMD,out/.foo.d", "-o", "out/foo.o"],
    ["-S", "foo.c", "-MD"],
    ["-c", "src/foo.c", "-save-temps"],
    ["-c", "src/foo.c", "-save-temps=obj", "-o", "out/bar.o"],
    ["-c", "src/foo.c", "-g", "-gsplit-dwarf"],
    ["-c", "foo.c", "-fstack-usage"],
    ["-c", "src/foo.c", "-fstack-usage", "-o", "out/bar.o"],
    ["-c", "src/foo.c", "--coverage"],
    ["-c", "foo.c", "--coverage", "-o", "out/bar.o"],
    ["-c", "src/foo.c", "-pipe", "-g", "-O2"],
    ["-c", "-x", "c", "src/text", "-o", "t.o"],
    ["-c", "with space/foo.c", "-MD"],
]
LINKS = [
    ["foo.c", "-o", "prog"],
    ["src/foo.c", "-o", "prog", "-MD"],
    ["src/foo.c", "-o", "out/prog", "-fstack-usage"],
    ["foo.c", "other.c", "-o", "prog"],
    ["foo.c"],
]
MANY = [["-c", "foo.c", "other.c"], ["-c", "src/foo.c", "other.c", "-MD"]]


def files_for(source):
    files = {
        "src/local.h": HEADER,
        "local.h": HEADER,
        "with space/local.h": HEADER,
        "out/.keep": "",
        "other.c": "int other(void) { return 1; }\n",
    }
    for name in ("foo.c", "src/foo.c", "src/text", "with space/foo.c"):
        files[name] = source
    return files


def debug_names(place, objects):
    """DW_AT_name and DW_AT_comp_dir of the units in the objects."""
    found = []
    for name in sorted(objects):
        if not name.endswith(".o"):
            continue
        text = subprocess.run(["readelf", "--debug-dump=info", place.path(name)],
                              capture_output=True, text=True, errors="replace").stdout
        unit = text.split("DW_TAG_compile_unit", 1)[-1].split("Abbrev Number", 1)[0]
        found += re.findall(r"DW_AT_(name|comp_dir|producer)\s*:.*: (.*)", unit)
        symbols = subprocess.run(["readelf", "-sW", place.path(name)], capture_output=True,
                                 text=True).stdout
        found += re.findall(r"FILE .* (\S+)$", symbols, re.M)
    return found


def warnings(result):
    """The messages, without quoted lines: only their number, place and text count."""
    text = result.stderr.decode(errors="replace")
    return [line for line in text.splitlines() if re.match(r"[^ ].*: (warning|error|note):", line)
            or line.startswith("In file included")]


def compare(compiler, flags, source):
    name = "%s %s" % (compiler, " ".join(flags))
    with Place() as place:
        flags = flags + ["-Wall"]
        ours, made = build(place, compiler, flags, files_for(source), True)
        if not check(ours.returncode == 0, name + ": compiles", ours.stderr.decode()):
            return
        deps = {n: place.read(n) for n in made if n.endswith(".d") or n in ("deps.txt", "out/d")}
        names = debug_names(place, made) if "-g" in flags and "-gsplit-dwarf" not in flags else None
        other, expected = build(place, compiler, flags, files_for(source), False)
        equal(sorted(made), sorted(expected), name + ": files")
        for n in deps:
            if n in expected:
                equal(deps[n], place.read(n), name + ": text of " + n)
        if names is not None:
            equal(names, debug_names(place, expected), name + ": names in debug information")
        for w in warnings(ours):
            check("/proc/" not in w and "/tmp/awaitc" not in w, name + ": no strange name", w)
        for w in ("unused_in_header", "unused_there"):
            count = sum(w in line for line in warnings(ours))
            equal(count, sum(w in line for line in warnings(other)), name + ": warnings of " + w)
        places = [w.split(": ")[0].rsplit(":", 1)[0] for w in warnings(other) if ": warning" in w]
        got = [w.split(": ")[0].rsplit(":", 1)[0] for w in warnings(ours) if ": warning" in w]
        equal(sorted(set(got)), sorted(set(places)), name + ": places of warnings")


for compiler in COMPILERS:
    for flags in COMPILES + MANY:
        compare(compiler, flags, SOURCE)
    for flags in LINKS: # what the runtime would bring is left open
        compare(compiler, flags + ["-Wl,--unresolved-symbols=ignore-all"], MAIN)
finish()
