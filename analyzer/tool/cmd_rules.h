/* SPDX-License-Identifier: MIT */
/*
 * How does the tool explain itself? `awaitc rules` lists its messages and checks, `awaitc rules
 * --facts` what it knows of libraries, `awaitc explain RULE` prints the page of one. All work
 * without any file beside the binary.
 */
#ifndef AWAITC_TOOL_CMD_RULES_H
#define AWAITC_TOOL_CMD_RULES_H

/*
 * The two commands.
 *
 * argc, argv  as for main, from the command's own name on: argv[0] is "rules" or "explain".
 *
 * The exit status: 0, or 2 where the command was used wrongly (then one line on standard error).
 */
int cmd_rules(int argc, char **argv);
int cmd_explain(int argc, char **argv);

#endif
