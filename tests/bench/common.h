/* SPDX-License-Identifier: MIT */
/*
 * What do the files of the benchmark share? The command line and the output of a peer program, the
 * clock, checks, and how a scenario gets onto a runtime. One scenario group a file; each is a plain
 * function here, since plain code starts tasks by aw_block_on.
 */
#ifndef AWAITC_TESTS_BENCH_COMMON_H
#define AWAITC_TESTS_BENCH_COMMON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <awaitc/plain.h>

/* Ends the program: a result is wrong, so its time means nothing. */
#define CHECK(condition, ...)                                                                      \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "check failed at %s:%d: ", __FILE__, __LINE__);                        \
            fprintf(stderr, __VA_ARGS__);                                                          \
            fputc('\n', stderr);                                                                   \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

void bench_call_ready(void);
void bench_depth(void);
void bench_frame(void);
void bench_hot(void);
void bench_join(void);
void bench_spawn(void);
void bench_yield(void);

/* The parameters key=value of the command line. */
const char *arg_text(const char *key, const char *otherwise);
uint64_t arg_num(const char *key, uint64_t otherwise);
bool arg_is(const char *key, const char *value, const char *otherwise);
/* Ends the program with the status that means "this peer has no such scenario or parameter". */
_Noreturn void unsupported(void);

/* Prints one line of results; `fn`: the row of scenario frame, or NULL. */
void emit(const char *metric, double value);
void emit_row(const char *fn, const char *metric, double value);

uint64_t now_ns(void);

/* A runtime with the `workers` that the command line asks for; unsupported() if it has fewer. */
aw_runtime *bench_runtime(void);

/* Calls of malloc and its like by the program and by libawaitc.a, so far (watch.c). */
uint64_t heap_calls(void);
/* Frame stack that the latest spawn asked of the runtime; 0: it did not say (watch.c). */
size_t spawned_room_bytes(void);

/* A value that the compiler knows nothing about. */
static inline uint64_t opaque(uint64_t x)
{
    __asm__ volatile("" : "+r"(x));
    return x;
}

#endif
