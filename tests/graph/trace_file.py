# SPDX-License-Identifier: MIT
"""What does AWAITC_TRACE write? Lines of docs/trace.schema.json, whole ones from several threads and processes;
nothing where it is not asked to; and where it cannot write, the program does not notice."""
import json
import os
import re
import stat
import subprocess
import tempfile

from lib_graph import AWAITC, INCLUDE, ROOT, STAGE, finish, problem

SOURCE = r"""
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#include <awaitc.h>

static async int step(int i)
{
    await aw_yield();
    return i;
}

static async int same(int i)
{
    return i;
}

static async int work(int rounds)
{
    int sum = 0;
    for (int i = 0; i < rounds; i++) {
        errno = 1000 + i;
        sum += await same(1);
        if (errno != 1000 + i)
            abort();
        await step(1);
    }
    return sum;
}

static void *thread(void *rounds)
{
    *(int *)rounds = aw_block_on(work(*(int *)rounds));
    return NULL;
}

int main(int argc, char **argv)
{
    int threads = argc > 1 ? atoi(argv[1]) : 1, rounds = argc > 2 ? atoi(argv[2]) : 3;
    if (argc > 3) { /* a process of its own that goes on in the same file */
        int child = aw_block_on(work(1)) == 1 ? fork() : -1;
        if (child == 0)
            return aw_block_on(work(rounds)) != rounds;
        int status = 0, good = aw_block_on(work(rounds)) == rounds;
        return child < 0 || waitpid(child, &status, 0) != child || status != 0 || !good;
    }
    pthread_t at[16];
    int sum[16];
    for (int i = 0; i < threads; i++) {
        sum[i] = rounds;
        pthread_create(&at[i], NULL, thread, &sum[i]);
    }
    for (int i = 0; i < threads; i++) {
        pthread_join(at[i], NULL);
        if (sum[i] != rounds)
            return 1;
    }
    printf("done\n");
    return 0;
}
"""
LINES_OF_STEP = 4   # started, pending, resumed, returned
LINES_OF_ROUND = 2 + LINES_OF_STEP + 2  # started, returned of same; pending, resumed of work
LINES_OF_WORK = 2
EVENTS = ("started", "ready", "pending", "resumed", "unwinding", "returned", "cancelled")


def build(folder, name, *more):
    done = subprocess.run([AWAITC, "cc", "gcc", *more, "-D_GNU_SOURCE", "-I" + INCLUDE, "work.c", "-o", name,
                           "-L" + os.path.join(STAGE, "lib"), "-lawaitc", "-lpthread"], cwd=folder, capture_output=True)
    if done.returncode != 0 or done.stderr:
        problem(f"{name}: status {done.returncode}: {done.stderr.decode()[:400]}")


def run(folder, program, trace, *arguments):
    """Status and output of a run; the trace is relative to the folder, None: not asked for."""
    environment = {k: v for k, v in os.environ.items() if k != "AWAITC_TRACE"}
    if trace is not None:
        environment["AWAITC_TRACE"] = trace
    done = subprocess.run([os.path.join(folder, program), *map(str, arguments)], cwd=folder, env=environment,
                          capture_output=True, timeout=120)
    if done.returncode != 0 or done.stderr:
        problem(f"AWAITC_TRACE={trace} {program} {arguments}: status {done.returncode}, {done.stderr.decode()[:300]}")
    return done.stdout.decode()


def schema():
    with open(os.path.join(ROOT, "docs", "trace.schema.json"), encoding="utf-8") as file:
        return json.load(file)


def follows(step, rules):
    """What of a line is not as its schema says; ""."""
    missing = [key for key in rules["required"] if key not in step]
    unknown = [key for key in step if key not in rules["properties"]]
    if missing or unknown:
        return f"missing {missing}, unknown {unknown}"
    for key, value in step.items():
        rule = rules["properties"][key]
        rule = rules["definitions"]["state"] if "$ref" in rule else rule
        if "enum" in rule and value not in rule["enum"]:
            return f"{key} is {value!r}"
        if not isinstance(value, int if rule.get("type") == "integer" else str):
            return f"{key} is {value!r}"
        if "pattern" in rule and not re.search(rule["pattern"], value):
            return f"{key} is {value!r}"
    has_from, has_to = step["event"] != "started", step["event"] not in ("resumed", "unwinding")
    return "" if ("from" in step, "to" in step) == (has_from, has_to) else "from and to do not fit the event"


