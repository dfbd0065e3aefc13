/* SPDX-License-Identifier: MIT */
/* Arrays of variable size of lowered code: alignment, huge sizes, no memory, and that each is
 * freed. */
#include "tests/runtime/lowered_by_hand.h"

#include <errno.h>

#include "runtime/sys/sys_alloc.h"

static size_t align_bytes;
static int cleaned, filled;

/* int fills(n): { char room[n]; memset(room, 7, n); await aw_yield(); return room[n - 1]; } */
struct fills__frame {
    aw_frame head;
    intptr_t arg;
    void *room, *first;
};
ASYNC_INT(fills, NEED(fills, AW_LEAF_ROOM))
static const aw_site fills__sites[] = {SITE(fills, 0, 0), SITE(fills, 1, AW_SITE_CLEAN),
                                       SITE(fills, 2, AW_SITE_CLEAN),
                                       SITE(fills, 3, AW_SITE_CLEAN)};

/* Awaits the array of site k into `to`. */
#define AWAIT_ARRAY(k, to, bytes)                                                                  \
    do {                                                                                           \
        (to) = aw_array_new__leaf(c, f + 1, bytes, align_bytes);                                   \
        if (c->pending != NULL) {                                                                  \
            AW_LINK(c, &f->head, &fills__sites[k]);                                                \
            return 0;                                                                              \
        }                                                                                          \
    } while (0)

static int fills__poll(aw_cx *c, struct fills__frame *f, unsigned st, intptr_t arg)
{
    int v = 0;
    switch (st) {
    case 0:
        f->arg = arg;
        f->room = f->first = NULL;
        AWAIT_ARRAY(1, f->first, 0);
        AWAIT_ARRAY(2, f->room, (size_t)arg);
        assert_true((uintptr_t)f->room % align_bytes == 0 &&
                    (uintptr_t)f->first % align_bytes == 0);
        memset(f->room, 7, (size_t)arg);
        filled++;
        AWAIT(fills, 3, aw_yield(c, f + 1));
        v = ((char *)f->room)[f->arg - 1];
        break;
    case 1 | AW_CANCEL:
    case 2 | AW_CANCEL:
    case 3 | AW_CANCEL:
        cleaned++;
        break;
    }
    aw_array_free(&f->room);
    aw_array_free(&f->first);
    return v;
}

static void arrays_are_aligned(void **state)
{
    (void)state;
    for (align_bytes = 1; align_bytes <= 4096; align_bytes *= 2) {
        int out = 0;
        assert_int_equal(BLOCK_ON(rt, fills, 1000 + (intptr_t)align_bytes, &out), 0);
        assert_int_equal(out, 7);
    }
}

static void an_impossible_size_cancels(void **state)
{
    (void)state;
    static const intptr_t sizes[] = {-1, INTPTR_MIN, INTPTR_MAX, INTPTR_MAX - 8};
    align_bytes = 16;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        int out = 1;
        cleaned = filled = 0;
        assert_int_equal(BLOCK_ON(rt, fills, sizes[i], &out), -ENOMEM);
        assert_true(out == 0 && cleaned == 1 && filled == 0);
    }
}

static bool refuse_small(size_t bytes)
{
    return bytes > 100;
}

static bool refuse_large(size_t bytes)
{
    return bytes < 10000;
}

static void no_memory_cancels_and_cleans_up(void **state)
{
    (void)state;
    bool (*const hooks[])(size_t) = {refuse_small, refuse_large};
    align_bytes = 16;
    for (int i = 0; i < 2; i++) {
        int out = 1;
        cleaned = filled = 0;
        awi_alloc_hook = hooks[i];
        int rc = BLOCK_ON(rt, fills, 20000, &out);
        awi_alloc_hook = NULL;
        assert_int_equal(rc, -ENOMEM);
        assert_true(out == 0 && cleaned == 1 && filled == 0);
    }
}

static void nothing_is_freed_of_none(void **state)
{
    (void)state;
    void *none = NULL;
    aw_array_free(&none);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arrays_are_aligned),
        cmocka_unit_test(an_impossible_size_cancels),
        cmocka_unit_test(no_memory_cancels_and_cleans_up),
        cmocka_unit_test(nothing_is_freed_of_none),
    };
    return cmocka_run_group_tests_name("array", tests, set_up, tear_down);
}
