#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs `awaitc lint` over case files, and compares the lines of its findings with what they say.

    run.py AWAITC FOLDER... [--only GLOB] [--jobs N] [--verbose]

A case is a file bad*.c or good*.c anywhere below a folder. Each line that a check must flag ends in

    // EXPECT: awaitc-id            or   // EXPECT: awaitc-a, awaitc-b

and `// ALLOW: awaitc-id` marks one that it may flag. Every other finding is a failure. On the first
ten lines of a case may stand

    // CHECKS: -*,awaitc-id         passed as --checks
    // FLAGS: -DX -I.               compile flags
    // CONFIG: lint.yaml            passed as --config, beside the case
    // WITH: far.c other.c          linted together with it; marks in them count, too

Without CHECKS the default checks run, and those that an EXPECT names and that are off by default.

A file fix*.c is a case, too; its fixes are then applied to a copy, which must equal fix*.after.c, and
that must be lowered without an error.
"""
import argparse
import concurrent.futures
import fnmatch
import os
import re
import shutil
import subprocess
import sys
import tempfile

FINDING = re.compile(r"^(.*?):(\d+):(?:\d+:)? (?:warning|error|note): .* \[(awaitc-[a-z-]+)\]$")
MARK = re.compile(r"(EXPECT|ALLOW):\s*((?:awaitc-[a-z-]+)(?:\s*,\s*awaitc-[a-z-]+)*)")
OFF_BY_DEFAULT = {"awaitc-stale-across-await"}


def lines_of(path):
    with open(path, encoding="utf-8") as f:
        return f.read().split("\n")


class Case:
    def __init__(self, path):
        self.path = path
        self.lines = lines_of(path)
        self.expected, self.allowed = set(), set()
        self.others = [
            os.path.join(os.path.dirname(path), name)
            for name in (self.switch("WITH") or "").split()
        ]
        for one in [path] + self.others:
            self.read_marks(one)

    def read_marks(self, path):
        name = os.path.basename(path)
        for number, line in enumerate(lines_of(path), 1):
            for word, ids in MARK.findall(line):
                into = self.expected if word == "EXPECT" else self.allowed
                into.update((name, number, i.strip()) for i in ids.split(","))

    def switch(self, name):
        for line in self.lines[:10]:
            m = re.match(r"\s*/[/*] %s: (.*?)(?:\s*\*/)?$" % name, line)
            if m:
                return m.group(1).strip()
        return None

    def command(self, awaitc, path):
        command = [awaitc, "lint", path] + self.others
        checks = self.switch("CHECKS")
        if checks is None:
            named = sorted({i for _, _, i in self.expected if i in OFF_BY_DEFAULT})
            checks = ",".join(named)
        if checks:
            command.append("--checks=" + checks)
        config = self.switch("CONFIG")
        if config:
            command.append("--config=" + os.path.join(os.path.dirname(self.path), config))
        return command, ["--", "-std=gnu11"] + (self.switch("FLAGS") or "").split()


def run(command):
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    return done.returncode, done.stdout + done.stderr


def findings(output):
    found = set()
    for line in output.split("\n"):
        m = FINDING.match(line)
        if m:
            found.add((os.path.basename(m.group(1)), int(m.group(2)), m.group(3)))
    return found


def check_lines(case, awaitc):
    command, flags = case.command(awaitc, case.path)
    status, output = run(command + flags)
    if status not in (0, 1):
        return ["exit status %d\n%s" % (status, output)]
    found = findings(output)
    wrong = []
    for name, line, rule in sorted(case.expected - found):
        wrong.append("%s:%d: %s is missed" % (name, line, rule))
    for name, line, rule in sorted(found - case.expected - case.allowed):
        text = [o for o in output.split("\n") if "%s:%d:" % (name, line) in o and rule in o]
        shown = "".join("\n    " + t for t in text)
        wrong.append("%s:%d: %s is false%s" % (name, line, rule, shown))
    return wrong


def check_fix(case, awaitc):
    with open(case.path[:-2] + ".after.c", encoding="utf-8") as f:
        after = f.read()
    with tempfile.TemporaryDirectory() as folder:
        copy = os.path.join(folder, os.path.basename(case.path))
        shutil.copy(case.path, copy)
        command, flags = case.command(awaitc, copy)
        run(command + ["--fix"] + flags)
        with open(copy, encoding="utf-8") as f:
            fixed = f.read()
        if fixed != after:
            return ["the fixed text differs:\n" + fixed]
        status, output = run([awaitc, "lower", copy, "-o", os.path.join(folder, "out.c")] + flags)
        return [] if status == 0 else ["the fixed text is not lowered:\n" + output]


def check(path, awaitc):
    case = Case(path)
    name = os.path.basename(path)
    wrong = check_lines(case, awaitc)
    if name.startswith("bad") and not case.expected:
        wrong.append("a bad case without EXPECT")
    if name.startswith("good") and case.expected:
        wrong.append("a good case with EXPECT")
    if name.startswith("fix"):
        wrong += check_fix(case, awaitc)
    return wrong


def cases(folders, only):
    for folder in folders:
        for root, _, files in sorted(os.walk(folder)):
            for name in sorted(files):
                path = os.path.join(root, name)
                is_case = re.match(r"(bad|good|fix).*\.c$", name) and not name.endswith(".after.c")
                if is_case and (only is None or fnmatch.fnmatch(path, only)):
                    yield path


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("awaitc")
    parser.add_argument("folders", nargs="+")
    parser.add_argument("--only", help="cases whose path matches")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--verbose", action="store_true")
    args = parser.parse_args()
    all_cases = list(cases(args.folders, args.only))
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        results = pool.map(lambda p: check(p, args.awaitc), all_cases)
        for path, wrong in zip(all_cases, results):
            failed += bool(wrong)
            if args.verbose and not wrong:
                print("ok " + path)
            for text in wrong:
                print("%s: %s" % (path, text))
    print("%d cases, %d failed" % (len(all_cases), failed))
    return 1 if failed or not all_cases else 0


if __name__ == "__main__":
    sys.exit(main())
