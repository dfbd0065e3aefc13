/* SPDX-License-Identifier: MIT */
/*
 * What does a program include to be async C? Only this: the keywords `async`, `await`, `spawn`,
 * `defer` (and their twins with aw_), the forms aw_all, aw_race, ..., and the functions that a task
 * awaits. An annotated file is valid C before lowering, so editors, indexers and other checkers
 * read it as it stands.
 *
 * The header is read in five ways:
 *   as it is      by editors and other tools: every keyword is something that plain C allows; an
 *                 object file compiled so refers to the symbol `awaitc_not_lowered` and won't link
 *   __AWAITC_EXPAND__  by the preprocessor run of the lowering: keywords become marker names
 *   __AWAITC_PARSE__   by the parser of the lowering: marker names mean what plain C allows
 *   __AWAITC__         by the compiler after the lowering: nothing is left to expand
 *   __AWAITC_ERASED__  by the compiler when it checks the file for awaitc cc: async and await
 * vanish, forms run their calls one after the other, and nothing here gives warnings
 */
#ifndef AWAITC_H
#define AWAITC_H

#ifdef __AWAITC_ERASED__
#pragma GCC system_header
#endif

#include <awaitc/plain.h>

#if defined __AWAITC__ && !defined __AWAITC_EXPAND__ && !defined __AWAITC_PARSE__ &&               \
    !defined __AWAITC_ERASED__
#define AWAITC_LOWERED_ 1
#include <awaitc/abi.h>
#else
#ifndef AW_SYMBOL
#define AW_SYMBOL(name) name "__aw1__or_not_lowered"
#endif
#endif

/* ---- attributes -------------------------------------------------------------------------- */

#if defined __clang__ && !defined AWAITC_LOWERED_ && !defined __AWAITC_EXPAND__ &&                 \
    !defined __AWAITC_ERASED__
#define AW_ANNOTATE_(text) __attribute__((annotate(text)))
#elif defined __AWAITC_EXPAND__
#define AW_ANNOTATE_(text) __attribute__((__annotate__(text)))
#else
#define AW_ANNOTATE_(text)
#endif

/* On a pointer parameter: the callee keeps no copy of it beyond its return. */
#define AW_NOESCAPE AW_ANNOTATE_("awaitc::noescape")
/* On a function declaration, for the linter: it may block its thread; it never does; it computes
 * for long; async code must not call it. */
#define AW_BLOCKS       AW_ANNOTATE_("awaitc::blocks")
#define AW_NONBLOCKING  AW_ANNOTATE_("awaitc::nonblocking")
#define AW_CPU_HEAVY    AW_ANNOTATE_("awaitc::cpu_heavy")
#define AW_NOT_IN_ASYNC AW_ANNOTATE_("awaitc::not_in_async")

/* ---- keywords and forms ------------------------------------------------------------------ */

#if defined __AWAITC_EXPAND__

#define aw_async            __awaitc_async__
#define aw_await            __awaitc_await__
#define aw_spawn            __awaitc_spawn__
#define aw_defer            __awaitc_defer__
#define aw_all              __awaitc_all__
#define aw_try_all          __awaitc_try_all__
#define aw_race             __awaitc_race__
#define aw_timeout          __awaitc_timeout__
#define aw_blocking         __awaitc_blocking__
#define aw_compute          __awaitc_compute__
#define aw_block_on         __awaitc_block_on__
#define aw_runtime_block_on __awaitc_runtime_block_on__
#define aw_spawn_on         __awaitc_spawn_on__
#define aw_scope_spawn      __awaitc_scope_spawn__

#elif defined AWAITC_LOWERED_

#define aw_async

#elif defined __AWAITC_ERASED__

/* Results that an optimiser knows nothing of: what follows a form is neither dead nor certain. */
#ifdef __cplusplus
extern "C" {
#endif
int aw_erased_int_(void);
aw_task *aw_erased_task_(void);
int aw_erased_on_(aw_runtime *rt);
int aw_erased_in_(aw_scope *scope);
__attribute__((__noreturn__)) void aw_erased_end_(void);
#ifdef __cplusplus
}
#endif

