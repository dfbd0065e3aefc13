/* SPDX-License-Identifier: MIT */
/*
 * The opposite of a comparison swaps its operator, which is found as text: the only one outside of
 * parentheses. Where there is none (a macro) or several, it is "!(...)".
 */
#include "analyzer/diagram/condition_text.h"

#include <ctype.h>

enum { ANSWER_CHARS = 34, SHORT_ANSWERS = 3, SHORT_CASES = 2 };

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

/* A name, a call, a member: nothing that an operator in front would tear apart. */
static bool is_primary(const char *text)
{
    int depth = 0;
    for (size_t i = 0; text[i] != '\0'; i++) {
        depth += (text[i] == '(') + (text[i] == '[');
        bool fits = depth > 0 || isalnum((unsigned char)text[i]) || strchr("_.)]", text[i]) ||
                    (text[i] == '-' && text[i + 1] == '>') ||
                    (text[i] == '>' && i > 0 && text[i - 1] == '-');
        depth -= (text[i] == ')') + (text[i] == ']');
        if (!fits || depth < 0)
            return false;
    }
    return text[0] != '\0';
}

const char *condition_opposite(arena *mem, const char *text, bool is_comparison)
{
    const char *swapped = is_comparison ? swap_comparison(mem, text) : NULL;
    if (swapped != NULL)
        return swapped;
    if (text[0] == '!' && is_primary(text + 1))
        return text + 1;
    if (is_primary(text))
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

const char *condition_answer(source_table *sources, const machine *m, const struct path_answer *a)
{
    const struct machine_branch *b = &m->branches[a->block];
    if (b->kind == MACHINE_SWITCH || b->kind == MACHINE_DISPATCH)
        return list_targets(sources, m, b, a);
    if (b->kind != MACHINE_IF && b->kind != MACHINE_LOOP && b->kind != MACHINE_LAZY)
        return "\u2026";
    const char *text = source_snippet(sources, &b->condition);
    bool holds = (a->targets[0] == 0) != b->negate;
    return holds ? text : condition_opposite(sources->mem, text, b->is_comparison);
}

/* Of a long case the last answers are shown: they tell it from its neighbours. */
static void add_case(source_table *sources, const machine *m, const struct path_case *c,
                     bool is_short, strbuf *out)
{
    uint32_t first = is_short && c->count > SHORT_ANSWERS ? c->count - SHORT_ANSWERS + 1 : 0;
    if (first > 0)
        strbuf_str(out, "\u2026,\n");
    for (uint32_t i = first; i < c->count; i++) {
        const char *text = condition_answer(sources, m, &c->answers[i]);
        strbuf_str(out, i > first ? (is_short ? ",\n" : " and ") : "");
        strbuf_str(out, is_short ? source_shorten(sources->mem, text, ANSWER_CHARS) : text);
    }
}

const char *condition_label(source_table *sources, const machine *m, const path_cases *cases,
                            bool is_short)
{
    strbuf out = strbuf_in(sources->mem);
    for (size_t i = 0; i < cases->all.count; i++) {
        if (cases->all.at[i].count == 0)
            return "";
        if (is_short && i == SHORT_CASES) {
            strbuf_str(&out, "\nor \u2026");
            return strbuf_text(&out);
        }
        strbuf_str(&out, i > 0 ? "\nor " : "");
        add_case(sources, m, &cases->all.at[i], is_short, &out);
    }
    if (cases->is_cut)
        strbuf_str(&out, "\nor \u2026");
    return strbuf_text(&out);
}
