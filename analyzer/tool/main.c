/* SPDX-License-Identifier: MIT */
/*
 * The program: an argument vector in, an exit status out. Leaves by _exit, as what libclang holds
 * takes longer to free than a small file takes to lower.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "analyzer/base/check.h"
#include "analyzer/tool/cmd_cc.h"
#include "analyzer/tool/cmd_graph.h"
#include "analyzer/tool/cmd_lint.h"
#include "analyzer/tool/cmd_lower.h"
#include "analyzer/tool/cmd_rules.h"
#include "analyzer/tool/options.h"

#ifndef AWAITC_VERSION
#define AWAITC_VERSION "unknown"
#endif

static const struct command {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *about;
} commands[] = {
    {"cc", cmd_cc, "stand in front of a compiler: CC=\"awaitc cc gcc\""},
    {"lower", cmd_lower, "write the lowered C of one file"},
    {"lint", cmd_lint, "find what makes async code and event loops slow or wrong"},
    {"graph", cmd_graph, "draw state machines, frames, and who awaits whom"},
    {"rules", cmd_rules, "list the messages and checks"},
    {"explain", cmd_explain, "say more about one of them"},
};

static int help(void)
{
    puts("Usage: awaitc COMMAND ...\n\nasync/await for C.\n\nCommands:");
    for (size_t i = 0; i < COUNTOF(commands); i++)
        printf("  %-8s  %s\n", commands[i].name, commands[i].about);
    puts("\n`awaitc COMMAND --help` says more; `awaitc --version` prints the version.");
    return 0;
}

static int run(int argc, char **argv)
{
    if (argc < 2)
        return options_misuse("no command given; see `awaitc --help`");
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
        strcmp(argv[1], "help") == 0)
        return help();
    if (strcmp(argv[1], "--version") == 0) {
        puts("awaitc " AWAITC_VERSION);
        return 0;
    }
    for (size_t i = 0; i < COUNTOF(commands); i++) {
        if (strcmp(argv[1], commands[i].name) == 0)
            return commands[i].run(argc - 1, argv + 1);
    }
    return options_misuse("no command '%s'; see `awaitc --help`", argv[1]);
}

int main(int argc, char **argv)
{
    int status = run(argc, argv);
    if (fflush(NULL) != 0 && status == 0) {
        perror("awaitc: error: cannot write");
        status = 2;
    }
    _exit(status);
}