def read(folder, name, count):
    """The steps in a trace, which must be `count` whole lines."""
    with open(os.path.join(folder, name), encoding="utf-8") as file:
        text = file.read()
    steps = []
    rules = schema()
    for line in text.splitlines():
        try:
            steps.append(json.loads(line))
        except ValueError:
            problem(f"{name}: not whole: {line[:200]!r}")
            continue
        why = follows(steps[-1], rules)
        if why:
            problem(f"{name}: {why}: {line}")
    if len(steps) != count or not text.endswith("\n"):
        problem(f"{name}: {len(steps)} lines, expected {count}")
    return steps


def one_thread(folder):
    run(folder, "traced", "one.jsonl")
    steps = read(folder, "one.jsonl", 3 * LINES_OF_ROUND + LINES_OF_WORK)
    times = [step["at_ns"] for step in steps]
    if times != sorted(times):
        problem("the times do not rise")
    if [step["event"] for step in steps[:4]] != ["started", "started", "returned", "started"]:
        problem("the first lines are others")
    run(folder, "traced", "one.jsonl", 1, 1)
    read(folder, "one.jsonl", LINES_OF_ROUND + LINES_OF_WORK)  # anew, not appended


def several(folder):
    """Threads, each with an executor of its own, and a forked process, all write to one file."""
    run(folder, "traced", "threads.jsonl", 8, 500)
    steps = read(folder, "threads.jsonl", 8 * (500 * LINES_OF_ROUND + LINES_OF_WORK))
    if len({step["task"] for step in steps}) != 8:
        problem("eight tasks have not eight names")
    run(folder, "traced", "fork.jsonl", 1, 300, "fork")
    read(folder, "fork.jsonl", 2 * 300 * LINES_OF_ROUND + 2 * LINES_OF_WORK + LINES_OF_ROUND + LINES_OF_WORK)


def by_process(folder):
    run(folder, "traced", "of.%p.jsonl")
    named = [name for name in os.listdir(folder) if re.fullmatch(r"of\.[0-9]+\.jsonl", name)]
    if len(named) != 1:
        problem(f"%p: {named}")


def not_asked(folder):
    before = sorted(os.listdir(folder))
    for program, trace in (("traced", None), ("traced", ""), ("plain", "plain.jsonl")):
        if run(folder, program, trace) != "done\n":
            problem(f"{program}: other output")
    if sorted(os.listdir(folder)) != before:
        problem("a file that nobody asked for")
    for flag, has in (("-DAW_TRACE", True), ("-DAW_TRACES", False), ("-UAW_TRACE", False)):
        text = subprocess.run([AWAITC, "lower", "work.c", "--", "-D_GNU_SOURCE", "-I" + INCLUDE, flag], cwd=folder,
                              capture_output=True, check=True).stdout
        if (b"aw_trace" in text) != has:
            problem(f"{flag}: calls of the trace: {not has}")


def cannot_write(folder):
    os.mkfifo(os.path.join(folder, "pipe"))
    places = ["no/such/folder", "/dev/full", folder, "pipe", "x" * 300, "y" * 5000]
    for place in places:
        if run(folder, "traced", place, 2, 50) != "done\n":
            problem(f"{place[:40]}: other output")
    if not stat.S_ISFIFO(os.stat(os.path.join(folder, "pipe")).st_mode):
        problem("the pipe is gone")


def main():
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "work.c"), "w", encoding="utf-8") as file:
            file.write(SOURCE)
        build(folder, "traced", "-DAW_TRACE", "-Wall", "-Wextra")
        build(folder, "plain", "-DAW_TRACE", "-UAW_TRACE")
        checks = (one_thread, several, by_process, not_asked, cannot_write)
        for check in checks:
            check(folder)
    finish(f"{len(checks)} kinds of file")


if __name__ == "__main__":
    main()
