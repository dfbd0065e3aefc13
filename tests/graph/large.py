# SPDX-License-Identifier: MIT
# ctest-timeout: 120
"""Do large functions and large programs stay drawable? The number of nodes and edges must grow with
the source at most, and a summary's must not grow at all; a layout that does not end fails by the
timeout."""
import re
import tempfile

from lib_graph import finish, flags, graph_json, problem, run

STATES = 1000
FUNCTIONS = 200
MOST_SHOWN = 60  # nodes of a summary: its parts, and ends that are drawn at each edge are extra


def switch_in_a_loop():
    cases = "".join(f"        case {i}: n = (int)await aw_read(fd, b, {i % 60 + 1}); break;\n" for i in range(STATES))
    return ("async int big(int fd, int op)\n{\n    char b[64];\n    int n = 0;\n    for (;;) {\n        switch (op) {\n"
            + cases + "        default: return n;\n        }\n        op += n;\n    }\n}\n")


def many_loops():
    loops = "".join(
        f"    for (int i = 0; i < n + {k}; i++) {{\n        n += (int)await aw_read(fd, b, 1);\n"
        f"        if (n > {k}) n += (int)await aw_write(fd, b, 2);\n        if (n < 0) return n;\n"
        f"        await aw_yield();\n    }}\n    await aw_sleep_ms({k});\n" for k in range(STATES // 4))
    return "async int big(int fd)\n{\n    char b[64];\n    int n = 0;\n" + loops + "    return n;\n}\n"


def straight():
    lines = "".join(f"    n += (int)await aw_read(fd, b, {i % 60 + 1});\n" for i in range(STATES))
    return "async int big(int fd)\n{\n    char b[64];\n    int n = 0;\n" + lines + "    return n;\n}\n"


def chain():
    first = "static async int f0(int fd)\n{\n    char b[8];\n    return (int)await aw_read(fd, b, 8);\n}\n"
    rest = "".join(
        f"static async int f{i}(int fd)\n{{\n    int n = await f{i - 1}(fd);\n"
        f"    if (n > {i}) await aw_sleep_ms(1);\n    return n;\n}}\n" for i in range(1, FUNCTIONS))
    return first + rest + f"async int main(void) {{ return await f{FUNCTIONS - 1}(0); }}\n"


def write(folder, name, text):
    with open(f"{folder}/{name}.c", "w") as f:
        f.write("#include <awaitc.h>\n" + text)
    return f"{name}.c"


def check_function(folder, name, text):
    file = write(folder, name, text)
    graph = graph_json(file, cwd=folder)
    if graph is None:
        return
    states = [n for n in graph["functions"][0]["nodes"] if n["kind"] == "state"]
    edges = graph["functions"][0]["edges"]
    if len(states) < STATES:
        problem(f"{name}: {len(states)} states of {STATES}")
    if len(edges) > 4 * len(states):
        problem(f"{name}: {len(edges)} edges between {len(states)} states")
    dot = run(file, "--format=dot", *flags(), cwd=folder).stdout.decode()
    shown = {m for m in re.findall(r"^ +(n0_\d+) \[", dot, re.M)}
    if not 10 <= len(shown) <= MOST_SHOWN:
        problem(f"{name}: a summary of {len(shown)} nodes")
    part = run(file, "--format=dot", "--states=1-20", *flags(), cwd=folder).stdout.decode()
    shown = {m for m in re.findall(r"^ +(n0_\d+) \[", part, re.M)}
    if not 20 <= len(shown) <= MOST_SHOWN:
        problem(f"{name}: a part of 20 states has {len(shown)} nodes")
    draw(folder, file)


def draw(folder, file, *more):
    for kind in ("svg", "html"):
        data = run(file, f"--format={kind}", *more, *flags(), cwd=folder).stdout
        if len(data) < 2000:
            problem(f"{file}: {kind} of {len(data)} bytes")


with tempfile.TemporaryDirectory() as folder:
    check_function(folder, "switch_in_a_loop", switch_in_a_loop())
    check_function(folder, "many_loops", many_loops())
    check_function(folder, "straight", straight())
    file = write(folder, "chain", chain())
    run(file, "--view=calls", "--format=svg", *flags(), cwd=folder)
    draw(folder, file)
finish(f"3 functions of {STATES} awaits, a program of {FUNCTIONS} functions")
