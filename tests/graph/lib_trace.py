# SPDX-License-Identifier: MIT
"""Is a recorded run a path in the graph? A reader of its own over what `awaitc graph --format=json` and
AWAITC_TRACE write: it knows nothing of the lowering but docs/graph.md.

    problems = Checker(graphs).check(lines)

A run is the lines of one frame from `started` on. Each step must be an edge of its kind, perhaps by way of
choices (heads of loops, switches), which a run passes without a line: an await that suspended goes on by
`resumed`, or, where the graph has a cancel edge, by `unwinding` or straight to `cancelled`.
"""
import collections
import json
import os

CHOICES = ("loop", "switch")
ENDS = ("returned", "cancelled")
GROUPS = ("all", "try_all", "race", "timeout")  # take what came late before they let a cancel through


class Machine:
    """One function of the graph."""

    def __init__(self, function):
        self.name = f"{function['name']} ({os.path.basename(function['file'])}:{function['line']})"
        self.nodes = {n["id"]: n for n in function["nodes"]}
        self.next = collections.defaultdict(list)  # node, is it a cancel -> edges
        for edge in function["edges"]:
            self.next[edge["from"], edge["cancel"]].append(edge)
        self.known = {}
        self.is_used = False

    def way(self, origin, target, cancel):
        """The edges from one to the other past choices only, the first of this kind; None: there is no way."""
        key = (origin, target, cancel)
        if key not in self.known:
            self.known[key] = self.find(*key)
        return self.known[key]

    def find(self, origin, target, cancel):
        seen, waiting = set(), collections.deque([(edge, ()) for edge in self.next[origin, cancel]])
        while waiting:
            edge, before = waiting.popleft()
            way = (*before, edge)
            if edge["to"] == target:
                return way
            if edge["to"] in seen or self.nodes[edge["to"]]["kind"] not in CHOICES:
                continue
            seen.add(edge["to"])
            waiting.extend((after, way) for after in self.next[edge["to"], False])
        return None

    def kind(self, node):
        return self.nodes[node]["kind"] if node in self.nodes else None


class Run:
    """One activation of a function: where it is, and how it goes on from there."""

    def __init__(self, machine):
        self.machine = machine
        self.at = "start"
        self.is_running = True
        self.by_cancel = False


class Broken(Exception):
    """A line that no path of the graph allows."""


class Checker:
    """The functions of one or more graphs."""

    def __init__(self, graphs):
        self.machines = collections.defaultdict(dict)  # name, line -> file, of which the last parts are known
        self.taken = collections.Counter()  # machine, edge's ends and kind
        self.counts = collections.Counter()
        for graph in graphs:
            for function in graph["functions"]:
                self.machines[function["name"], function["line"]][function["file"]] = Machine(function)

    def check(self, lines, may_be_cut=False):
        """Every line of one trace; the problems found. `may_be_cut`: the process was killed."""
        live, problems = {}, []
        for number, text in enumerate(lines, 1):
            try:
                step = json.loads(text)
                self.step(live, step)
            except Broken as why:
                problems.append(f"line {number}: {why}: {text.strip()}")
                live.pop(step["frame"], None)
            except (ValueError, KeyError) as why:
                problems.append(f"line {number} is not a step: {why!r}: {text[:200]!r}")
        self.counts["unfinished"] += len(live)
        if not may_be_cut and not any(self.may_stop(run) for run in live.values()):
            problems += [f"{run.machine.name}: a run ends at {run.at}" for run in live.values()]
        return problems

    def may_stop(self, run):
        """May it be in a call that ends the program?"""
        return run.is_running and run.machine.way(run.at, "stopped", run.by_cancel) is not None

    def step(self, live, step):
        event, frame = step["event"], step["frame"]
        self.counts[event] += 1
        if event == "started":
            self.start(live, step)
            return
        run = live.get(frame)
        if run is None:
            raise Broken("no run has this frame")
        machine = self.machine_of(step)
        if machine is not run.machine:
            raise Broken(f"the frame is one of {run.machine.name}")
        if step["from"] != run.at:
            raise Broken(f"it is at {run.at}")
        if event in ("resumed", "unwinding"):
            self.go_on(run, event == "unwinding")
        elif event in ("ready", "pending"):
            if machine.kind(step["to"]) != "state":
                raise Broken("no state, so no await")
            self.move(run, step["to"])
            run.is_running = event == "ready"
        elif event in ENDS and step["to"] == event:
            self.end(run, event)
            del live[frame]
        else:
            raise Broken("no such step")

    def machine_of(self, step):
        path = "/" + os.path.normpath(step["file"])
        for file, machine in self.machines[step["function"], step["line"]].items():
            if path.endswith("/" + file):
                return machine
        raise Broken("the graph has no such function")

    def start(self, live, step):
        if step["frame"] in live:
            raise Broken(f"a run of {live[step['frame']].machine.name} has this frame")
        if step["to"] != "start":
            raise Broken("a run starts at the start")
        live[step["frame"]] = Run(self.machine_of(step))
        live[step["frame"]].machine.is_used = True

    def go_on(self, run, by_cancel):
        if run.is_running or run.machine.kind(run.at) != "state":
            raise Broken("it does not wait")
        if by_cancel and not run.machine.next[run.at, True]:
            raise Broken("no cancel leads on from here")
        run.is_running = True
        run.by_cancel = by_cancel

    def move(self, run, to):
        if not run.is_running:
            raise Broken("it waits")
        way = run.machine.way(run.at, to, run.by_cancel)
        if way is None:
            raise Broken(f"no {'cancel ' if run.by_cancel else ''}edge from {run.at} to {to} of {run.machine.name}")
        for edge in way:
            self.taken[run.machine.name, edge["from"], edge["to"], edge["cancel"]] += 1
        if run.by_cancel and not any(edge["cleanups"] for edge in way) \
                and run.machine.nodes[run.at]["what"] not in GROUPS:
            raise Broken("it unwinds where the graph has nothing to clean up")
        run.at, run.by_cancel = to, False

    def end(self, run, event):
        if run.is_running:
            self.move(run, event)
            return
        if event != "cancelled" or run.machine.kind(run.at) != "state":
            raise Broken("it waits")
        way = run.machine.way(run.at, event, True)  # its frame is dropped
        if way is None or any(edge["cleanups"] for edge in way):
            raise Broken("clean-ups were left out")
        self.taken[run.machine.name, run.at, event, True] += 1

    def edges(self):
        """How many edges the functions have that were run."""
        used = [machine for files in self.machines.values() for machine in files.values() if machine.is_used]
        return sum(len(edges) for machine in used for edges in machine.next.values())
