/* SPDX-License-Identifier: MIT */
/*
 * The opposite of a comparison swaps its operator, which is found as text: the only one outside of
 * parentheses. Where there is none (a macro) or several, it is "!(...)".
 */
#include "analyzer/diagram/condition_text.h"

#include <ctype.h>

enum { ANSWER_CHARS = 34, SHORT_ANSWERS = 2, SHORT_CASES = 2 };

static const char *const opposites[][2] = {{"==", "!="}, {"!=", "=="}, {"<=", ">"},
                                           {">=", "<"},  {"<", ">="},  {">", "<="}};

/* What stands at text[i] if it is a comparison; its index in `opposites`, or -1. *len: how much
 * to skip. */
static int comparison_at(const char *text, size_t i, size_t *len)
{
    static const char *const others[] = {"<<=", ">>=", "<<", ">>", "->"};
    *len = 1;
    for (size_t k = 0; k < sizeof others / sizeof others[0]; k++) {
        if (strncmp(text + i, others[k], strlen(others[k])) == 0) {
            *len = strlen(others[k]);
            return -1;
        }
    }
    for (size_t k = 0; k < sizeof opposites / sizeof opposites[0]; k++) {
        if (strncmp(text + i, opposites[k][0], strlen(opposites[k][0])) == 0) {
            *len = strlen(opposites[k][0]);
            return (int)k;
        }
    }
    return -1;
}

static size_t skip_literal(const char *text, size_t i)
{
    char quote = text[i];
    for (i++; text[i] != '\0' && text[i] != quote; i++)
        i += text[i] == '\\' && text[i + 1] != '\0';
    return text[i] == '\0' ? i : i + 1;
}

static const char *swap_comparison(arena *mem, const char *text)
{
    int depth = 0, found = -1;
    size_t at = 0, len;
    for (size_t i = 0; text[i] != '\0'; i += len) {
        len = 1;
        if (text[i] == '"' || text[i] == '\'') {
            len = skip_literal(text, i) - i;
            continue;
        }
        depth += (text[i] == '(') + (text[i] == '[') - (text[i] == ')') - (text[i] == ']');
        if (depth != 0)
            continue;
        int k = comparison_at(text, i, &len);
        if (k >= 0 && found >= 0)
            return NULL;
        if (k >= 0) {
            found = k;
            at = i;
        }
    }
    if (found < 0)
        return NULL;
    return arena_printf(mem, "%.*s%s%s", (int)at, text, opposites[found][1],
                        text + at + strlen(opposites[found][0]));
}

/* A name, a call, a cast, an await: nothing that a "!" in front would tear apart. */
static bool is_unary(const char *text)
{
    int depth = 0;
    for (size_t i = 0; text[i] != '\0'; i++) {
        if (text[i] == '"' || text[i] == '\'') {
            i = skip_literal(text, i) - 1;
            continue;
        }
        depth += (text[i] == '(') + (text[i] == '[') - (text[i] == ')') - (text[i] == ']');
        bool is_arrow = text[i] == '-' && text[i + 1] == '>';
        if (depth < 0 || (depth == 0 && !is_arrow && strchr("=<>&|^?:,+-*/%~", text[i]) != NULL))
            return false;
        i += is_arrow;
    }
    return text[0] != '\0';
}

const char *condition_opposite(arena *mem, const char *text, bool is_comparison)
{
    const char *swapped = is_comparison ? swap_comparison(mem, text) : NULL;
    if (swapped != NULL)
        return swapped;
    if (text[0] == '!' && is_unary(text + 1))
        return text + 1;
    if (is_unary(text))
        return arena_printf(mem, "!%s", text);
    return arena_printf(mem, "!(%s)", text);
}

static const char *way_text(const machine *m, uint32_t way)
{
    static const char *const texts[] = {[MACHINE_RETURN] = "on return",
                                        [MACHINE_CANCEL] = "when cancelled",
                                        [MACHINE_GOTO] = "on goto",
                                        [MACHINE_BREAK] = "on break",
                                        [MACHINE_CONTINUE] = "on continue"};
    return way == 0 || way > m->way_count ? "at the end of the block" : texts[m->ways[way - 1]];
}