#define aw_async
#define aw_await
#define aw_spawn(call) (aw_erased_int_() ? ((void)(call), aw_erased_task_()) : aw_erased_task_())
#define aw_spawn_on(rt, call)                                                                      \
    (aw_erased_on_(rt) ? ((void)(call), aw_erased_task_()) : aw_erased_task_())
/* The block may run and ends the function then: what it frees stays valid below it. */
#define aw_defer for (; aw_erased_int_(); aw_erased_end_())
/* Statements, as their assignments are sequenced with what stands around them. */
#ifdef __clang__
#define AW_STATEMENT_ __extension__
#else
#define AW_STATEMENT_ /* __extension__ would hide warnings about the arguments */
#endif
#define aw_all(...) AW_STATEMENT_({ (void)(__VA_ARGS__); })
#define aw_try_all(...)                                                                            \
    AW_STATEMENT_({                                                                                \
        (void)(__VA_ARGS__);                                                                       \
        aw_erased_int_();                                                                          \
    })
#define aw_race(...)                                                                               \
    AW_STATEMENT_({                                                                                \
        (void)(__VA_ARGS__);                                                                       \
        aw_erased_int_();                                                                          \
    })
#define aw_timeout(ms, call)                                                                       \
    AW_STATEMENT_({                                                                                \
        (void)((ms) + 0);                                                                          \
        (void)(call);                                                                              \
        aw_erased_int_();                                                                          \
    })
#define aw_blocking(call)             (call)
#define aw_compute(call)              (call)
#define aw_block_on(call)             (call)
#define aw_runtime_block_on(rt, call) ((void)aw_erased_on_(rt), (call))
#define aw_scope_spawn(scope, call)                                                                \
    (aw_erased_in_(scope) ? ((void)(call), aw_erased_int_()) : aw_erased_int_())
#define AW_LEAF_(name, need)

#else

#define __awaitc_async__       AW_ANNOTATE_("awaitc::async")
#define __awaitc_await__       __extension__
#define __awaitc_spawn__(call) ((aw_task *)(0 ? ((void)(call), (void *)0) : aw_not_lowered()))
#define __awaitc_spawn_on__(rt, call)                                                              \
    ((aw_task *)(0 ? ((void)(aw_runtime *){(rt)}, (void)(call), (void *)0) : aw_not_lowered()))
#define __awaitc_defer__                      if (1)
#define __awaitc_all__(...)                   ((void)(__VA_ARGS__))
#define __awaitc_try_all__(...)               ((void)(__VA_ARGS__), (int)0)
#define __awaitc_race__(...)                  ((void)(__VA_ARGS__), (int)0)
#define __awaitc_timeout__(ms, call)          ((void)((ms) + 0), (void)(call), (int)0)
#define __awaitc_blocking__(call)             (call)
#define __awaitc_compute__(call)              (call)
#define __awaitc_block_on__(call)             (call)
#define __awaitc_runtime_block_on__(rt, call) ((void)(aw_runtime *){(rt)}, (call))
#define __awaitc_scope_spawn__(scope, call)   ((void)(aw_scope *){(scope)}, (void)(call), (int)0)

#if !defined __AWAITC_PARSE__
#define aw_async                      __awaitc_async__
#define aw_await                      __awaitc_await__
#define aw_spawn(call)                __awaitc_spawn__(call)
#define aw_spawn_on(rt, call)         __awaitc_spawn_on__(rt, call)
#define aw_defer                      __awaitc_defer__
#define aw_all(...)                   __awaitc_all__(__VA_ARGS__)
#define aw_try_all(...)               __awaitc_try_all__(__VA_ARGS__)
#define aw_race(...)                  __awaitc_race__(__VA_ARGS__)
#define aw_timeout(ms, call)          __awaitc_timeout__(ms, call)
#define aw_blocking(call)             __awaitc_blocking__(call)
#define aw_compute(call)              __awaitc_compute__(call)
#define aw_block_on(call)             __awaitc_block_on__(call)
#define aw_runtime_block_on(rt, call) __awaitc_runtime_block_on__(rt, call)
#define aw_scope_spawn(scope, call)   __awaitc_scope_spawn__(scope, call)
#endif

