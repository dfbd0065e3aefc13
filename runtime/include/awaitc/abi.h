/* SPDX-License-Identifier: MIT */
/*
 * What do lowered functions and the runtime say to each other? This file is the whole of it:
 * the frame ABI, version 1. Lowered text includes it; people read it to understand lowered text;
 * programs do not use it directly.
 *
 * An async function `async T f(A a)` becomes ordinary functions:
 *
 *     T f__poll(aw_cx *c, void *fp, unsigned st, A a)   its state machine
 *     T f__entry(aw_cx *c, void *fp, A a)      the public call: looks for room, then polls
 *     void aw__resume_N(aw_cx *c, aw_frame *f, unsigned st)   goes on after a suspension; one a
 * signature
 *
 * A first call is a plain call: locals are C locals and the result is returned natively. A call
 * has suspended if `c->pending` is not NULL afterwards; then each caller on the way out stores
 * what must survive into its frame, links its frame behind the pending one (AW_LINK), and
 * returns a value nobody looks at. Later the runtime calls `at->resume` on the innermost frame,
 * and, as frames finish, on their parents: the cost of a resume does not depend on the depth.
 *
 * Frames of one chain of awaits (a strand) lie one behind the other on a frame stack:
 *
 *     | root frame | child's frame | its child's | ... free ... |
 *     ^ fp of root ^ fp of child                                ^ c->lim
 *
 * A caller passes the end of its own frame as `fp`. What a static callee needs is part of what
 * its caller needs (f__need), so only public entries compare with `c->lim`.
 *
 * Memory at `fp`: at least AW_LEAF_ROOM bytes, aligned for a pointer, are guaranteed to every
 * callee; who needs more (or more alignment) and was not measured by its caller grows the stack
 * by a chunk (aw_grow_begin).
 *
 * The result of a function that was resumed lies at `(char *)f + sizeof(aw_frame)`, rounded up to
 * the alignment of the result: it overlays what is dead by then, the locals and the children;
 * f__need covers it. `c->ret` points to it.
 */
#ifndef AWAITC_ABI_H
#define AWAITC_ABI_H

#include <stddef.h>
#include <stdint.h>

#define AW_ABI_VERSION 1
/* The linker's name of the async function `f`; the version keeps other ABIs apart, the rest tells
 * the reader of a linker error what is wrong. */
#define AW_SYMBOL(name) name "__aw1__or_not_lowered"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct aw_cx aw_cx;       /* a strand: one chain of awaits, of a task or a group's branch */
typedef struct aw_frame aw_frame; /* the head of every frame */
typedef struct aw_site aw_site;   /* one await in the source */
typedef struct aw_chunk aw_chunk; /* a piece of frame stack from the heap */
typedef struct aw_group aw_group; /* the branches of one aw_all, aw_race, ... */
typedef struct aw_slot aw_slot;   /* runtime: a branch's place for wakes */
typedef struct aw_task aw_task;
typedef struct aw_runtime aw_runtime;

/* One await: constant data, made by the lowering (or by a runtime leaf). */
struct aw_site {
    void (*resume)(aw_cx *c, aw_frame *frame, unsigned state); /* NULL: a leaf that only waits */
    uint16_t state; /* passed to resume: 1, 2, ... in source order */
    uint16_t flags; /* AW_SITE_... */
    uint32_t line;
    const char *func;
    const char *file;
    void (*code)(void); /* the state machine, for the resume that its signature shares; else NULL */
};

/* What the cold way into a function must know of it (f__code). */
typedef struct aw_code {
    void (*poll)(void);
    size_t need_bytes, align_bytes;
    const aw_site *restart;
} aw_code;

enum {
    AW_SITE_CLEAN = 1,  /* a cancel here must call resume with AW_CANCEL: there are clean-ups */
    AW_SITE_LEAF = 2,   /* a leaf of the runtime; `func` is its name */
    AW_SITE_GROUP = 4,  /* an aw_group; its branches wait below */
    AW_SITE_CHUNK = 8,  /* bookkeeping between two chunks; not shown in async stacks */
    AW_SITE_TRACED = 16 /* lowered with -DAW_TRACE: it is entry `state` of a table that has the
                           function itself as entry 0 */
};

