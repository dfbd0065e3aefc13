/* SPDX-License-Identifier: MIT */
/*
 * What does the compiler say to __has_attribute(x) and its kin? Each question is asked once for a
 * set of flags. Running the compiler costs more than reading the header, and a header that asks one
 * question asks a dozen: so all that look alike in its conditions are asked at once,
 *
 *     #if __glibc_has_attribute (__noreturn__)
 *
 * too, though it is a macro of the header: its name holds `has_attribute`, and its argument is a
 * word.
 */
#include "analyzer/preprocess/pp_private.h"

typedef VEC(const char *) question_list;

static void add_question(struct pp_run *r, question_list *list, const char *text)
{
    if (word_set_find(&r->config->answers, sv_from(text)) != NULL)
        return;
    for (size_t i = 0; i < list->count; i++) {
        if (strcmp(list->at[i], text) == 0)
            return;
    }
    VEC_PUSH(r->mem, list, text);
}

/* The questions by this name in [at, end) that have a word as their argument. */
static void add_alike(struct pp_run *r, strview kind, const struct pp_token *at,
                      const struct pp_token *end, const struct pp_name *name, question_list *list)
{
    for (const struct pp_token *t = at; end - t >= 4; t++) {
        if (t->kind == PP_NAME && t[1].code == '(' && t[2].kind == PP_NAME && t[3].code == ')' &&
            memmem(t->name->text.at, t->name->text.len, kind.at, kind.len) != NULL)
            add_question(
                r, list,
                arena_printf(r->mem, "%.*s(%.*s)", SV_ARG(name->text), SV_ARG(t[2].name->text)));
    }
}

static void ask_alike(struct pp_run *r, const struct pp_name *name, const char *text)
{
    const struct pp_file *f = r->source->file;
    question_list list = {0};
    strview kind = name->text;
    while (kind.len > 0 && kind.at[0] == '_')
        kind = (strview){kind.at + 1, kind.len - 1};
    add_question(r, &list, text);
    for (size_t i = 0; i < f->directives.count; i++) {
        const struct pp_directive *d = &f->directives.at[i];
        if (d->kind == PP_DIRECTIVE_if || d->kind == PP_DIRECTIVE_elif)
            add_alike(r, kind, f->tokens + d->operand, f->tokens + d->end, name, &list);
    }
    pp_config *config = r->config;
    arena *mem = config->owner->mem;
    long *values = ARENA_ARRAY(r->mem, long, list.count);
    config->setup.ask(config->setup.context, list.at, (unsigned)list.count, values);
    for (size_t i = 0; i < list.count; i++) {
        const char *key = arena_printf(mem, "%s", list.at[i]);
        word_set_add(&config->answers, sv_from(key))->value = (uint32_t)config->answer.count;
        VEC_PUSH(mem, &config->answer, values[i]);
    }
}

bool pp_ask(struct pp_run *r, const struct pp_name *name, const char *text, long *answer)
{
    pp_config *config = r->config;
    struct word_entry *e = word_set_find(&config->answers, sv_from(text));
    if (e == NULL) {
        ask_alike(r, name, text);
        e = word_set_find(&config->answers, sv_from(text));
    }
    *answer = config->answer.at[e->value];
    return *answer >= 0;
}
