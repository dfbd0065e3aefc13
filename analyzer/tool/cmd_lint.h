/* SPDX-License-Identifier: MIT */
/* `awaitc lint`: the checks. */
#ifndef AWAITC_TOOL_CMD_LINT_H
#define AWAITC_TOOL_CMD_LINT_H

/* argv[0] is "lint". Returns the exit status: 0 nothing to report, 1 findings or errors in a
 * source, 2 wrong use, or a file that could not be read or written. */
int cmd_lint(int argc, char **argv);

#endif
