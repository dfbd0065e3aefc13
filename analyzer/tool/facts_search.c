/* SPDX-License-Identifier: MIT */
/*
 * One paragraph a fact:
 *
 *     flock (sys/file.h, libc): waits for a lock; waits by design
 *         quick when   operation contains LOCK_NB or is LOCK_UN
 *         instead      aw_blocking
 */
#include "analyzer/tool/facts_search.h"

#include <ctype.h>
#include <stdbool.h>

#include "analyzer/base/arena.h"
#include "analyzer/base/strbuf.h"
#include "analyzer/program/known_blocking.h"
#include "analyzer/program/known_callbacks.h"
#include "analyzer/program/known_facts.h"

static bool holds(strview text, const char *word)
{
    size_t len = strlen(word);
    for (size_t at = 0; at + len <= text.len; at++) {
        size_t i = 0;
        while (i < len &&
               tolower((unsigned char)text.at[at + i]) == tolower((unsigned char)word[i]))
            i++;
        if (i == len)
            return true;
    }
    return false;
}

static bool holds_all(strview text, char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (!holds(text, words[i]))
            return false;
    }
    return true;
}

static void print_detail(FILE *to, const char *what, strview text)
{
    if (!fact_is_empty(text))
        fprintf(to, "    %-12s %.*s\n", what, SV_ARG(text));
}

static void print_blocking(const struct known_blocking *b, FILE *to)
{
    fprintf(to, "%.*s (%.*s, %.*s): %s; %s\n", SV_ARG(b->key.name), SV_ARG(b->header),
            SV_ARG(b->library), known_blocking_phrase(b), blocking_tier_words(b->tier));
    print_detail(to, "quick when", b->quick);
    print_detail(to, "instead", b->counterpart);
}

static size_t search_blocking(arena *mem, const known_facts *facts, char *const *words,
                              size_t word_count, FILE *to)
{
    size_t count, found = 0;
    const struct known_blocking *all = known_blocking_all(facts, &count);
    for (size_t i = 0; i < count; i++) {
        const struct known_blocking *b = &all[i];
        strbuf text = strbuf_in(mem);
        strbuf_fmt(&text, "%.*s\n%.*s\n%.*s\n%s\n%s\n%.*s\n%.*s", SV_ARG(b->key.name),
                   SV_ARG(b->header), SV_ARG(b->library), known_blocking_reasons(mem, b),
                   known_blocking_phrase(b), SV_ARG(b->quick), SV_ARG(b->counterpart));
        if (!holds_all(strbuf_view(&text), words, word_count))
            continue;
        print_blocking(b, to);
        found++;
    }
    return found;
}

/* "uv_queue_work (libuv): argument 2 runs on a pool". */
static const char *callback_line(arena *mem, const struct known_callback *c)
{
    static const char *const where[] = {
        [CALLBACK_LOOP] = "runs on the event loop",
        [CALLBACK_WORK] = "runs on a pool, where it may block",
        [CALLBACK_THREAD] = "runs on a thread of its own, where it may block",
        [CALLBACK_SIGNAL] = "runs in a signal handler",
        [CALLBACK_ATEXIT] = "runs when the process or thread ends",
        [CALLBACK_INLINE] = "runs during the call",
    };
    const char *argument = c->field.len > 0 ? "what is assigned to it"
                           : c->argument == GUARD_LAST
                               ? "the last argument"
                               : arena_printf(mem, "argument %d", c->argument);
    return arena_printf(mem, "%.*s (%.*s): %s %s", SV_ARG(c->key.name), SV_ARG(c->library),
                        argument, where[c->kind]);
}

static size_t search_callbacks(arena *mem, const known_facts *facts, char *const *words,
                               size_t word_count, FILE *to)
{
    size_t count, found = 0;
    const struct known_callback *all = known_callbacks_all(facts, &count);
    for (size_t i = 0; i < count; i++) {
        const char *line = callback_line(mem, &all[i]);
        if (!holds_all(sv_from(line), words, word_count))
            continue;
        fprintf(to, "%s\n", line);
        found++;
    }
    return found;
}

size_t facts_search_print(char *const *words, size_t count, FILE *to)
{
    arena *mem = arena_create();
    const known_facts *facts = known_facts_new(mem);
    size_t found = search_blocking(mem, facts, words, count, to);
    found += search_callbacks(mem, facts, words, count, to);
    arena_destroy(&mem);
    return found;
}