void *aw_not_lowered(void);

#endif

#if !defined AWAITC_NO_KEYWORDS && !defined __AWAITC_PARSE__
#define async aw_async
#define await aw_await
#if defined AWAITC_LOWERED_
#elif defined __AWAITC_EXPAND__
#define spawn aw_spawn
#define defer aw_defer
#else
#define spawn(call) aw_spawn(call)
#define defer       aw_defer
#endif
#endif

#if defined __AWAITC_PARSE__
#if !defined AWAITC_NO_KEYWORDS
#define async __awaitc_async__
#endif
#define aw_async __awaitc_async__
#endif

#if !defined __AWAITC__ && !defined __AWAITC_EXPAND__ && !defined __AWAITC_PARSE__ &&              \
    !defined __AWAITC_ERASED__
/* Compiled without awaitc: the object must not link into a program that silently runs wrong. */
extern char awaitc_not_lowered;
static char *const awaitc_not_lowered_here_ __attribute__((used)) = &awaitc_not_lowered;
#endif

/* ---- what a task awaits ------------------------------------------------------------------ */

#ifdef __cplusplus
extern "C" {
#endif

/* Declares a leaf of the runtime: its linker name, and how many bytes of frame stack it needs. */
#ifndef AW_LEAF_ /* the runtime itself reads the numbers: leaf_need.h */
#define AW_LEAF_(name, need) __asm__(AW_SYMBOL(#name)) AW_ANNOTATE_("awaitc::need=" #need)
#endif

/* Gives the worker to other tasks once. */
aw_async void aw_yield(void) AW_LEAF_(aw_yield, 16);
/* Waits until the task's waker is woken (aw_waker_get); returns at once if it already was. */
aw_async void aw_park(void) AW_LEAF_(aw_park, 16);

/* Sleeps; a time that has passed yields nothing and returns at once. */
aw_async void aw_sleep_ns(uint64_t ns) AW_LEAF_(aw_sleep_ns, 64);
aw_async void aw_sleep_us(uint64_t us) AW_LEAF_(aw_sleep_us, 64);
aw_async void aw_sleep_ms(uint64_t ms) AW_LEAF_(aw_sleep_ms, 64);
/* Sleeps until aw_now() reaches `at_ns`. */
aw_async void aw_sleep_until(uint64_t at_ns) AW_LEAF_(aw_sleep_until, 64);

/*
 * Waits for a task, frees the handle.
 *
 * t       taken; NULL gives -EINVAL.
 * result  gets the function's result if it returned; NULL drops it.
 *
 * 0, AW_ECANCELED, or -ENOMEM where the task ended for lack of memory.
 */
aw_async int aw_join(aw_task *t, void *result AW_NOESCAPE) AW_LEAF_(aw_join, 64);

/* Waits until the scope's children have ended; 0 or the first negative result. */
aw_async int aw_scope_wait(aw_scope *s) AW_LEAF_(aw_scope_wait, 64);

/*
 * Reads up to `len` bytes as read(2) does, from any kind of descriptor; a count, 0 at the end, or a
 * negated errno. aw_write is write(2); aw_write_all writes all of it: 0 or a negated errno.
 */
aw_async ssize_t aw_read(int fd, void *buf AW_NOESCAPE, size_t len) AW_LEAF_(aw_read, 104);
aw_async ssize_t aw_write(int fd, const void *buf AW_NOESCAPE, size_t len) AW_LEAF_(aw_write, 104);
aw_async ssize_t aw_write_all(int fd, const void *buf AW_NOESCAPE, size_t len)
    AW_LEAF_(aw_write_all, 104);

/* Accepts a connection: a non-blocking, close-on-exec descriptor, or a negated errno. */
aw_async int aw_accept(int listener) AW_LEAF_(aw_accept, 104);
/* Connects to host:port; a descriptor as aw_accept's, or a negated errno. Numeric addresses
 * and "localhost". */
aw_async int aw_tcp_connect(const char *host AW_NOESCAPE, uint16_t port)
    AW_LEAF_(aw_tcp_connect, 88);

#ifdef __cplusplus
}
#endif

#endif