#define AW_CANCEL  0x8000u /* added to the state: leave by running the clean-ups, then return */
#define AW_RESTART 0x7fffu /* the state of a call that was put off because the C stack was low */

struct aw_frame {
    const aw_site *at; /* where this frame is suspended */
    aw_frame *parent;  /* who awaits it; NULL at the root of a strand */
};

/*
 * A strand. The lowered code reads and writes only `lim`, `pending`, `ret`, `cancel`, `stk` and
 * `leaf`; the rest belongs to the runtime.
 */
struct aw_cx {
    char *lim;         /* end of the current chunk of the frame stack */
    aw_frame *pending; /* NULL on every entry; not NULL after a call: that frame has suspended */
    void *ret;         /* where a resumed callee left its result */
    char *stk;         /* lowest address of the C stack that a call may still use */
    aw_frame *leaf;    /* the innermost frame of a suspended strand */
    aw_frame *unwind;  /* the frame whose clean-ups run, while a cancel goes outwards */
    uint8_t cancel;    /* AW_CANCEL_NONE, _ASKED, _UNWINDING, _DONE */
    uint8_t now;       /* the suspended leaf can go on at once (a bounced call) */
    uint16_t state;    /* runtime: AWI_STRAND_... */
    int32_t error;     /* why it was cancelled: -ECANCELED or -ENOMEM; 0 */
    aw_chunk *chunk;   /* top chunk; NULL while the first room suffices */
    aw_chunk *spare;   /* the chunk popped last, kept for the next growth */
    aw_task *task;
    aw_group *group; /* the group that this strand is a branch of; NULL for a task's own strand */
    aw_cx *next;     /* runtime: the next strand to run */
};

enum { AW_CANCEL_NONE, AW_CANCEL_ASKED, AW_CANCEL_UNWINDING, AW_CANCEL_DONE };

#define AW_LEAF_ROOM 16

#define AW_LIKELY(x)   __builtin_expect(!!(x), 1)
#define AW_UNLIKELY(x) __builtin_expect(!!(x), 0)

/* Suspends `frame` (an aw_frame *) at `site`, behind the pending one. */
#define AW_LINK(c, frame, site)                                                                    \
    ((frame)->at = (site), (c)->pending->parent = (frame), (void)((c)->pending = (frame)))

/* The same in lowered code, which has said where the frame is suspended (`at`). The barrier costs
 * the program nothing here, and spares the compiler a search for values to keep in registers. */
#define AW_SUSPEND(c, frame)                                                                       \
    do {                                                                                           \
        __asm__ volatile("" ::: "memory");                                                         \
        (c)->pending->parent = (frame);                                                            \
        (c)->pending = (frame);                                                                    \
    } while (0)

/* Macros name no typedef: a parameter of the user's may be called size_t. */
#define AW_ALIGN_UP(p, align)                                                                      \
    ((void *)(((__UINTPTR_TYPE__)(p) + ((align)-1)) & ~(__UINTPTR_TYPE__)((align)-1)))

/* A public entry: kept as it is, since its callers are others, or few and cold. */
#if defined __GNUC__ && !defined __clang__
#define AW_ENTRY __attribute__((__noipa__))
#else
#define AW_ENTRY
#endif

#define AW_MAX(a, b)       ((a) > (b) ? (a) : (b))
#define AW_ROUND_UP(n, to) (((n) + ((to)-1)) / (to) * (to))
/* What aligning a frame of this type may cost where only a pointer's alignment is sure. */
#define AW_SLACK(type)                                                                             \
    (__alignof__(type) > __alignof__(aw_frame) ? __alignof__(type) - __alignof__(aw_frame) : 0)
/* The first place at or behind fp that is aligned for the frame. */
#define AW_ALIGN_FRAME(fp, type)                                                                   \
    (__alignof__(type) > __alignof__(aw_frame) ? AW_ALIGN_UP(fp, __alignof__(type)) : (void *)(fp))
