/* SPDX-License-Identifier: MIT */
/*
 * How does the tool run other programs and leave nothing behind? Texts go through memory files
 * (memfd), so most runs make no file at all; what is made on disk is registered here and removed on
 * every way out, signals included. Children die with the tool.
 */
#ifndef AWAITC_TOOL_PROCESS_H
#define AWAITC_TOOL_PROCESS_H

#include <stdbool.h>

#include "analyzer/base/strview.h"
#include "analyzer/base/vec.h"

typedef VEC(const char *) argument_list; /* NULL-terminated where it is run */

struct process_io {
    int stdin_fd, stdout_fd, stderr_fd; /* -1: as the tool's own */
};

/* Installs the handlers that remove what was registered when a signal ends the tool. */
void process_start(void);

/*
 * Runs argv to its end and returns its exit status as a shell would (128 + n for signal n); -1 with
 * errno if it could not be started. If the tool itself is told to end meanwhile, the child is told,
 * too, and this does not return.
 */
int process_run(const argument_list *argv, struct process_io io);

/*
 * Starts argv, which must write no file, and goes on; one at a time. false with errno if it could
 * not be started. If the tool is told to end meanwhile, so is the child.
 */
bool process_begin(const argument_list *argv, struct process_io io);

/* Waits for what process_begin started; its exit status, as process_run's. */
int process_end(void);

/* Becomes argv; returns only if it cannot be run, with errno set. stdin_fd as above. */
void process_become(const argument_list *argv, int stdin_fd);

/* A memory file with this text, open for children, positioned at its start; -1 with errno. */
int process_text_fd(strview text);

/* The name under which children open a descriptor. */
const char *process_fd_path(arena *mem, int fd);

/* All of a memory file, NUL-terminated, mapped until the process ends. */
strview process_fd_text(int fd);
/* Gives such a text back before. */
void process_fd_text_release(strview text);

/* All that can be read from a descriptor, in `mem`; at NULL on an error. */
strview process_read_all(arena *mem, int fd);

/* Registers a file or an empty directory to be removed at the end, last registered first. */
void process_will_remove(const char *path);
/* Takes the one registered last off the list, without removing it. */
void process_will_keep_last(void);
/* Removes all that is registered. */
void process_clean_up(void);

/*
 * Writes a file whole or not at all: a temporary beside it, then a rename; straight into what is no
 * regular file. false with errno set.
 */
bool process_write_file(arena *mem, const char *path, strview text);

#endif
