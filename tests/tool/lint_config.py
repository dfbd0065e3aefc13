# SPDX-License-Identifier: MIT
# ctest-timeout: 120
"""Do `.awaitc.yaml`, --checks, NOLINT comments and baselines say what is reported?"""
import os

from lib_lint import PROJECT, Project, equal, finish

HEAD = "#include <awaitc.h>\n#include <unistd.h>\n#include <stdio.h>\n"
DIRECT = HEAD + "async int f(int fd)\n{\n    fsync(fd);%s\n    await aw_sleep_ms(1);\n    return 0;\n}\n"
DIRECT_FOUND = ["d.c:6 awaitc-blocking-call"]

# ---- checks
with Project() as p:
    p.write({"d.c": DIRECT % ""})
    for globs, found in (("-*", []), ("-*,awaitc-blocking-call", DIRECT_FOUND), ("-*,awaitc-block*", DIRECT_FOUND),
                         ("-awaitc-blocking-call", []), ("awaitc-*,-*", []), ("-*, awaitc-*", DIRECT_FOUND),
                         ("-*,awaitc-large-frame", []), ("*", DIRECT_FOUND), ("", DIRECT_FOUND)):
        p.expect("--checks=" + globs, ["--checks=" + globs, "d.c"], 1 if found else 0, found)
    p.write({".awaitc.yaml": "Checks: '-*'\n"})
    p.expect("Checks", ["d.c"], 0, [])
    p.expect("--checks comes after Checks", ["--checks=awaitc-blocking-call", "d.c"], 1, DIRECT_FOUND)
    p.write({".awaitc.yaml": "Checks:\n  - '-*'\n  - awaitc-blocking-call\n"})
    p.expect("Checks as a list", ["d.c"], 1, DIRECT_FOUND)
    p.write({".awaitc.yaml": "", "other.yaml": "Checks: '-*'\n"})
    p.expect("--config", ["--config=other.yaml", "d.c"], 0, [])
    p.expect("--config that is not there", ["--config=gone.yaml", "d.c"], 2, [], "gone.yaml")