/* Bytes from the start of a struct to the end of a field. */
#define AW_END(type, field) (__builtin_offsetof(type, field) + sizeof(((type *)0)->field))
/* Bytes from the start of a frame to the end of its result. */
#define AW_RESULT_NEED(type) (sizeof(aw_frame) + AW_SLACK(type) + sizeof(type))

/* Where the frame of a callee whose frame needs `align` lies behind the frame `f`. */
#define AW_CHILD(f, align)                                                                         \
    ((align) <= __alignof__(*(f)) ? (void *)((f) + 1) : AW_ALIGN_UP((f) + 1, align))

/* Where a resumed function with a result of type `type` leaves it. */
#define AW_RESULT(f, type)                                                                         \
    ((__typeof__(type) *)AW_ALIGN_UP((char *)(f) + sizeof(aw_frame),                               \
                                     __alignof__(type) > sizeof(void *) ? __alignof__(type)        \
                                                                        : sizeof(void *)))

/* The stack pointer, near enough. */
#if defined __x86_64__ && !defined __ILP32__
#define AW_STACK_POINTER()                                                                         \
    (__extension__({                                                                               \
        char *aw__sp;                                                                              \
        __asm__("movq %%rsp, %0" : "=r"(aw__sp));                                                  \
        aw__sp;                                                                                    \
    }))
#elif defined __aarch64__
#define AW_STACK_POINTER()                                                                         \
    (__extension__({                                                                               \
        char *aw__sp;                                                                              \
        __asm__("mov %0, sp" : "=r"(aw__sp));                                                      \
        aw__sp;                                                                                    \
    }))
#else
#define AW_STACK_POINTER() ((char *)__builtin_frame_address(0))
#endif

/* True if a public entry at `fp` that needs `need` bytes must go through f__grow. */
#define AW_MUST_GROW(c, fp, need)                                                                  \
    ((__SIZE_TYPE__)((c)->lim - (char *)(fp)) < (__SIZE_TYPE__)(need) ||                           \
     AW_STACK_POINTER() < (c)->stk)

/*
 * Growth: the cold way into a function, used by aw__grow_N (one a signature):
 *
 *     aw_growth g;
 *     switch (aw_grow_begin(c, fp, f__need, __alignof__(struct f__frame), &g)) {
 *     case AW_GROW_RUN:    v = f__poll(c, g.room, 0, a); break;
 *     case AW_GROW_BOUNCE: store a in g.room; aw_bounce(c, g.room, &f__restart_site); break;
 *     case AW_GROW_FAILED: break;      (c->pending is set: the strand is being cancelled)
 *     }
 *     aw_grow_end(c, &g);
 */
typedef struct aw_growth {
    void *room;
    aw_chunk *chunk; /* the chunk that was pushed, or NULL */
} aw_growth;

enum { AW_GROW_RUN, AW_GROW_BOUNCE, AW_GROW_FAILED };

int aw_grow_begin(aw_cx *c, void *fp, size_t need_bytes, size_t align_bytes, aw_growth *g);
/* Suspends `frame` so that the trampoline calls site->resume(c, frame, AW_RESTART) at once. */
void aw_bounce(aw_cx *c, aw_frame *frame, const aw_site *site);
/* Pops the chunk if the call returned, links the chunk's own frame into the chain if not. */
void aw_grow_end(aw_cx *c, aw_growth *g);

/*
 * A cancel point of the lowered code's own (before a form does anything): true if the strand has
 * been asked to cancel; then `c->pending` is set to a frame at `fp` and the caller treats this as
 * a suspension of its await.
 */
int aw_cancel_point(aw_cx *c, void *fp);

