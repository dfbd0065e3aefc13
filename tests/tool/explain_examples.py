# SPDX-License-Identifier: MIT
# ctest-timeout: 300
"""Are the examples of docs/errors what they say: each bad one refused with its id, each good one lowered?"""
import os
import re
import subprocess
import sys
import tempfile

awaitc, source = sys.argv[1], os.environ["AWAITC_SOURCE"]
pages = os.path.join(source, "docs", "errors")
failures = 0


def lower(example, folder):
    path = os.path.join(folder, "example.c")
    with open(path, "w") as f:
        f.write(example)
    return subprocess.run([awaitc, "lower", path, "-o", os.path.join(folder, "out.c"), "--",
                           "-std=gnu11", "-I" + os.path.join(source, "runtime", "include")],
                          text=True, capture_output=True, stdin=subprocess.DEVNULL, timeout=60)


def fail(where, what, result):
    global failures
    failures += 1
    print(f"FAILED {where}: {what} (exit status {result.returncode})\n{result.stderr}")


for name in sorted(os.listdir(pages)):
    if name == "README.md":
        continue
    page = open(os.path.join(pages, name)).read()
    identity = "[awaitc-" + name.removesuffix(".md") + "]"
    bad, good = (re.findall(r"```c\n(.*?)```", part, re.S)
                 for part in page.split("\n## Bad\n")[1].split("\n## Good\n"))
    with tempfile.TemporaryDirectory() as folder:
        for number, example in enumerate(bad, 1):
            result = lower(example, folder)
            if result.returncode != 1 or identity not in result.stderr:
                fail(f"{name}, bad {number}", f"not refused with {identity}", result)
        for number, example in enumerate(good, 1):
            result = lower(example, folder)
            if result.returncode != 0 or result.stderr:
                fail(f"{name}, good {number}", "not lowered", result)
sys.exit(1 if failures else 0)
