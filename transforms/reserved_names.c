/* SPDX-License-Identifier: MIT */
/*
 * Does the user's text have a name that the lowered text gives to something else? An async function
 * `f` takes f__poll, struct f__frame and the like, and its states: f__READ. What a header says
 * counts, too; a word in a comment or a literal does not.
 */
#include "analyzer/base/check.h"
#include "analyzer/base/word_set.h"
#include "transforms/lowering.h"

/* A name of two parts: `f__poll`, not `__asm__`. */
static bool has_parts(strview word)
{
    const char *at = word.len < 4 ? NULL : memmem(word.at + 1, word.len - 2, "__", 2);
    return at != NULL;
}

/* All such words of the unit; value: 1 + where the first one begins. */
static void read_words(struct unit *u)
{
    strview text = u->source->buffer;
    uint32_t end = (uint32_t)text.len;
    u->parted_words = word_set_in(u->mem);
    u->has_parted_words = true;
    for (uint32_t at = 0; at < end;) {
        strview word = next_piece(text, &at, end);
        if (!has_parts(word))
            continue;
        struct word_entry *e = word_set_add(&u->parted_words, word);
        e->value = e->value != 0 ? e->value : (uint32_t)(word.at - text.at) + 1;
    }
}

static void check_name(lowering *l, const char *name)
{
    const struct word_entry *e = word_set_find(&l->unit->parted_words, sv_from(name));
    if (e == NULL)
        return;
    l->failed = true;
    diag_report(l->unit->sink, DIAG_RESERVED_NAME, unit_place(l->unit, e->value - 1),
                "the lowering of `%s` needs the name `%s` for itself; choose another name", l->name,
                name);
}

void check_reserved_names(lowering *l)
{
    static const char *const suffixes[] = {"poll", "entry", "need", "code",
                                           "site", "frame", "state"};
    if (!l->unit->has_parted_words)
        read_words(l->unit);
    for (size_t i = 0; i < COUNTOF(suffixes); i++)
        check_name(l, arena_printf(l->mem, "%s__%s", l->name, suffixes[i]));
}

void check_state_names(lowering *l)
{
    for (size_t i = 0; i < l->points.count; i++)
        check_name(l, l->points.at[i]->state);
}