/*
 * Groups. Emitted for `await aw_all(a = f(x), g(y))`, at the child's place of the frame:
 *
 *     aw_group *g = aw_group_begin(c, fp, AW_ALL, 2);           (NULL: c->pending is set,
 * cancelled) s = aw_group_strand(g, 0, room_bytes);                    (NULL: this branch must not
 * start) if (s) { v = f__poll(s, aw_group_room(g, 0), 0, x); if (aw_group_started(g, 0)) a = v; }
 *     ...
 *     if (aw_group_wait(g)) { c->pending is set: spill, link, return; label: reload }
 *     if (aw_group_late(g, 0)) a = *(T *)aw_group_ret(g, 0);
 *     rc = aw_group_end(g);
 *
 * `aw_group_started` is 1 if the branch has returned at once. `aw_group_late` is 1 if it suspended
 * and has returned normally since. For AW_TRY_ALL, and only there, the lowered code says the
 * integer result of a branch that returned at once by aw_group_value, and how wide a late one is by
 * aw_group_width. AW_TIMEOUT has two branches, the call and then aw_sleep_ms.
 * A branch whose callee is not measured gets room AW_LEAF_ROOM and grows a chunk of its own.
 */
enum { AW_ALL, AW_TRY_ALL, AW_RACE, AW_TIMEOUT };
/*
 * Added to the kind by code that takes late results also when it is cancelled here, and then ends
 * the group itself. Its site has AW_SITE_CLEAN; at the label for AW_CANCEL it does
 *
 *     if (aw_group_late(g, i)) ...   for each branch, and
 *     (void)aw_group_end(g);
 *
 * where g is the child's place of the frame, also if aw_group_begin has returned NULL.
 */
#define AW_TAKES_LATE 8

typedef struct aw_branch {
    aw_cx cx;
    char *room;
    aw_slot *slot;       /* where wakers of this branch point */
    int32_t width_bytes; /* AW_TRY_ALL: size of the integer result */
    uint8_t started, suspended, returned, left;
} aw_branch;

struct aw_group {
    aw_frame head; /* what the parent awaits */
    aw_cx *cx;     /* the strand that awaits */
    uint8_t kind;
    uint8_t stop;       /* no further branch may start; those that run are to leave */
    uint8_t waiting;    /* the parent strand is suspended here */
    uint8_t no_memory;  /* a branch was cancelled with -ENOMEM */
    uint8_t takes_late; /* AW_TAKES_LATE: the lowered code ends a cancelled group */
    uint16_t count;     /* branches */
    uint16_t left;      /* branches that have started and not ended */
    uint16_t returned;  /* branches that have returned normally */
    int16_t first;      /* index of the branch that returned first; -1 */
    int64_t failure;    /* AW_TRY_ALL: the first negative result; 0 */
    char *room_end;     /* where the next branch's room starts */
    aw_branch branch[];
};

/* The second branch of AW_TIMEOUT. */
#define AW_SLEEP_NEED 64
void aw_sleep_ms__leaf(aw_cx *c, void *fp, uint64_t ms) __asm__(AW_SYMBOL("aw_sleep_ms"));

/* Bytes of frame stack for a group of n branches whose rooms add up to `rooms` (each rounded up to
 * 16), its alignment included. */
#define AW_GROUP_NEED(n, rooms)                                                                    \
    (sizeof(aw_group) + (n) * sizeof(aw_branch) + (rooms) + 16 * ((n) + 1))

aw_group *aw_group_begin(aw_cx *c, void *fp, int kind, int count);
aw_cx *aw_group_strand(aw_group *g, int i, size_t room_bytes);
void *aw_group_room(aw_group *g, int i);
int aw_group_started(aw_group *g, int i);
void aw_group_value(aw_group *g, int i, int64_t value);
void aw_group_width(aw_group *g, int i, int32_t width_bytes);
int aw_group_wait(aw_group *g);
int aw_group_late(const aw_group *g, int i);
void *aw_group_ret(const aw_group *g, int i);
/* AW_ALL: 0. AW_TRY_ALL: the first failure or 0. AW_RACE: index. AW_TIMEOUT: 0 or -ETIMEDOUT. */
int64_t aw_group_end(aw_group *g);

/*
 * Tasks. One static object per spawn in the source: `start` calls the function with the arguments
 * at `args` in the room `fp`, and, if the call returned at once, stores the result at
 * AW_RESULT(fp, T) and sets c->ret to it.
 */
