# SPDX-License-Identifier: MIT
# ctest-timeout: 180
"""Do facts files, jobs and the cache change nothing but the time? And are only changed files read?"""
import os
import shutil
import stat

from lib_lint import FOUND, PROJECT, Project, check, entry, equal, finish

FORMATS = ("text", "json", "sarif")
MANY = {f"n{i}.c": PROJECT["a.c"].replace("serve", f"serve{i}").replace("flush(", "fsync(") for i in range(9)}
MANY.update({"assert.c": "#include <awaitc.h>\n#include <assert.h>\nasync int f(void)\n{\n"
                         "    assert(await aw_read(0, 0, 0) == 0);\n"
                         "    return 0; // NOLINT(awaitc-large-frame)\n}\n"})
SOURCES = sorted(MANY) + ["a.c", "b.c"]

with Project() as p:
    p.write(MANY)
    for form in FORMATS:
        direct = p.lint("--format=" + form, "--jobs=1", *SOURCES)
        check(direct.returncode == 1 and "serve3" in direct.stdout, "there are findings", direct.stderr)
        equal(p.lint("--format=" + form, "--jobs=8", *SOURCES).stdout, direct.stdout, "jobs, " + form)
        facts = []
        for name in SOURCES:
            facts.append(name + ".facts")
            r = p.lint("--facts-out=" + facts[-1], name)
            check(r.returncode == 0 and r.stdout == "" and r.stderr == "", "facts are all that is made", r)
        joined = p.lint("--format=" + form, "--facts", *facts)
        equal((joined.returncode, joined.stdout), (1, direct.stdout), "joined facts, " + form)
    r = p.lint("--facts=a.c.facts", "b.c.facts")
    equal(r.returncode, 1, "--facts=FILE with more files")
    r = p.lint("--facts-out=-", "a.c")
    equal(r.stdout, p.read("a.c.facts"), "facts on standard output")
    p.lint("--facts-out=all.facts", "a.c", "b.c")
    p.expect("facts of several sources in one file", ["--facts", "all.facts"], 1, FOUND)
    os.remove(p.path("b.c"))
    p.expect("the join needs no sources", ["--facts", "all.facts"], 1, FOUND)

    good = p.read("a.c.facts")
    lines = good.splitlines(True)
    broken = {"empty.facts": "", "text.facts": "int main(void) { return 0; }\n",
              "cut.facts": good[:len(good) // 2], "cut2.facts": "".join(lines[:-1]),
              "version.facts": good.replace("awaitc-facts\t", "awaitc-facts\t99999", 1),
              "bytes.facts": lines[0] + "\x00\x01\tfoo\n",
              "call.facts": lines[0] + "call\t1\nend\n"}
    for name, text in broken.items():
        p.write({name: text})
        if name == "empty.facts":
            continue
        p.expect(name, ["--facts", name, "all.facts", "gone.facts"], 2, FOUND,
                 name + r":\d+:1: error: .*\[awaitc-input\]")
        p.expect(name + ", the others", ["--facts", name, "all.facts", "gone.facts"], 2, FOUND,
                 r"cannot read 'gone.facts'.*\[awaitc-input\]")

# From another folder, with relative commands.
with Project({"src/" + k: v for k, v in PROJECT.items()}) as p:
    p.database([entry("../src/a.c"), entry("b.c", "../src")], "out/compile_commands.json")
    place = p.path("out")
    sources = ["../src/a.c", "../src/b.c"]
    direct = p.lint("-p", ".", folder=place)
    for name in sources:
        p.lint("-p", ".", "--facts-out", os.path.basename(name) + ".facts", name, folder=place)
    joined = p.lint("--facts", "a.c.facts", "b.c.facts", folder=place)
    equal(joined.stdout, direct.stdout, "facts made in another folder")
    check("src/a.c:6:5: warning" in joined.stdout, "the finding is there", joined.stdout)


class Counted(Project):
    """A project whose compiler notes for which files it runs: each has flags of its own, of a name
    that the compiler has to define."""

    def __init__(self):
        super().__init__()
        self.write(MANY)
        self.write({"counting-cc": "#!/bin/sh\nfor a; do case $a in -D__SOURCE=*) echo ${a#-D__SOURCE=} >>"
                                   '"%s/log";; esac; done\nexec cc "$@"\n' % self.dir})
        os.chmod(self.path("counting-cc"), stat.S_IRWXU)
        self.commands()

    def commands(self, flag="-DPLAIN"):
        self.database([entry(n, arguments=["./counting-cc", "-D__SOURCE=" + n, flag, "-c", n])
                       for n in SOURCES])

    def reads(self, *args):
        """Which sources a cached run reads, and the run."""
        if os.path.exists(self.path("log")):
            os.remove(self.path("log"))
        r = self.lint("-p", ".", "--cache=cache", *args)
        log = self.read("log").split() if os.path.exists(self.path("log")) else []
        return sorted(set(log)), r


with Counted() as p:
    direct = p.lint("-p", ".")
    read, cold = p.reads()
    equal(read, sorted(SOURCES), "a cold run reads all")
    read, warm = p.reads()
    equal(read, [], "a warm run reads nothing")
    equal(cold.stdout, direct.stdout, "cold and direct")
    equal((warm.stdout, warm.returncode), (direct.stdout, 1), "warm and direct")
    p.write({"n3.c": MANY["n3.c"] + "\n"})
    equal(p.reads()[0], ["n3.c"], "one changed file is read again, alone")
    with open(p.path("n4.c"), "a"):
        os.utime(p.path("n4.c"))
    equal(p.reads()[0], ["n4.c"], "so is one with a new time")
    p.write({"b.h": "int flush(int fd); /* changed */\n"})
    users = sorted(n for n in SOURCES if n != "assert.c")
    equal(p.reads()[0], users, "and all that include a changed header")
    p.write({"c.h": "extern int c;\n", "n5.c": '#include "c.h"\n' + MANY["n5.c"]})
    p.reads()
    os.remove(p.path("c.h"))
    read, r = p.reads()
    check(r.returncode == 2 and "c.h" in r.stderr, "a header that is gone is noticed", r.stderr)
    p.write({"c.h": "extern int c;\n"})
    p.reads()
    p.commands("-DOTHER")
    equal(p.reads()[0], sorted(SOURCES), "other flags")
    equal(p.reads()[0], [], "which are then known")
    p.write({".awaitc.yaml": "FailOn: error\nLoopCallbacks:\n  - {function: f, argument: 0}\n"})
    read, r = p.reads()
    equal((read, r.returncode), (sorted(SOURCES), 0), "another configuration")
    p.write({".awaitc.yaml": "Facts: [own.tsv]\n",
             "own.tsv": open(os.path.join(os.environ["AWAITC_SOURCE"],
                                          "rules/data/blocking.tsv")).readline()})
    p.reads()
    p.write({"own.tsv": p.read("own.tsv") + "\n"})
    p.reads()
    equal(p.reads()[0], [], "unchanged facts of the project")
    for name in os.listdir(p.path("cache")):
        with open(p.path("cache/" + name), "w") as f:
            f.write("cache\tnothing\n" + lines[0])
    read, r = p.reads()
    equal((read, r.returncode), (sorted(SOURCES), 1), "broken entries are read again")
    names = os.listdir(p.path("cache"))
    for name in names:
        text = p.read("cache/" + name)
        p.write({"cache/" + name: text[:len(text) * 3 // 4]})
    read, r = p.reads()
    equal((r.returncode, r.stdout), (1, p.lint("-p", ".").stdout), "entries that are cut short")
    equal(read, sorted(SOURCES), "they are read again")
    shutil.rmtree(p.path("cache"))
    p.write({"cache": "a file, not a folder"})
    read, r = p.reads()
    equal((read, r.returncode), (sorted(SOURCES), 1), "a cache that cannot be written is no error")

finish()