# ---- the keys
with Project() as p:
    p.write({"d.c": DIRECT % "", "sub/d.c": DIRECT % "", "sub/.awaitc.yaml": "Checks: '-*'\n"})
    p.expect("the nearest configuration of each source", ["d.c", "sub/d.c"], 1, DIRECT_FOUND)
    p.write({".awaitc.yaml": "FailOn: error\n"})
    p.expect("FailOn", ["d.c"], 0, DIRECT_FOUND)
    p.expect("--fail-on outweighs FailOn", ["--fail-on=warning", "d.c"], 1, DIRECT_FOUND)

    p.write({"s.c": HEAD + "async int f(FILE *out)\n{\n    remove(\"x\");\n"
                           "    await aw_sleep_ms(1);\n    return 0;\n}\n"})
    strict = ["s.c:6 awaitc-blocking-call"]
    p.write({".awaitc.yaml": ""})
    p.expect("short on a good day", ["s.c"], 0, [])
    p.expect("--strict", ["--strict", "s.c"], 1, strict)
    p.write({".awaitc.yaml": "Strict: true\n"})
    p.expect("Strict", ["s.c"], 1, strict)

    p.write({"q.c": "#include <unistd.h>\n#define coroutine_fn __attribute__((annotate(\"coroutine_fn\")))\n"
                    "int coroutine_fn f(int fd)\n{\n    return fsync(fd);\n}\n"})
    p.write({".awaitc.yaml": ""})
    p.expect("an annotation that nobody named", ["q.c"], 0, [])
    p.write({".awaitc.yaml": "AsyncAnnotations: [coroutine_fn]\n"})
    p.expect("AsyncAnnotations", ["q.c"], 1, ["q.c:5 awaitc-blocking-call"])

    p.write({"l.c": "#include <unistd.h>\nstruct event { void (*handler)(int); int fd; };\n"
                    "void our_watch(int fd, void (*cb)(int));\nvoid our_work(void (*job)(int));\n"
                    "static void on_a(int fd)\n{\n    fsync(fd);\n}\n"
                    "static void on_b(int fd)\n{\n    fdatasync(fd);\n}\n"
                    "static void on_c(int fd)\n{\n    sync();\n    (void)fd;\n}\n"
                    "static struct event table[] = {{.handler = on_b, .fd = 1}};\n"
                    "void start(void)\n{\n    our_watch(1, on_a);\n    our_work(on_c);\n"
                    "    table[0].fd = 2;\n}\n"})
    p.write({".awaitc.yaml": ""})
    p.expect("callbacks that nobody named", ["l.c"], 0, [])
    p.write({".awaitc.yaml": "LoopCallbacks:\n  - {function: our_watch, argument: 1}\n"})
    p.expect("LoopCallbacks, a function", ["l.c"], 1, ["l.c:7 awaitc-blocking-call"])
    p.write({".awaitc.yaml": "LoopCallbacks:\n  - {field: event.handler}\n"})
    p.expect("LoopCallbacks, a field", ["l.c"], 1, ["l.c:11 awaitc-blocking-call"])
    p.write({".awaitc.yaml": "LoopCallbacks:\n  - {function: our_work, argument: 0}\n"})
    p.expect("a loop's", ["l.c"], 1, ["l.c:15 awaitc-blocking-call"])
    p.write({"w.c": "#include <unistd.h>\nvoid our_watch(void (*cb)(int));\nvoid our_work(void (*job)(int));\n"
                    "static void job(int fd)\n{\n    fsync(fd);\n}\n"
                    "static void on_input(int fd)\n{\n    our_work(job);\n    (void)fd;\n}\n"
                    "void start(void)\n{\n    our_watch(on_input);\n}\n"})
    p.write({".awaitc.yaml": "LoopCallbacks: [{function: our_watch, argument: 0}]\n"
                             "WorkCallbacks: [{function: our_work, argument: 0}]\n"})
    p.expect("WorkCallbacks may wait", ["w.c"], 0, [])

    p.write({"p.c": "#include <awaitc.h>\nint pin(int *);\nvoid unpin(int *);\nasync int f(int *o)\n{\n"
                    "    pin(o);\n    await aw_sleep_ms(1);\n    unpin(o);\n    return 0;\n}\n"})
    p.write({".awaitc.yaml": ""})
    p.expect("a pair that nobody named", ["p.c"], 0, [])
    p.write({".awaitc.yaml": "Pairs:\n  - {acquire: pin, release: unpin}\n"})
    p.expect("Pairs", ["p.c"], 1, ["p.c:7 awaitc-resource-across-await"])

    table = open(os.path.join(os.environ["AWAITC_SOURCE"], "rules/data/blocking.tsv")).read().splitlines()
    columns = [line for line in table if line.startswith("#")] or [table[0]]
    row = next(line for line in table if line.startswith("fsync\t"))
    p.write({"own.c": DIRECT.replace("fsync", "ourlib_commit").replace("async", "int ourlib_commit(int);\nasync", 1) % "",
             "facts/own.tsv": "\n".join(columns) + "\n" + row.replace("fsync", "ourlib_commit") + "\n"})
    p.write({".awaitc.yaml": ""})
    p.expect("a function that is not known", ["own.c"], 0, [])
    p.write({".awaitc.yaml": "Facts: [facts/own.tsv]\n"})
    p.expect("Facts", ["own.c"], 1, ["own.c:7 awaitc-blocking-call"])
    p.write({".awaitc.yaml": "Facts: [facts/gone.tsv]\n"})
    p.expect("facts that are not there", ["own.c"], 2, [], "gone.tsv")

    p.write({"frame.c": HEAD + "async int f(int fd)\n{\n    char b[3000];\n"
                               "    int n = (int)await aw_read(fd, b, sizeof b);\n    return n + b[0];\n}\n"})
    p.write({".awaitc.yaml": ""})
    p.expect("a frame below the limit", ["frame.c"], 0, [])
    p.write({".awaitc.yaml": "Options:\n  awaitc-large-frame.limit: 1024\n"})
    p.expect("Options", ["frame.c"], 1, ["frame.c:6 awaitc-large-frame"])

    for text, err in (("Cheks: '*'\n", r"\.awaitc\.yaml:1:1: error: .*Checks"),
                      ("FailOn: sometimes\n", r"\.awaitc\.yaml:1:9: error: "),
                      ("Strict: [1]\n", r"\.awaitc\.yaml:1:9: error: "),
                      ("Pairs:\n  - {acquire: a}\n", r"\.awaitc\.yaml:2:5: error: "),
                      ("Options:\n  awaitc-large-frame.limits: 1\n", r"\.awaitc\.yaml:2:3: error: .*limit"),
                      ("Checks: 'a\n", r"\.awaitc\.yaml:\d+:\d+: error: ")):
        p.write({".awaitc.yaml": text})
        p.expect("error in " + text, ["d.c"], 2, [], err)

