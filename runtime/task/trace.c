/* SPDX-License-Identifier: MIT */
/*
 * Which states did a program pass? One line for each step of a state machine that was lowered with
 * -DAW_TRACE, in the file that the environment variable AWAITC_TRACE names; docs/graph.md says what
 * is in a line. A frame's run is the lines with its address, from `started` on:
 *
 *     started start
 *     ready   start -> s1                 the await did not suspend
 *     pending s1 -> s2    resumed s2      it did; the event came
 *     pending s2 -> s1    unwinding s1    it did; a cancel came, clean-ups run
 *     cancelled s1 -> cancelled           or: returned s1 -> returned
 *
 * A line is one write to a file opened for appending: lines of several threads, and of processes
 * that a fork made, stay whole, and stand in the order in which the steps were taken wherever one
 * step lets the other happen. The first line that cannot be written ends the trace; the program is
 * not told. Pipes are refused: a reader that leaves would end the program.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/sys/sys_clock.h"
#include "runtime/task/task_state.h"

enum { NAME_BYTES = 256, FILE_BYTES = 512, LINE_BYTES = NAME_BYTES + FILE_BYTES + 512 };
enum { TRACE_OFF = -1, TRACE_UNKNOWN = -2 };

static _Atomic int trace_fd = TRACE_UNKNOWN;

/* ---- the file ------------------------------------------------------------------------------ */

/* Copies the name with the process's id for each %p; false: it is too long. */
static bool expand_name(const char *name, char *out, size_t size)
{
    size_t len = 0;
    for (; *name != '\0'; name++) {
        char one[16] = {*name, '\0'};
        if (name[0] == '%' && name[1] == 'p') {
            snprintf(one, sizeof one, "%ld", (long)getpid());
            name++;
        }
        size_t add = strlen(one);
        if (len + add >= size)
            return false;
        memcpy(out + len, one, add);
        len += add;
    }
    out[len] = '\0';
    return len > 0;
}

/* Files and terminals; not what a write could block on, or be killed by. */
static bool is_writable_kind(int fd)
{
    struct stat st;
    return fstat(fd, &st) == 0 && (S_ISREG(st.st_mode) || S_ISCHR(st.st_mode));
}

static void open_trace(void)
{
    char path[4096];
    const char *name = secure_getenv("AWAITC_TRACE");
    int fd = TRACE_OFF;
    if (name != NULL && expand_name(name, path, sizeof path))
        fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC | O_NOCTTY | O_NONBLOCK,
                  0666);
    if (fd >= 0 && (!is_writable_kind(fd) || fcntl(fd, F_SETFL, O_APPEND) != 0)) {
        close(fd);
        fd = TRACE_OFF;
    }
    /* Pairs with the acquire of trace_is_on. */
    atomic_store_explicit(&trace_fd, fd < 0 ? TRACE_OFF : fd, memory_order_release);
}

static bool trace_is_on(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    int fd = atomic_load_explicit(&trace_fd, memory_order_acquire);
    if (AW_LIKELY(fd == TRACE_OFF))
        return false;
    if (fd == TRACE_UNKNOWN) {
        int error = errno;
        pthread_once(&once, open_trace);
        errno = error;
        fd = atomic_load_explicit(&trace_fd, memory_order_acquire);
    }
    return fd >= 0;
}

/* ---- a line -------------------------------------------------------------------------------- */

/* As the inside of a JSON string. What is too long loses its start: of a path, the end tells. */
static const char *escape(char *out, size_t size, const char *text)
{
    size_t most = size / 2 - 1, len = strlen(text), at = 0;
    text += len > most ? len - most : 0;
    while (len > most && ((unsigned char)*text & 0xc0) == 0x80)
        text++;
    for (; *text != '\0'; text++) {
        if (*text == '"' || *text == '\\')
            out[at++] = '\\';
        out[at++] = (unsigned char)*text < ' ' ? '?' : *text;
    }
    out[at] = '\0';
    return out;
}

