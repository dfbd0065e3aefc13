/* SPDX-License-Identifier: MIT */
/*
 * What does every lowering test await? These leaves: each returns its argument and, as the environment
 * says, suspends before it does so. A test is right when its output is the same in every mode, and the
 * same as with `async` and `await` removed.
 *
 *   LEAF_MODE=ready       no leaf suspends
 *   LEAF_MODE=once        every leaf suspends once
 *   LEAF_MODE=random:N    every leaf suspends 0 to 3 times, as seed N says
 *   LEAF_MODE=park        every leaf parks until main wakes it
 *   LEAF_CANCEL=N         the N-th leaf (from 1) is where the program is cancelled: by itself before
 *                         it suspends, or in mode park from outside, while it waits
 *   LEAF_MARKS=1          the N-th leaf writes "@N", so that a cancelled run can be compared
 *   LEAF_WORKERS=N        worker threads, default 1; 0: the default runtime
 *
 * A program defines test_main(); main() is in main.c, unless the program says `// own-main`.
 */
#ifndef LEAF_H
#define LEAF_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <awaitc.h>

typedef struct t_pair {
    int a, b;
} t_pair;

typedef struct t_big {
    long long v[12];
    char name[20];
    struct {
        short lo, hi;
    } in;
} t_big;

async int test_main(void);

/* Leaves: give back their argument. */
async void t_tick(void);
async int t_int(int v);
async int8_t t_i8(int8_t v);
async uint8_t t_u8(uint8_t v);
async int16_t t_i16(int16_t v);
async uint16_t t_u16(uint16_t v);
async int32_t t_i32(int32_t v);
async uint32_t t_u32(uint32_t v);
async int64_t t_i64(int64_t v);
async uint64_t t_u64(uint64_t v);
async _Bool t_bool(_Bool v);
async float t_f32(float v);
async double t_f64(double v);
async long double t_f80(long double v);
async void *t_ptr(void *v);
async int *t_pint(int *v);
async t_pair t_mkpair(int a, int b);
async t_pair t_pass(t_pair p);
async t_big t_mkbig(int seed);

/* As the leaves, but the event is logged: "name(v)". */
async int t_ev(int v);
async int t_evn(const char *name, int v);
async int *t_evp(const char *name, int *v);

/* Plain functions that log the same way. */
int p_ev(int v);
int p_evn(const char *name, int v);

/* One line of the event log. */
void say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* A resource: "+id" when taken, "-id" when given back. For clean-ups: t_drop(&id). */
int t_take(int id);
void t_give(int id);
void t_drop(int *id);
#define HOLD(id) __attribute__((cleanup(t_drop))) int T_HOLD_NAME(__LINE__) = t_take(id)
#define T_HOLD_NAME(line) T_HOLD_NAME_(line)
#define T_HOLD_NAME_(line) hold_##line

/* Adds to the hash that main prints at the end. */
void t_hash(uint64_t v);

/* ---- for main.c ---- */
void t_init(void);
void t_finish(void);
int t_cancel_at(void);
int t_workers(void);
/* Takes the waker of a leaf that is parked; 0 if there is none. */
int t_next_parked(aw_waker *w, int *number);

#endif
