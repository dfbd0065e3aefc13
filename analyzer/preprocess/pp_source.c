/* SPDX-License-Identifier: MIT */
/*
 * Which token is next? From the contexts of macros first, then from the file, whose directives are
 * done on the way: they may skip a group, or put another file in front.
 */
#include "analyzer/preprocess/pp_private.h"

enum { DEEPEST_INCLUDE = 200 };

void pp_give_up(struct pp_run *r, const char *why)
{
    if (r->why == NULL)
        r->why = why;
}

void pp_enter_file(struct pp_run *r, const struct pp_header *header, const struct pp_file *file,
                   struct pp_recording *recording)
{
    struct pp_source *s = ARENA_NEW(r->mem, struct pp_source);
    if (file->broken != NULL)
        pp_give_up(r, file->broken);
    if (++r->depth > DEEPEST_INCLUDE)
        pp_give_up(r, "includes without end");
    s->includer = r->source;
    s->header = header;
    s->file = file;
    s->name = header->path;
    s->is_system = header->is_system;
    s->recording = recording;
    r->source = s;
    pp_print_marker(r, 1, s->includer != NULL ? '1' : ' ');
}

void pp_leave_file(struct pp_run *r)
{
    struct pp_source *s = r->source;
    const struct pp_token *next = &s->includer->file->tokens[s->includer->at];
    if (s->recording != NULL)
        pp_recording_end(r, s->recording);
    r->source = s->includer;
    r->depth--;
    /* the line behind the #include, also if nothing stands there */
    pp_print_marker(r, next[-1].line + 1, '2');
}

static struct pp_token end_token(void)
{
    return (struct pp_token){.text = "", .kind = PP_END, .flags = PP_FIRST};
}

static struct pp_token take_of_file(struct pp_run *r)
{
    for (;;) {
        struct pp_source *s = r->source;
        const struct pp_token *t = &s->file->tokens[s->at];
        if (t->kind == PP_BAD) {
            pp_give_up(r, "a literal that is not closed, or not of C11");
            return end_token();
        }
        if ((t->flags & PP_FIRST) != 0 && t->code == '#') {
            pp_do_directive(r);
            if (r->why != NULL)
                return end_token();
            continue;
        }
        if (t->kind != PP_END) {
            s->at++;
            r->file_line = t->line;
            r->is_from_file = true;
            return *t;
        }
        if (s->includer == NULL || r->is_collecting)
            return *t;
        pp_leave_file(r);
    }
}

struct pp_token pp_take(struct pp_run *r)
{
    r->is_from_file = false;
    while (r->why == NULL && r->contexts.count > r->base) {
        struct pp_context *c = &VEC_LAST(&r->contexts);
        if (c->at < c->end) {
            struct pp_token t = *c->at++;
            if (c->is_first && c->macro != NULL)
                t.flags = (uint8_t)((t.flags & ~PP_SPACE) | c->space);
            c->is_first = false;
            return t;
        }
        if (c->macro != NULL)
            c->macro->is_disabled = false;
        r->contexts.count--;
    }
    return r->why != NULL || r->is_isolated ? end_token() : take_of_file(r);
}

bool pp_call_follows(struct pp_run *r)
{
    while (r->contexts.count > r->base) {
        struct pp_context *c = &VEC_LAST(&r->contexts);
        if (c->at < c->end)
            return c->at->kind == PP_PUNCT && c->at->code == '(';
        if (c->macro != NULL)
            c->macro->is_disabled = false;
        r->contexts.count--;
    }
    if (r->is_isolated)
        return false;
    const struct pp_token *t = &r->source->file->tokens[r->source->at];
    return t->kind == PP_PUNCT && t->code == '(';
}