static const char *list_targets(source_table *sources, const machine *m,
                                const struct machine_branch *b, const struct path_answer *a)
{
    strbuf out = strbuf_in(sources->mem);
    for (uint32_t i = 0; i < a->target_count; i++) {
        uint32_t t = a->targets[i];
        const char *text = b->kind == MACHINE_DISPATCH ? way_text(m, b->ways[t])
                           : b->is_default[t]          ? "default"
                                                       : source_snippet(sources, &b->cases[t]);
        if (out.len > 0 && strncmp(text, "case ", 5) == 0 && b->kind == MACHINE_SWITCH)
            text += 5;
        strbuf_fmt(&out, "%s%s", out.len > 0 ? ", " : "", text);
    }
    return strbuf_text(&out);
}

/* ---- short forms
 * ------------------------------------------------------------------------------------------ */

/* Is it one comparison and nothing around it? Only what is outside of parentheses counts. */
static bool is_only_comparison(const char *text)
{
    int depth = 0, found = 0;
    size_t len;
    for (size_t i = 0; text[i] != '\0'; i += len) {
        len = 1;
        if (text[i] == '"' || text[i] == '\'') {
            len = skip_literal(text, i) - i;
            continue;
        }
        depth += (text[i] == '(') + (text[i] == '[') - (text[i] == ')') - (text[i] == ']');
        if (depth != 0)
            continue;
        found += comparison_at(text, i, &len) >= 0;
        if (len == 1 && strchr("?:,&|^=", text[i]) != NULL)
            return false;
    }
    return found == 1;
}

/* Behind the parenthesis that closes the first one of the text, or its end. */
static const char *behind_call(const char *text)
{
    int depth = 0;
    while (*text != '\0') {
        if (*text == '"' || *text == '\'') {
            text += skip_literal(text, 0);
            continue;
        }
        depth += (*text == '(') - (*text == ')');
        text++;
        if (depth == 0 && text[-1] == ')')
            return text;
    }
    return text;
}

/* The operand of "a || b || await c(...)" that was asked last: what came before is known when the
 * awaited call is through. The text itself where it has no such form. */
static const char *last_operand(const char *text)
{
    int depth = 0;
    const char *last = text;
    char joint = '\0';
    for (size_t i = 0; text[i] != '\0'; i++) {
        if (text[i] == '"' || text[i] == '\'') {
            i = skip_literal(text, i) - 1;
            continue;
        }
        depth += (text[i] == '(') + (text[i] == '[') - (text[i] == ')') - (text[i] == ']');
        bool splits = depth == 0 && (text[i] == '|' || text[i] == '&') && text[i + 1] == text[i];
        if (depth == 0 && (text[i] == '?' || (splits && joint != '\0' && joint != text[i])))
            return text;
        if (splits) {
            joint = text[i];
            last = text + i + 2;
            i++;
        }
    }
    last += strspn(last, " ");
    return strstr(last, "await ") == NULL ? text : last;
}

/* "n <= 0 || await f(a, b) < 0" as "await \u2026 < 0": the call stands in the state's box. */
static const char *short_condition(arena *mem, const char *text)
{
    text = last_operand(text);
    const char *await = strstr(text, "await "), *open = await == NULL ? NULL : strchr(await, '(');
    if (open == NULL)
        return text;
    return arena_printf(mem, "%.*sawait \u2026%s", (int)(await - text), text, behind_call(open));
}

/* "pipe2(ends, O_CLOEXEC | O_NONBLOCK) < 0" as "pipe2(\u2026) < 0", as far as the text is too long:
 * of a call the name and what is asked of its result say most. */
static const char *without_arguments(arena *mem, const char *text)
{
    size_t at = 0;
    while (strlen(text) > ANSWER_CHARS && text[at] != '\0') {
        bool is_call = text[at] == '(' && at > 0 &&
                       (isalnum((unsigned char)text[at - 1]) || text[at - 1] == '_');
        const char *end = is_call ? behind_call(text + at) : NULL;
        if (end != NULL && end > text + at + 2 && end[-1] == ')')
            text = arena_printf(mem, "%.*s(\u2026)%s", (int)at, text, end);
        at++;
    }
    return text;
}

