# SPDX-License-Identifier: MIT
# ctest-timeout: 120
"""Can each format be read by those for whom it is, and is it written whole or not at all?"""
import json
import os
import re
import subprocess
from html.parser import HTMLParser

from lib_lint import AWAITC, FOUND, PROJECT, Project, check, equal, finish, findings


class Page(HTMLParser):
    """The tags that are open, the loads from elsewhere, and the text of a page."""
    VOID = {"meta", "br", "input", "link", "img"}

    def __init__(self):
        super().__init__()
        self.open, self.loads, self.text, self.wrong = [], [], "", []

    def handle_starttag(self, tag, attrs):
        self.loads += [v for k, v in attrs if k in ("src", "href") and v and not v.startswith("#")]
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.wrong.append(tag)

    def handle_data(self, data):
        self.text += data


with Project() as p:
    p.write({"odd <name> & 'q'.c": PROJECT["a.c"].replace("flush", "fsync") + "/* \xe4\xf6 <script>alert(1)</script> */\n",
             "broken.c": "#include <gone.h>\n"})
    files = ["a.c", "b.c", "odd <name> & 'q'.c"]
    r = p.lint("--format=json", *files)
    report = json.loads(r.stdout)
    equal([(f["file"], f["line"], f["rule"]) for f in report["findings"]],
          [("a.c", 6, "awaitc-blocking-call"), (files[2], 6, "awaitc-blocking-call")], "json")
    equal(report["findings"][0]["steps"][0]["line"], 5, "json has the way")

    r = p.lint("--format=github", *files)
    lines = r.stdout.splitlines()
    check(len(lines) >= 2 and all(re.match(r"::(warning|error|notice) file=[^,]+,line=\d+", line) for line in lines),
          "github's commands", r.stdout)

    page = Page()
    page.feed(p.lint("--format=html", *files).stdout)
    check(not page.wrong and not page.open and not page.loads, "html is whole and loads nothing",
          (page.wrong, page.open, page.loads))
    check("blocking-call" in page.text and "odd <name> & 'q'.c" in page.text, "html shows the findings")

    r = p.lint("--format=sarif", "broken.c", *files)
    run = json.loads(r.stdout)["runs"][0]
    equal(r.returncode, 2, "status for a file that could not be read")
    equal(len(run["results"]), 2, "sarif")
    invocation = run["invocations"][0]
    check(invocation["executionSuccessful"] is False and
          "gone.h" in invocation["toolExecutionNotifications"][0]["message"]["text"],
          "sarif says what could not be checked", invocation)
    flow = run["results"][0]["codeFlows"][0]["threadFlows"][0]["locations"]
    equal([place["location"]["physicalLocation"]["region"]["startLine"] for place in flow], [6, 5], "its way")
    p.write({"out.sarif": r.stdout})

    # Output is written whole or not at all.
    r = p.lint("--format=sarif", "-o", "report.sarif", "broken.c", *files)
    equal((r.stdout, p.read("report.sarif")), ("", p.read("out.sarif")), "-o FILE")
    with open("/dev/full", "w") as full:
        r = subprocess.run([AWAITC, "lint", *files], cwd=p.dir, stdout=full, stderr=subprocess.PIPE, text=True)
    check(r.returncode == 2 and "cannot write to standard output: No space left" in r.stderr, "a full disk", r.stderr)
    for option in ("-o", "--facts-out"):
        for place in ("/dev/full", "no/such/dir/file", "."):
            r = p.lint(option, place, *files)
            check(r.returncode == 2 and f"cannot write '{place}'" in r.stderr, f"{option} {place}", r)
    equal([n for n in p.all_files() if ".awaitc-" in n], [], "and no piece of it")

    # The audit goes beside reports that programs read.
    p.write({"u.c": "int unknown_one(int);\nint unknown_two(int);\nint f(int n)\n{\n"
                    "    return unknown_one(n) + unknown_one(n + 1) + unknown_two(n);\n}\n"
                    "#include <awaitc.h>\nasync int g(int n)\n{\n    await aw_sleep_ms(1);\n    return f(n);\n}\n"})
    r = p.lint("--audit", "u.c")
    check("unknown_one" in r.stdout and "unknown_two" in r.stdout, "--audit", r.stdout + r.stderr)
    r = p.lint("--audit", "--format=json", "u.c")
    json.loads(r.stdout)
    check("unknown_one" in r.stderr, "--audit beside json", r.stderr)

    # Colour is for terminals.
    import pty
    for env, wanted in (({}, True), ({"NO_COLOR": "1"}, False)):
        master, slave = pty.openpty()
        subprocess.run([AWAITC, "lint", "a.c", "b.c"], cwd=p.dir, stdout=slave, stderr=subprocess.DEVNULL,
                       env={**os.environ, **env})
        os.close(slave)
        shown = os.read(master, 65536).decode()
        os.close(master)
        check(("\033[" in shown) == wanted, f"colour on a terminal, {env}", repr(shown))
    equal(findings(p.lint("a.c", "b.c").stdout), FOUND, "no colour in pipes")

finish()
