/* SPDX-License-Identifier: MIT */
/*
 * What does awaitc make of a source? `awaitc lower FILE.c` writes the lowered C, meant to be read.
 */
#ifndef AWAITC_TOOL_CMD_LOWER_H
#define AWAITC_TOOL_CMD_LOWER_H

/* argv[0] is "lower". 0; 1 where the source is refused; 2 for wrong use or files. */
int cmd_lower(int argc, char **argv);

#endif
