# SPDX-License-Identifier: MIT
# ctest-timeout: 300
"""Killed at any moment, `awaitc cc` leaves nothing: no files, no children, no half outputs."""
import glob
import os
import random
import signal
import subprocess
import time

from lib_cc import AWAITC, Place, check, equal, finish

FUNCTIONS = "".join(
    "async int f%d(int a)\n{\n    int b = %s;\n    return b;\n}\n"
    % (i, " + ".join("(a ^ %d)" % k for k in range(60))) for i in range(150))
SOURCE = "#include <stdio.h>\n#include <awaitc.h>\n" + FUNCTIONS

# a wrapper makes awaitc use a private directory; -MD makes it wait for the compiler
COMMANDS = [
    ["cc", "gcc", "-O2", "-c", "src/a.c", "-o", "a.o"],
    ["cc", "gcc", "-O2", "-MD", "-c", "src/a.c", "-o", "a.o"],
    ["cc", "env", "A=b", "gcc", "-O2", "-MD", "-c", "src/a.c", "-o", "a.o"],
    ["lower", "src/a.c", "-o", "a.lowered.c"],
]


def children_of(group):
    found = []
    for stat in glob.glob("/proc/[0-9]*/stat"):
        try:
            with open(stat) as f:
                fields = f.read().rsplit(")", 1)[1].split()
        except OSError:
            continue
        if int(fields[2]) == group and fields[0] != "Z":
            found.append(stat)
    return found


def wait_until_gone(group):
    for _ in range(100):
        if not children_of(group):
            return True
        time.sleep(0.05)
    return False


def one_kill(place, argv, delay, signal_number):
    env = dict(os.environ, TMPDIR=place.path("tmp"))
    p = subprocess.Popen([AWAITC] + argv, cwd=place.dir, env=env, start_new_session=True,
                         stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(delay)
    p.send_signal(signal_number)
    p.wait()
    return wait_until_gone(p.pid)


def check_after(place, whole, name, gone):
    check(gone, name + ": no process is left")
    # The compiler's own temporaries (cc*.s) are its own business.
    left = [n for n in os.listdir(place.path("tmp")) if not n.startswith("cc")]
    equal(left, [], name + ": no temporary file is left")
    odd = place.all_files() - {"src/a.c", "a.o", "a.d", "a.lowered.c"}
    odd = {n for n in odd if not n.startswith("tmp/")}
    equal(odd, set(), name + ": no file beside the outputs")
    if os.path.exists(place.path("a.lowered.c")):
        check(place.read("a.lowered.c") == whole, name + ": no half output")


random.seed(7)
for argv in COMMANDS:
    with Place() as place:
        place.write({"src/a.c": SOURCE})
        os.mkdir(place.path("tmp"))
        start = time.time()
        r = place.run([AWAITC] + argv, env=dict(os.environ, TMPDIR=place.path("tmp")))
        took = time.time() - start
        if not check(r.returncode == 0, "%s works" % argv, r.stderr.decode()):
            continue
        whole = place.read("a.lowered.c") if argv[0] == "lower" else None
        for _ in range(5):
            for name in ("a.o", "a.d", "a.lowered.c"):
                if os.path.exists(place.path(name)):
                    os.remove(place.path(name))
            for name in os.listdir(place.path("tmp")):
                os.remove(place.path("tmp/" + name))
            signal_number = random.choice([signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
            gone = one_kill(place, argv, random.random() * took, signal_number)
            name = "%s, %s" % (" ".join(argv), signal_number.name)
            check_after(place, whole, name, gone)
finish()
