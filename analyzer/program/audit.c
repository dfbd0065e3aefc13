/* SPDX-License-Identifier: MIT */
/*
 * Of which functions is nothing known? Those without a body and without a row in the tables of
 * facts, called where a wait would matter. A list for whoever writes facts for a library.
 */
#include <stdlib.h>

#include "analyzer/program/known_descriptors.h"
#include "analyzer/program/known_locks.h"
#include "analyzer/program/known_loops.h"
#include "analyzer/program/program_private.h"

struct unknown {
    const char *name;
    uint32_t sites;
};

struct unknowns {
    VEC(struct unknown) all;
};

static bool is_known(const program *p, const struct program_call *call)
{
    const known_facts *known = p->settings->known;
    strview name = sv_from(call->fact->callee);
    size_t count;
    return call->callee_count != 0 || call->fact->is_async ||
           known_blocking_find(known, name) != NULL || known_loop_find(known, name) != NULL ||
           known_lock_find(known, name) != NULL || sv_starts(name, "__") ||
           known_callbacks_of_function(known, name, &count) != NULL ||
           known_descriptors_of(known, name, &count) != NULL;
}

static int by_sites(const void *a, const void *b)
{
    const struct unknown *x = a, *y = b;
    if (x->sites != y->sites)
        return x->sites > y->sites ? -1 : 1;
    return strcmp(x->name, y->name);
}

void program_audit(const program *p, FILE *to)
{
    struct unknowns list = {.all = {0}};
    word_set seen = word_set_in(p->mem);
    for (size_t i = 0; i < p->functions.count; i++) {
        const program_function *f = p->functions.at[i];
        for (uint32_t k = 0; (f->contexts & (CONTEXT_LOOP | CONTEXT_TASK)) && k < f->call_count;
             k++) {
            const struct program_call *call = &f->calls[k];
            if (call->fact->callee_kind != CALLEE_NAME || is_known(p, call))
                continue;
            struct word_entry *e = word_set_add(&seen, sv_from(call->fact->callee));
            if (e->value == 0) {
                VEC_PUSH(p->mem, &list.all, (struct unknown){call->fact->callee, 0});
                e->value = (uint32_t)list.all.count;
            }
            list.all.at[e->value - 1].sites++;
        }
    }
    if (list.all.count > 1)
        qsort(list.all.at, list.all.count, sizeof list.all.at[0], by_sites);
    for (size_t i = 0; i < list.all.count; i++)
        fprintf(to, "%6u  %s\n", list.all.at[i].sites, list.all.at[i].name);
}
