# SPDX-License-Identifier: MIT
"""What happens with wrong names, broken sources, missing plug-ins, files that cannot be written?"""
import os
import tempfile

from lib_graph import finish, flags, problem, run

SOURCE = """#include <awaitc.h>
async int reader(int fd) { char c; return (int)await aw_read(fd, &c, 1); }
async int writer(int fd) { return await reader(fd); }
"""
folder = tempfile.TemporaryDirectory()


def write(name, text):
    with open(os.path.join(folder.name, name), "w", encoding="utf-8") as f:
        f.write(text)


def expect(status, words, *args, env=None):
    done = run(*args, cwd=folder.name, env=env, check=False)
    text = done.stderr.decode()
    if done.returncode != status:
        problem(f"{args}: status {done.returncode}, not {status}: {text}")
    for word in words:
        if word not in text:
            problem(f"{args}: no {word!r} in: {text}")
    return done


write("good.c", SOURCE)
write("bad.c", SOURCE.replace("return await reader", "return reader"))
write("broken.c", SOURCE + "async int f(int a) { return a + nothing; }\n")
write("plain.c", "int main(void) { return 0; }\n")
write("old.json", "{\"functions\": 3}")
write("no.json", "{,}")
good = ("good.c", *flags())

expect(2, ["'raeder'", "did you mean 'reader'"], "good.c", "--function=raeder", *flags())
expect(2, ["there are 'reader', 'writer'"], "good.c", "--function=xyzzy_and_more", *flags())
expect(2, ["these files have none"], "plain.c", "--function=f", *flags())
expect(0, [], "plain.c", *flags())
expect(1, ["bad.c:3", "awaitc-missing-await"], "bad.c", *flags())
expect(1, ["bad.c:3"], "good.c", "bad.c", "-o", "out.svg", *flags())
if os.path.exists(os.path.join(folder.name, "out.svg")):
    problem("a refused source left an output file")
expect(1, ["broken.c:4"], "broken.c", *flags())
expect(2, ["cannot read 'missing.c'"], "missing.c", *flags())
expect(2, ["cannot write", "no/such/dir"], "good.c", "-o", "no/such/dir/x.svg", *flags())
expect(2, ["no format 'gif'"], "good.c", "--format=gif", *flags())
expect(2, ["no view 'flow'"], "good.c", "--view=flow", *flags())
expect(2, ["--show=colour"], "good.c", "--show=cancel,colour", *flags())
expect(2, ["--states=9-3"], "good.c", "--states=9-3", *flags())
expect(2, ["graph takes files"])
expect(2, ["old.json:1", "not a file that"], "good.c", "--diff=old.json", *flags())
expect(2, ["no.json:1:2", "no JSON"], "good.c", "--diff=no.json", *flags())
expect(2, ["cannot read 'gone.json'"], "good.c", "--diff=gone.json", *flags())
expect(2, ["needs --diff"], "good.c", "--fail-on-growth=3%", *flags())
expect(2, ["a percentage"], "good.c", "--diff=old.json", "--fail-on-growth=much", *flags())
if run("good.c", "--format=svg", *flags(), cwd=folder.name, check=False).returncode == 0:
    expect(2, ["cannot load Graphviz", "AWAITC_LIBGVC"], "good.c", "--format=svg", *flags(),
           env={"AWAITC_LIBGVC": "/no/such/libgvc.so"})
    expect(2, ["plug-in 'core' is not in /no/such", "package graphviz"], "good.c", "--format=svg", *flags(),
           env={"GVBINDIR": "/no/such"})
    expect(2, ["a plug-in is missing"], "good.c", "--format=png", *flags(), env={"GVBINDIR": "/no/such"})
    expect(0, [], "good.c", "--format=dot", *flags(), env={"AWAITC_LIBGVC": "/no/such/libgvc.so"})
finish("misuse")
