/* SPDX-License-Identifier: MIT */
/*
 * `awaitc graph`: diagrams of state machines, frames and calls.
 */
#ifndef AWAITC_TOOL_CMD_GRAPH_H
#define AWAITC_TOOL_CMD_GRAPH_H

int cmd_graph(int argc, char **argv);

#endif
