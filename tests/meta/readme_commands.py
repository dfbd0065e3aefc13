# SPDX-License-Identifier: MIT
# ctest-timeout: 120
"""Do the commands of README.md work as they are printed there?

The ```sh blocks after a line `<!-- tested -->` are run, in order, in one empty folder, with the built
awaitc first in the path.
"""
import os
import re
import subprocess
import tempfile

from lib_tree import finish, problem, read, skip

binary, stage = os.environ.get("AWAITC"), os.environ.get("AWAITC_STAGE", "")
if not binary or not os.path.exists(stage + "/lib/libawaitc.a"):
    skip("awaitc or its runtime is not built")

blocks = re.findall(r"<!-- tested -->\n```sh\n(.*?)```", read("README.md"), re.S)
if not blocks:
    problem("README.md has no tested commands")
environment = dict(os.environ, PATH=os.path.dirname(binary) + ":" + os.environ["PATH"],
                   PKG_CONFIG_PATH=stage + "/lib/pkgconfig")
with tempfile.TemporaryDirectory() as folder:
    outputs = []
    for block in blocks:
        result = subprocess.run(["bash", "-euo", "pipefail", "-c", block], cwd=folder, text=True,
                                env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, timeout=60)
        outputs.append(result.stdout)
        if result.returncode != 0:
            problem(f"README.md: exit status {result.returncode} of\n{block}\n{result.stdout}")
if "42" not in "".join(outputs):
    problem("README.md promises 42, but the output is\n" + "".join(outputs))
finish()
