# SPDX-License-Identifier: MIT
"""What the tests of `awaitc lint` share: a small project with one finding that crosses files, a
runner, and how findings are read from the text form.
"""
import json
import os
import re
import subprocess

from lib_cc import AWAITC, Place, check, equal, finish  # noqa: F401 (for the tests)

# The finding stands at a.c:6, and its way goes through b.c:5.
PROJECT = {
    "a.c": """#include <awaitc.h>
#include <unistd.h>
#include "b.h"
async int serve(int fd)
{
    flush(fd);
    await aw_sleep_ms(1);
    return 0;
}
""",
    "b.h": "int flush(int fd);\n",
    "b.c": """#include <unistd.h>
#include "b.h"
int flush(int fd)
{
    return fsync(fd);
}
""",
}
FOUND = ["a.c:6 awaitc-blocking-call"]
LINE = re.compile(r"^([^\s:][^:]*):(\d+):(?:\d+:)? (error|warning|note): (.*?)(?: \[([\w-]+)\])?$", re.M)


def findings(text):
    """"FILE:LINE ID" of each finding in a text report."""
    return [f"{m[1]}:{m[2]} {m[5]}" for m in LINE.finditer(text) if m[5]]


class Project(Place):
    """A temporary folder with files, in which the linter runs."""

    def __init__(self, files=None):
        super().__init__()
        self.write(PROJECT if files is None else files)

    def lint(self, *args, **more):
        """The result, with texts, of `awaitc lint ARGS` in the folder."""
        if "input" not in more:
            more["stdin"] = subprocess.DEVNULL
        folder = more.pop("folder", self.dir)
        return subprocess.run([AWAITC, "lint", *args], cwd=folder, capture_output=True, text=True,
                              timeout=100, **more)

    def database(self, entries, at="compile_commands.json"):
        self.write({at: json.dumps(entries)})

    def expect(self, name, args, status, found=None, err=None, **more):
        """Runs, and checks exit status, findings and what stands on standard error."""
        r = self.lint(*args, **more)
        shown = f"{r.stdout}\n--- standard error\n{r.stderr}"
        check(r.returncode == status, f"{name}: exit status {r.returncode}, not {status}", shown)
        if found is not None:
            check(findings(r.stdout) == found, f"{name}: findings", f"wanted {found}\n{shown}")
        if err is not None:
            check(re.search(err, r.stderr, re.M if err != "^$" else 0), f"{name}: standard error lacks '{err}'", shown)
        return r


def entry(file, directory=".", command=None, arguments=None):
    e = {"directory": directory, "file": file}
    if arguments is not None:
        e["arguments"] = arguments
    else:
        e["command"] = command or f"cc -c {file}"
    return e


def exists(place, name):
    return os.path.exists(place.path(name))
