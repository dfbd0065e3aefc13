# SPDX-License-Identifier: MIT
# ctest-timeout: 240
"""Does one bad source leave the others alone, and does a run that is ended leave nothing behind?"""
import os
import signal
import stat
import subprocess
import time

from lib_lint import AWAITC, FOUND, Project, check, entry, equal, finish, findings


def script(p, name, text):
    p.write({name: "#!/bin/sh\n" + text})
    os.chmod(p.path(name), stat.S_IRWXU)


def processes(word):
    """Command lines of running processes that hold a word."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/cmdline", "rb") as f:
                line = f.read().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue
        if word in line and int(pid) != os.getpid():
            found.append(line)
    return found


# Readers that crash, take for ever, or whose compiler does: stand-ins for compilers do it to them.
with Project() as p:
    script(p, "crash-cc", "kill -SEGV $PPID; sleep 5\n")
    script(p, "slow-cc", "kill -XCPU $PPID; sleep 5\n")
    script(p, "spin-cc", "while :; do :; done\n")
    script(p, "odd-cc", "printf '# 1 \"x.c\"\\n)]}{ \\001\\377 %0100000d' 0\n")
    script(p, "mute-cc", "exit 3\n")
    bad = ["crash", "slow", "spin", "odd", "mute"]
    p.write({f"{n}.c": "int x;\n" for n in bad})
    p.database([entry(f"{n}.c", arguments=[f"./{n}-cc", "-c", f"{n}.c"]) for n in bad] +
               [entry("a.c"), entry("b.c")])
    r = subprocess.run(["bash", "-c", f"ulimit -St 5; exec '{AWAITC}' lint -p . -j2"], cwd=p.dir,
                       capture_output=True, text=True, timeout=100)
    equal((r.returncode, findings(r.stdout)), (2, FOUND), "the rest is reported")
    for wanted in ("crash.c: error: the reader of this file ended unexpectedly (signal 11)",
                   "slow.c: error: reading this file took too much processor time",
                   "spin.c: error: its compiler, './spin-cc', failed without a message",
                   "mute.c: error: its compiler, './mute-cc', failed without a message"):
        check(wanted in r.stderr, wanted, r.stderr)
    check("odd.c" in r.stderr, "what no compiler writes", r.stderr)

# Odd sources: none of them stops the run.
with Project() as p:
    p.write({"deep.c": "int x = " + "(" * 20000 + "1" + ")" * 20000 + ";\n",
             "blocks.c": "void f(void)\n" + "{" * 5000 + "}" * 5000 + "\n",
             "long.c": "int a" + "a" * 1000000 + ";\n", "open.c": "void f(void) { \"abc",
             "nul.c": "int a\0b;\n", "bytes.c": "\x01\x02\x7f\xff\n", "empty.c": "",
             "directory.c/x": "", "many.c": "int f(int);\nint g(void) { return 0" + " + f(1)" * 2000 + "; }\n"})
    names = [n for n in ("deep", "blocks", "long", "open", "nul", "bytes", "empty", "directory", "many")]
    r = p.lint("a.c", "b.c", *[n + ".c" for n in names])
    equal(findings(r.stdout), FOUND, "odd sources")
    check("internal" not in r.stderr, "no reader ended unexpectedly", r.stderr)

# Many files with few descriptors.
with Project() as p:
    p.write({f"m{i}.c": f"int m{i};\n" for i in range(300)})
    p.database([entry(n, arguments=["cc", "-c", n])
                for n in [f"m{i}.c" for i in range(300)] + ["a.c", "b.c"]])
    r = subprocess.run(["bash", "-c", f"ulimit -n 128; exec '{AWAITC}' lint -j 2"], cwd=p.dir,
                       capture_output=True, text=True, timeout=200)
    equal((r.returncode, findings(r.stdout)), (1, FOUND), "300 files, 128 descriptors: " + r.stderr[:300])

# Ending a run ends its children, also if only the parent is told.
with Project() as p:
    marker = f"sleeper-{os.getpid()}"
    script(p, marker, "exec sleep 987\n")
    p.database([entry(f"s{i}.c", arguments=["./" + marker, "-c", f"s{i}.c"]) for i in range(4)])
    p.write({f"s{i}.c": "int x;\n" for i in range(4)})
    before = p.all_files()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
        running = subprocess.Popen([AWAITC, "lint", "--jobs=3", "-o", "out.txt", "-p", p.dir], cwd=p.dir,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(200):
            if len(processes("sleep 987")) >= 3:
                break
            time.sleep(0.05)
        check(len(processes("sleep 987")) >= 3, "three are read at once")
        running.send_signal(number)
        equal(running.wait(20), -number, "the run ends by its signal")
        for _ in range(100):
            left = processes("sleep 987") + processes(p.dir)
            if not left:
                break
            time.sleep(0.05)
        equal(left, [], f"no process is left after {number.name}")
        equal(p.all_files(), before, f"no file is left after {number.name}")

finish()
