# SPDX-License-Identifier: MIT
# ctest-timeout: 240
"""Does Microsoft's sarif-multitool find the reports valid? Skipped where npm cannot get it.

Its command is taken from SARIF_MULTITOOL, or from npx.
"""
import json
import os
import shlex
import shutil
import subprocess
import sys

from lib_fixable import FIXABLE
from lib_lint import Project, check, finish

command = shlex.split(os.environ.get("SARIF_MULTITOOL", ""))
if not command and shutil.which("npx"):
    command = ["npx", "--yes", "@microsoft/sarif-multitool"]
try:
    found = subprocess.run(command + ["--version"], capture_output=True, text=True, timeout=120)
except (OSError, IndexError, subprocess.TimeoutExpired):
    found = None
if found is None or "sarif" not in (found.stdout + found.stderr).lower():
    print("sarif-multitool is not to be had")
    sys.exit(77)

with Project() as p:
    p.write({**FIXABLE, "broken.c": "#include <gone.h>\n"})
    p.lint("--format=sarif", "-o", "awaitc.sarif", "a.c", "b.c", "broken.c", *sorted(FIXABLE))
    r = p.run(command + ["validate", "awaitc.sarif", "--output", "valid.sarif", "--rule-kind", "Sarif;Ghas"],
              timeout=120, text=True)
    check(os.path.exists(p.path("valid.sarif")), "the validator ran", r.stdout + r.stderr)
    with open(p.path("valid.sarif"), encoding="utf-8-sig") as f:
        results = json.load(f)["runs"][0].get("results", [])
    bad = [x for x in results if x.get("level") in ("error", "warning")]
    check(not bad, "no error and no warning", json.dumps(bad, indent=1)[:2500])
finish()