# ---- queries of the project
RULE = "; id: ourlib-no-strcpy\n; message: no strcpy into '{to}'\n\n((call_expression\n" \
       "   function: (identifier) @callee\n   arguments: (argument_list . (_) @to (_) .)) @report\n" \
       "  (#eq? @callee \"strcpy\"))\n"
with Project() as p:
    p.write({".awaitc.yaml": "Rules: [checks/]\n", "checks/strcpy.scm": RULE,
             "c.c": "#include <string.h>\nvoid f(char *a, const char *b)\n{\n    strcpy(a, b);\n}\n"})
    own = ["c.c:4 ourlib-no-strcpy"]
    p.expect("a query", ["c.c"], 1, own)
    p.expect("a query and a glob that does not name it", ["--checks=awaitc-*", "c.c"], 1, own)
    p.expect("a query among those that are off", ["--checks=-*,awaitc-*", "c.c"], 0, [])
    p.expect("a query alone", ["--checks=-*,ourlib-*", "c.c"], 1, own)
    p.write({"c.c": p.read("c.c").replace("b);", "b); // NOLINT(ourlib-no-strcpy): b is short")})
    p.expect("a query and NOLINT", ["c.c"], 0, [], "1 silenced by NOLINT")
    p.write({"checks/strcpy.scm": RULE.replace("(#eq?", "(#eq")})
    p.expect("a query with an error", ["c.c"], 2, None, r"strcpy.scm:\d+:\d+: error: ")

# ---- NOLINT
with Project() as p:
    for comment, silent in (("// NOLINT", True), ("// NOLINT(awaitc-blocking-call): once a day", True),
                            ("/* NOLINT(awaitc-*) */", True), ("// NOLINT(bugprone-*,awaitc-block*)", True),
                            ("// NOLINT()", False), ("// nolint", False)):
        p.write({"d.c": DIRECT % (" " + comment)})
        p.expect(comment, ["d.c"], 0 if silent else 1, [] if silent else DIRECT_FOUND)
    lines = (DIRECT % "").split("\n")
    p.write({"d.c": "\n".join(lines[:5] + ["    // NOLINTNEXTLINE(awaitc-blocking-call)"] + lines[5:])})
    p.expect("NOLINTNEXTLINE", ["d.c"], 0, [], "1 silenced")
    p.write({"d.c": "// NOLINTBEGIN(awaitc-blocking-call)\n" + DIRECT % "" +
             "// NOLINTEND(awaitc-blocking-call)\n"})
    p.expect("NOLINTBEGIN and NOLINTEND", ["d.c"], 0, [], "1 silenced")
    p.write({"d.c": HEAD + "int x; // NOLINT(awaitc-blocking-call)\nint y; // NOLINT(other-tool)\nint z; // NOLINT\n"})
    p.expect("a NOLINT that silences nothing", ["d.c"], 1, ["d.c:4 awaitc-unused-suppression"])
    p.expect("of a check that is off", ["--checks=-awaitc-blocking-call", "d.c"], 0, [])
    p.expect("unless that is off", ["--checks=-awaitc-unused-suppression", "d.c"], 0, [])
    p.write({"d.c": HEAD + "int x; // NOLINT(awaitc-no-such-check)\n"})
    p.expect("a NOLINT of no check", ["d.c"], 1, ["d.c:4 awaitc-unused-suppression"])

