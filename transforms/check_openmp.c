/* SPDX-License-Identifier: MIT */
/*
 * What of OpenMP cannot be in an async function? A statement that its threads run cannot hold an
 * await: they would all return to one caller. And a pragma is text that names locals, so none of
 * them may be one that lives in the frame, under another name.
 *
 * libclang does not read these pragmas: the statements are to it what they are without OpenMP.
 */
#include "analyzer/base/check.h"
#include "transforms/lowering.h"

static bool is_word(char c)
{
    return c == '_' || (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z');
}

static strview next_word(strview text, size_t *at)
{
    while (*at < text.len && !is_word(text.at[*at]))
        (*at)++;
    size_t begin = *at;
    while (*at < text.len && is_word(text.at[*at]))
        (*at)++;
    return (strview){text.at + begin, *at - begin};
}

/* Is the token a pragma of OpenMP? *at is then behind the word omp. */
static bool is_openmp(const ast_function *fn, uint32_t token, size_t *at)
{
    if (fn->tokens[token].kind != TOKEN_PRAGMA)
        return false;
    strview text = ast_token_text(fn, token);
    *at = 0;
    strview word = next_word(text, at); /* pragma, _Pragma, __pragma */
    word = next_word(text, at);
    return sv_is(word, "omp");
}

/* Does the pragma make something of the statement behind it? */
static bool governs(const ast_function *fn, uint32_t token)
{
    static const char *const alone[] = {
        "barrier",       "taskwait", "taskyield", "flush", "cancel",  "declare", "cancellation",
        "threadprivate", "depobj",   "requires",  "error", "nothing", "interop"};
    size_t at;
    if (!is_openmp(fn, token, &at))
        return false;
    strview text = ast_token_text(fn, token);
    strview word = next_word(text, &at);
    for (size_t i = 0; i < COUNTOF(alone); i++) {
        if (sv_is(word, alone[i]))
            return false;
    }
    bool is_target = sv_is(word, "target"), is_ordered = sv_is(word, "ordered");
    word = next_word(text, &at);
    if (is_target)
        return !sv_is(word, "update") && !sv_is(word, "enter") && !sv_is(word, "exit");
    return !is_ordered || (!sv_is(word, "depend") && !sv_is(word, "doacross"));
}

void check_openmp_await(lowering *l, const ast_node *await)
{
    for (const ast_node *n = await; n != NULL; n = n->parent) {
        for (uint32_t i = n->first; i > 0 && l->fn->tokens[i - 1].kind == TOKEN_PRAGMA; i--) {
            if (!governs(l->fn, i - 1))
                continue;
            lower_error(l, DIAG_AWAIT_PLACE, await,
                        "await cannot stand in a statement that OpenMP runs in threads of its own; "
                        "call a plain function there, by aw_compute");
            return;
        }
    }
}

bool openmp_names(const lowering *l, const ast_decl *d)
{
    for (uint32_t i = 0; i < l->fn->token_count; i++) {
        size_t at;
        if (!is_openmp(l->fn, i, &at))
            continue;
        strview text = ast_token_text(l->fn, i);
        for (strview word = next_word(text, &at); word.len > 0; word = next_word(text, &at)) {
            if (ast_visible_decl(l->fn, word, i) == d)
                return true;
        }
    }
    return false;
}

void check_openmp_names(lowering *l)
{
    for (uint32_t i = 0; i < l->fn->token_count; i++) {
        size_t at;
        if (!is_openmp(l->fn, i, &at))
            continue;
        strview text = ast_token_text(l->fn, i);
        for (strview word = next_word(text, &at); word.len > 0; word = next_word(text, &at)) {
            const ast_decl *d = ast_visible_decl(l->fn, word, i);
            if (d == NULL || d->local == UINT32_MAX)
                continue;
            const struct local_plan *plan = &l->plan[d->local];
            if (plan->place != PLACE_RESIDENT && plan->c_name == NULL)
                continue;
            diag_report(l->unit->sink, DIAG_UNSUPPORTED, lower_place(l, i),
                        "a pragma of OpenMP names `%.*s`, which must live in the function's frame; "
                        "copy it to a variable of a block around the statement",
                        SV_ARG(word));
            diag_note(l->unit->sink, lower_place(l, d->token), "it is declared here");
            l->failed = true;
            break;
        }
    }
}