typedef struct aw_spawn_site {
    void (*start)(aw_cx *c, void *fp, void *args);
    uint32_t args_bytes, args_align;
    uint32_t result_bytes;
    uint32_t line;
    size_t need_bytes; /* frame stack of the callee; 0: not known, learnt from earlier tasks */
    const char *func;  /* the spawned function, as written */
    const char *file;
    size_t *hint;   /* need learnt so far, when need_bytes is 0; else NULL */
    uint32_t flags; /* AW_SPAWN_... */
} aw_spawn_site;

enum {
    AW_SPAWN_SIGNED_RESULT = 1 /* the result is a signed integer of 1, 2, 4 or 8 bytes */
};

/* `rt` NULL: the runtime of the calling task. NULL with errno: ENODEV, ENOMEM, EAGAIN. */
aw_task *aw_spawn_task(aw_runtime *rt, const aw_spawn_site *site, const void *args);
/* As aw_spawn_task, detached: for a spawn whose value is not used. */
void aw_spawn_detached(aw_runtime *rt, const aw_spawn_site *site, const void *args);

/* Runs a task to its end on `rt` (NULL: the default runtime); `result` gets its result, or zero
 * bytes and errno set. 0, or a negated errno. */
int aw_block_on_site(aw_runtime *rt, const aw_spawn_site *site, const void *args, void *result);
/* The same for an async main: prints one line and returns 125 where it could not run or was
 * cancelled. */
int aw_main_site(const aw_spawn_site *site, const void *args);

/*
 * Calls on a pool. An async leaf: runs run(job) on a thread of the pool; returns when it has
 * ended. `job` is in the caller's frame and stays valid: a cancel waits for the call's end.
 */
enum { AW_POOL_BLOCKING, AW_POOL_COMPUTE };
void aw_pool_run(aw_cx *c, void *fp, int pool, void (*run)(void *job), void *job);
#define AW_POOL_NEED 64

/*
 * Arrays of variable size that are in scope at an await. aw_array_new is an async leaf that never
 * waits: `bytes` bytes, aligned; where there is no memory the strand is cancelled with -ENOMEM.
 * aw_array_free is the clean-up of a variable that holds such an address, or NULL.
 */
void *aw_array_new__leaf(aw_cx *c, void *fp, size_t bytes,
                         size_t align_bytes) __asm__(AW_SYMBOL("aw_array_new"));
void aw_array_free(void *variable);

/* Scopes (struct aw_scope is public in awaitc/plain.h). aw_scope_enter is an async leaf: 0 when a
 * child may start, or the scope's error. aw_scope_start then starts it: 0 or a negated errno. */
struct aw_scope;
int aw_scope_enter(aw_cx *c, void *fp, struct aw_scope *s);
#define AW_SCOPE_NEED 48
int aw_scope_start(struct aw_scope *s, const aw_spawn_site *site, const void *args);
/* The implicit clean-up of a local scope, an async leaf: cancels the children, waits for them; does
 * nothing if the scope is empty or was never initialised (all zero). Never a cancel point. */
void aw_scope_leave(aw_cx *c, void *fp, struct aw_scope *s);

/*
 * A trace of state transitions: only in text lowered with -DAW_TRACE. Each state machine then says
 * where it goes, and the runtime writes it down if the environment variable AWAITC_TRACE names a
 * file (docs/graph.md). At the machine's top stands
 *
 *     __attribute__((__cleanup__(aw_trace_leave)))
 *     aw_trace t = {c, &f->head, f__site, st}; aw_trace_enter(&t);
 *
 * and behind an await that did not suspend, aw_trace_ready(&t, F__READ). errno stays as it is.
 */
typedef struct aw_trace {
    aw_cx *c;
    aw_frame *frame;
    const aw_site *function; /* entry 0 of its sites: name, file, line */
    unsigned state;          /* the one it went on from, or passed last; 0: the start */
} aw_trace;

void aw_trace_enter(aw_trace *t);
void aw_trace_ready(aw_trace *t, unsigned state);
void aw_trace_leave(aw_trace *t);

#ifdef __cplusplus
}
#endif

#endif
