/* SPDX-License-Identifier: MIT */
/* The store is cleared at every end; what does not return has no end. */
#include <stddef.h>

struct instance {
    int id;
};
struct context {
    struct instance **touched;
};
void assertion_failed(const char *file, int line) __attribute__((__noreturn__));
void process_post(struct context *c, int flags);
void process_input(struct context *c);

#define ASSERT(x)                                                                                  \
    do {                                                                                           \
        if (!(x))                                                                                  \
            assertion_failed(__FILE__, __LINE__);                                                  \
    } while (0)

struct instance *dispatch(struct context *c, struct instance *i, int action)
{
    struct instance *touched = i;
    c->touched = &touched;
    switch (action) {
    case 1:
        process_input(c);
        break;
    default:
        ASSERT(i);
        process_post(c, action);
    }
    c->touched = NULL;
    return touched;
}
