/* SPDX-License-Identifier: MIT */
/*
 * What did including this header do, and would it do the same now? While a header is read, a
 * recording takes down what each name was that the run asked about, unless the header itself had
 * set it before; at its end, what names became, and the text. Including it again where all names
 * asked about are what they were then is the same text and the same changes, at the price of the
 * comparison.
 *
 *     #ifndef _A_H            asked: _A_H was no macro
 *     #define _A_H            changed: _A_H
 *     extern int f(int) __THROW;      asked: extern, int, f, __THROW
 *
 * Recordings nest as includes do. Serials say what happened since one began, so that no recording
 * has to search: a name's `changed` and `asked` are serials, too. What an inner recording asked
 * goes to the outer one when it ends.
 */
#include "analyzer/preprocess/pp_private.h"

enum { MOST_MEMOS = 8 };

/* Its questions and the names that changed are the last ones of the run's lists. */
struct pp_recording {
    struct pp_recording *outer;
    struct pp_header *header;
    uint64_t start;
    size_t text; /* where its text begins in the output */
    size_t first_question, first_change;
    bool is_spoiled;
};

struct pp_memo {
    const struct pp_definition *questions, *changes;
    uint32_t question_count, change_count;
    strview text;
};

void pp_note_lookup_slowly(struct pp_run *r, struct pp_name *name)
{
    struct pp_question q = {{name, name->macro}, name->asked, name->changed};
    if (r->recording == NULL)
        return;
    if (q.changed <= r->recording->start)
        VEC_PUSH(r->mem, &r->questions, q);
    name->asked = ++r->pp->serial;
}

void pp_recording_spoil(struct pp_run *r)
{
    for (struct pp_recording *rec = r->recording; rec != NULL; rec = rec->outer)
        rec->is_spoiled = true;
}

static void set_current(struct pp_run *r, struct pp_recording *rec)
{
    r->recording = rec;
    r->recording_start = rec != NULL ? rec->start : 0;
}

struct pp_recording *pp_recording_begin(struct pp_run *r, struct pp_header *header)
{
    struct pp_recording *rec = ARENA_NEW(r->mem, struct pp_recording);
    pp_print_end_line(r);
    rec->outer = r->recording;
    rec->header = header;
    rec->start = ++r->pp->serial;
    rec->text = r->pp->out.len;
    rec->first_question = r->questions.count;
    rec->first_change = r->changed.count;
    set_current(r, rec);
    return rec;
}

/* What the names that changed are now, each once. */
static void keep_changes(struct pp_run *r, const struct pp_recording *rec, struct pp_memo *memo)
{
    word_set seen = word_set_in(r->mem);
    struct pp_definition *at =
        ARENA_ARRAY(r->pp->mem, struct pp_definition, r->changed.count - rec->first_change + 1);
    for (size_t i = rec->first_change; i < r->changed.count; i++) {
        struct pp_name *n = r->changed.at[i];
        strview key = {(const char *)&r->changed.at[i], sizeof n};
        uint32_t before = seen.count;
        word_set_add(&seen, key);
        if (seen.count != before)
            at[memo->change_count++] = (struct pp_definition){n, n->macro};
    }
    memo->changes = at;
}

static void keep(struct pp_run *r, const struct pp_recording *rec)
{
    arena *mem = r->pp->mem;
    struct pp_header *h = rec->header;
    struct pp_memo *memo = ARENA_NEW(mem, struct pp_memo);
    size_t count = r->questions.count - rec->first_question;
    struct pp_definition *questions = ARENA_ARRAY(mem, struct pp_definition, count + 1);
    for (size_t i = 0; i < count; i++)
        questions[i] = r->questions.at[rec->first_question + i].was;
    memo->questions = questions;
    memo->question_count = (uint32_t)count;
    keep_changes(r, rec, memo);
    size_t len = r->pp->out.len - rec->text;
    memo->text = (strview){arena_strndup(mem, r->pp->out.at + rec->text, len), len};
    if (h->memos.count < MOST_MEMOS)
        VEC_PUSH(mem, &h->memos, memo);
    else
        memmove(h->memos.at, h->memos.at + 1, (MOST_MEMOS - 1) * sizeof h->memos.at[0]);
    h->memos.at[h->memos.count - 1] = memo;
}

void pp_recording_end(struct pp_run *r, struct pp_recording *rec)
{
    struct pp_recording *outer = rec->outer;
    pp_print_end_line(r);
    if (!rec->is_spoiled && r->why == NULL)
        keep(r, rec);
    set_current(r, outer);
    size_t left = rec->first_question;
    for (size_t i = left; outer != NULL && i < r->questions.count; i++) {
        const struct pp_question *q = &r->questions.at[i];
        if (q->asked_before <= outer->start && q->changed <= outer->start)
            r->questions.at[left++] = *q;
    }
    r->questions.count = left;
}

/* ---- again ----------------------------------------------------------------------------------- */

static bool is_same(const struct pp_macro *a, const struct pp_macro *b)
{
    if (a == b)
        return true;
    return a != NULL && b != NULL && a->builtin == b->builtin && sv_equal(a->text, b->text);
}

static bool would_be_same(const struct pp_memo *memo)
{
    for (uint32_t i = 0; i < memo->question_count; i++) {
        if (!is_same(memo->questions[i].name->macro, memo->questions[i].macro))
            return false;
    }
    return true;
}

bool pp_memo_replay(struct pp_run *r, struct pp_header *header)
{
    struct pp_memo *memo = NULL;
    for (size_t i = header->memos.count; i > 0 && memo == NULL; i--) {
        if (would_be_same(header->memos.at[i - 1]))
            memo = header->memos.at[i - 1];
    }
    if (memo == NULL)
        return false;
    pp_print_end_line(r);
    strbuf_sv(&r->pp->out, memo->text);
    for (uint32_t i = 0; i < memo->question_count; i++)
        pp_note_lookup(r, memo->questions[i].name);
    for (uint32_t i = 0; i < memo->change_count; i++)
        pp_macro_set(r, memo->changes[i].name, memo->changes[i].macro);
    return true;
}
