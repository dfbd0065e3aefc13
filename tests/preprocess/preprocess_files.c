/* SPDX-License-Identifier: MIT */
/*
 * What does the linter's preprocessor make of these sources?
 *
 *     preprocess_files OUTPUT_FOLDER COMPILER FLAGS... -- SOURCE...
 *
 * writes the text of the n-th source to OUTPUT_FOLDER/n.i and prints a line for each: its number
 * and why the compiler had to do it, or "failed" if that failed, too.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/parse/include_search.h"
#include "analyzer/tool/lint_expand.h"
#include "analyzer/tool/process.h"
#include "analyzer/tool/toolchain.h"

static bool write_text(arena *mem, const char *folder, int n, strview text)
{
    return process_write_file(mem, arena_printf(mem, "%s/%d.i", folder, n), text);
}

int main(int argc, char **argv)
{
    int separator = 2;
    while (separator < argc && strcmp(argv[separator], "--") != 0)
        separator++;
    if (separator + 1 >= argc) {
        fprintf(stderr, "usage: preprocess_files OUTPUT_FOLDER COMPILER FLAGS... -- SOURCE...\n");
        return 2;
    }
    process_start();
    arena *session = arena_create();
    const char *failure;
    compile_command *cmd = compile_command_read(session, separator - 2, argv + 2, &failure);
    lint_expand *expand = lint_expand_create();
    const char *awaitc_dir = toolchain_awaitc_dir(session);
    for (int i = separator + 1; i < argc; i++) {
        arena *mem = arena_create();
        include_search files = include_search_in(mem);
        struct lint_source source = {.cmd = cmd,
                                     .path = argv[i],
                                     .shown = argv[i],
                                     .text = include_text(&files, argv[i]),
                                     .awaitc_dir = awaitc_dir};
        struct lint_expanded out = {.message = "cannot be read"};
        bool is_done = source.text.at != NULL && lint_expand_source(expand, mem, &source, &out) &&
                       write_text(mem, argv[1], i - separator - 1, out.text);
        const char *why = out.message != NULL ? out.message : "";
        printf("%d\t%s\n", i - separator - 1, is_done ? why : "failed");
        arena_destroy(&mem);
    }
    lint_expand_destroy(&expand);
    arena_destroy(&session);
    return 0;
}