# ---- baselines
with Project() as p:
    p.write({"d.c": DIRECT % ""})
    files = ["a.c", "b.c", "d.c"]
    p.expect("a baseline that is not there", ["--baseline=known.json"] + files, 2, [], "--write-baseline")
    r = p.expect("writing one", ["--baseline=known.json", "--write-baseline"] + files, 0, [])
    equal(r.stdout, "", "writing says nothing on standard output")
    first = p.read("known.json")
    p.expect("with it", ["--baseline=known.json"] + files, 0, [], "2 in the baseline")
    p.write({"a.c": "/* one\n * two\n */\n\n" + PROJECT["a.c"].replace("    flush", "    int n = 0;\n    (void)n;\n    flush"),
             "b.c": "\n\n" + PROJECT["b.c"], "d.c": "\n\n\n\n" + DIRECT % ""})
    p.expect("moved lines", ["--baseline=known.json"] + files, 0, [], "2 in the baseline")
    p.lint("--baseline=again.json", "--write-baseline", *files)
    equal(p.read("again.json"), first, "moved lines give the same baseline")
    p.write({"d.c": DIRECT % "\n    fdatasync(fd);"})
    p.expect("a new finding", ["--baseline=known.json"] + files, 1, ["d.c:7 awaitc-blocking-call"], "2 in the baseline")
    p.write({"known.json": first[:40]})
    p.expect("a broken baseline", ["--baseline=known.json"] + files, 2, [], "known.json.*error: ")
    p.expect("where none can be written", ["--baseline=no/dir/b.json", "--write-baseline"] + files, 2, [],
             "cannot write 'no/dir/b.json'")

# ---- sources of several configurations
WATCH = ("#include <unistd.h>\n#include <stdio.h>\nvoid our_watch(int fd, void (*cb)(int));\n"
         "static void on_a(int fd)\n{\n    %s\n}\nvoid start%s(void)\n{\n    our_watch(1, on_a);\n}\n")
with Project() as p:
    p.write({"a/w.c": WATCH % ("(void)fd;", "_a"), "a/.awaitc.yaml": "Checks: '-awaitc-blocking-call'\n",
             "b/w.c": WATCH % ("fsync(fd);", "_b"),
             "b/.awaitc.yaml": "LoopCallbacks:\n  - {function: our_watch, argument: 1}\nFailOn: error\n"})
    found = ["b/w.c:6 awaitc-blocking-call"]
    p.expect("what a later configuration tells counts", ["a/w.c", "b/w.c"], 0, found)
    p.expect("in any order", ["b/w.c", "a/w.c"], 0, found)
    p.write({"b/.awaitc.yaml": "LoopCallbacks:\n  - {function: our_watch, argument: 1}\n",
             "a/.awaitc.yaml": "FailOn: error\n"})
    p.expect("FailOn is of the source", ["a/w.c", "b/w.c"], 1, found)
    p.write({"a/w.c": WATCH % ('remove("x");', "_a"), "b/w.c": WATCH % ('remove("x");', "_b"),
             "b/.awaitc.yaml": "LoopCallbacks:\n  - {function: our_watch, argument: 1}\nStrict: true\n"})
    p.expect("Strict is of the source", ["a/w.c", "b/w.c"], 1, found)
    p.write({"a/w.c": WATCH % ("fsync(fd); // NOLINT(awaitc-blocking-call): once a day", "_a"),
             "a/.awaitc.yaml": "Checks: '-awaitc-blocking-call'\n"})
    p.expect("a comment on a check that is off there is no finding", ["a/w.c", "b/w.c"], 1, found)

finish()
