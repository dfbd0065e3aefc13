# SPDX-License-Identifier: MIT
# ctest-timeout: 120
"""Do the commands of docs/lint.md work as they are printed there?

The ```sh blocks after a line `<!-- tested -->` are run, in order, in one empty folder.
"""
import os
import re
import subprocess

from lib_lint import AWAITC, Project, check, finish

with open(os.path.join(os.environ["AWAITC_SOURCE"], "docs/lint.md"), encoding="utf-8") as f:
    manual = f.read()
blocks = re.findall(r"<!-- tested -->\n```sh\n(.*?)```", manual, re.S)
check(len(blocks) >= 5, "docs/lint.md has tested commands")
environment = dict(os.environ, PATH=os.path.dirname(AWAITC) + ":" + os.environ["PATH"])
with Project({}) as p:
    outputs = ""
    for block in blocks:
        r = p.run(["bash", "-euo", "pipefail", "-c", block], text=True, env=environment, capture_output=False,
                  stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60)
        outputs += r.stdout
        check(r.returncode == 0, f"exit status {r.returncode}", block + r.stdout)
shown = re.search(r"```text\n(.*?)```", manual, re.S)[1]
for line in shown.splitlines():
    check(line.removesuffix("...").rstrip() in outputs, "the manual shows what is printed: " + line, outputs)
finish()
