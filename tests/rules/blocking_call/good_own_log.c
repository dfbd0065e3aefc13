/* SPDX-License-Identifier: MIT */
/* Callbacks that log: whoever writes the log there has chosen to wait for the file. */
#include "../loops.h"

#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

static FILE *log_file;
static int trace_fd = -1;

static void log_write(const char *format, va_list args)
{
    vfprintf(log_file, format, args);
    fflush(log_file);
}

static void write_all(int fd, const char *text, size_t size)
{
    while (size > 0) {
        ssize_t n = write(fd, text, size);
        if (n <= 0)
            return;
        text += n;
        size -= (size_t)n;
    }
}

static void log_error(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    log_write(format, args);
    va_end(args);
}

static void request_log(const char *text, size_t size)
{
    if (trace_fd >= 0)
        write_all(trace_fd, text, size);
}

static gboolean on_timeout(gpointer data)
{
    log_error("timeout of %p", data);
    return data != NULL;
}

static gboolean on_idle(gpointer data)
{
    request_log("idle", 4);
    return data != NULL;
}

void set_up(void)
{
    g_timeout_add(10, on_timeout, NULL);
    g_idle_add(on_idle, NULL);
}