/* "\"from\":\"s3\",": a state as a node of the graph. */
static const char *place(char *out, size_t size, const char *key, unsigned state)
{
    if (state == 0)
        snprintf(out, size, ",\"%s\":\"start\"", key);
    else
        snprintf(out, size, ",\"%s\":\"s%u\"", key, state);
    return out;
}

struct step {
    const char *event;
    const aw_site *function;
    const aw_cx *c;
    const aw_frame *frame;
    const char *from, *to; /* as place() writes them; "" */
};

static void write_step(const struct step *s)
{
    char line[LINE_BYTES], function[NAME_BYTES], file[FILE_BYTES];
    int error = errno;
    const aw_task *t = s->c->task;
    int len = snprintf(line, sizeof line,
                       "{\"event\":\"%s\",\"function\":\"%s\",\"file\":\"%s\",\"line\":%u,"
                       "\"task\":\"%lx.%u\",\"frame\":\"%lx\"%s%s,\"at_ns\":%llu}\n",
                       s->event, escape(function, sizeof function, s->function->func),
                       escape(file, sizeof file, s->function->file), s->function->line,
                       (unsigned long)t, t == NULL ? 0 : awi_state_generation(t),
                       (unsigned long)s->frame, s->from, s->to, (unsigned long long)awi_now_ns());
    int fd = atomic_load_explicit(&trace_fd, memory_order_acquire); /* pairs with open_trace */
    ssize_t written = 0;
    do {
        written = fd < 0 ? len : write(fd, line, (size_t)len);
    } while (written < 0 && errno == EINTR);
    /* The descriptor stays open: another thread may be about to write to it. */
    if (written != len)
        atomic_store_explicit(&trace_fd, TRACE_OFF, memory_order_release);
    errno = error;
}

/* ---- the steps ----------------------------------------------------------------------------- */

AWI_PUBLIC void aw_trace_enter(aw_trace *t)
{
    bool unwinds = (t->state & AW_CANCEL) != 0;
    char at[32];
    t->state &= ~AW_CANCEL;
    if (!trace_is_on())
        return;
    struct step s = {"started", t->function, t->c, t->frame, "", ""};
    if (t->state == 0) {
        s.to = place(at, sizeof at, "to", 0);
    } else {
        s.event = unwinds ? "unwinding" : "resumed";
        s.from = place(at, sizeof at, "from", t->state);
    }
    write_step(&s);
}

AWI_PUBLIC void aw_trace_ready(aw_trace *t, unsigned state)
{
    char from[32], to[32];
    unsigned was = t->state;
    t->state = state;
    if (!trace_is_on())
        return;
    write_step(&(struct step){"ready", t->function, t->c, t->frame,
                              place(from, sizeof from, "from", was),
                              place(to, sizeof to, "to", state)});
}

AWI_PUBLIC void aw_trace_leave(aw_trace *t)
{
    char from[32], to[32];
    if (!trace_is_on())
        return;
    struct step s = {"returned",
                     t->function,
                     t->c,
                     t->frame,
                     place(from, sizeof from, "from", t->state),
                     ",\"to\":\"returned\""};
    if (t->c->pending != NULL) {
        s.event = "pending";
        s.to = place(to, sizeof to, "to", t->frame->at->state);
    } else if (t->c->unwind == t->frame) {
        s.event = "cancelled";
        s.to = ",\"to\":\"cancelled\"";
    }
    write_step(&s);
}

void awi_trace_dropped(aw_cx *c, const aw_frame *f)
{
    char from[32];
    const aw_site *site = f->at;
    if (site->state == AW_RESTART || !trace_is_on()) /* put off, and never started */
        return;
    write_step(&(struct step){"cancelled", site - site->state, c, f,
                              place(from, sizeof from, "from", site->state),
                              ",\"to\":\"cancelled\""});
}
