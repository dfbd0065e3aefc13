/* SPDX-License-Identifier: MIT */
/*
 * How is a program built with awaitc? `awaitc cc COMPILER ARGS...` stands in front of the compiler.
 */
#ifndef AWAITC_TOOL_CMD_CC_H
#define AWAITC_TOOL_CMD_CC_H

/* argv[0] is "cc". The compiler's exit status; 1 where a source is refused, 2 for wrong use. */
int cmd_cc(int argc, char **argv);

#endif