/* The answer in words of the source. question: as in condition_short. */
static const char *answer_text(source_table *sources, const machine *m, const struct path_answer *a,
                               bool is_short, const char *question)
{
    const struct machine_branch *b = &m->branches[a->block];
    if (b->kind == MACHINE_SWITCH || b->kind == MACHINE_DISPATCH)
        return list_targets(sources, m, b, a);
    if (b->kind != MACHINE_IF && b->kind != MACHINE_LOOP && b->kind != MACHINE_LAZY)
        return "\u2026";
    const char *text = source_snippet(sources, &b->condition);
    bool holds = (a->targets[0] == 0) != b->negate, compares = b->is_comparison;
    if (question != NULL && strcmp(text, question) == 0)
        return holds ? "yes" : "no";
    if (is_short) {
        const char *shorter = short_condition(sources->mem, text);
        compares = compares || (shorter != text && is_only_comparison(shorter));
        text = shorter;
    }
    return holds ? text : condition_opposite(sources->mem, text, compares);
}

/* Which answers tell a long case from its neighbours? The last ones; what only kept it from leaving
 * by a short way is "else". Returns how many there are, in `shown`. */
static uint32_t telling_answers(const struct path_case *c, const struct path_answer **shown)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < c->count; i++) {
        if (!c->answers[i].is_guard || i + 1 == c->count)
            shown[count++] = &c->answers[i];
    }
    if (count <= SHORT_ANSWERS)
        return count;
    memmove(shown, shown + count - SHORT_ANSWERS, SHORT_ANSWERS * sizeof *shown);
    return SHORT_ANSWERS;
}

static void add_short_case(source_table *sources, const machine *m, const struct path_case *c,
                           const char *question, strbuf *out)
{
    arena *mem = sources->mem;
    const struct path_answer **shown = ARENA_ARRAY(mem, const struct path_answer *, c->count + 1);
    uint32_t count = telling_answers(c, shown);
    const char *separator = out->len == 0 && count < c->count ? "else if " : "";
    for (uint32_t i = 0; i < count; i++) {
        const char *text = answer_text(sources, m, shown[i], true, question);
        text = source_shorten(mem, without_arguments(mem, text), ANSWER_CHARS);
        strbuf_fmt(out, "%s%s", separator, text);
        separator = ",\n";
    }
}

static void add_full_case(source_table *sources, const machine *m, const struct path_case *c,
                          strbuf *out)
{
    for (uint32_t i = 0; i < c->count; i++)
        strbuf_fmt(out, "%s%s", i > 0 ? " and " : "",
                   answer_text(sources, m, &c->answers[i], false, NULL));
}

/* Does one of the cases ask nothing? */
static bool is_always(const path_cases *cases)
{
    for (size_t i = 0; i < cases->all.count; i++) {
        if (cases->all.at[i].count == 0)
            return true;
    }
    return false;
}

const char *condition_short(source_table *sources, const machine *m, const path_cases *cases,
                            const char *question)
{
    strbuf out = strbuf_in(sources->mem);
    if (is_always(cases))
        return "";
    for (size_t i = 0; i < cases->all.count && i < SHORT_CASES; i++) {
        strbuf_str(&out, i > 0 ? "\nor " : "");
        add_short_case(sources, m, &cases->all.at[i], question, &out);
    }
    if (cases->is_cut || cases->all.count > SHORT_CASES)
        strbuf_str(&out, "\nor \u2026");
    return strbuf_text(&out);
}

const char *condition_full(source_table *sources, const machine *m, const path_cases *cases)
{
    strbuf out = strbuf_in(sources->mem);
    if (is_always(cases))
        return "";
    for (size_t i = 0; i < cases->all.count; i++) {
        strbuf_str(&out, i > 0 ? "\nor " : "");
        add_full_case(sources, m, &cases->all.at[i], &out);
    }
    if (cases->is_cut)
        strbuf_str(&out, "\nor \u2026");
    return strbuf_text(&out);
}
