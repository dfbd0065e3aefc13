/* SPDX-License-Identifier: MIT */
/*
 * The uses of a parameter in the text of its macro are counted as a pair, the fewest and the most,
 * since a macro that is used inside may drop or repeat what it gets:
 *
 *     #define CHECK(x) do { if (!(x)) fail(#x); } while (0)     x: 1..1   (#x is no value)
 *     #define SAME(x)  (sizeof(x) == 4 && MAX(x, 0) > 1)        x: 1..2   (sizeof evaluates
 * nothing) #define QUIET(x) ((void)0)                                x: 0..0
 *
 * Text only: a parameter that stands in both arms of a ?: counts twice, one in a loop once.
 */
#include "analyzer/query/query_macros.h"

#include "analyzer/base/check.h"
#include "analyzer/parse/raw_lex.h"

static const struct {
    const char *name;
    enum macro_fate fate;
} well_known[] = {
    {"assert", MACRO_DROPS},
    {"assert_perror", MACRO_DROPS},
    {"g_assert", MACRO_DROPS},
    {"g_return_if_fail", MACRO_DROPS},
    {"g_return_val_if_fail", MACRO_DROPS},
    {"ASSERT", MACRO_DROPS},
    {"Assert", MACRO_DROPS},
    {"DCHECK", MACRO_DROPS},
    {"MIN", MACRO_REPEATS},
    {"MAX", MACRO_REPEATS},
    {"CLAMP", MACRO_REPEATS},
    {"ABS", MACRO_REPEATS},
};

enum {
    MACROS_DEEPEST = 4,   /* macros used in macros */
    GROUPS_DEEPEST = 100, /* calls in calls */
    USES_MOST = 1000,
    WORK_MOST = 200000 /* tokens looked at for one question; then nothing is known */
};

struct uses {
    uint32_t fewest, most;
};

typedef VEC(struct raw_token) token_list;

/* One question. */
struct inquiry {
    arena *mem;
    const struct macro_table *table;
    uint32_t work;   /* tokens looked at so far */
    uint32_t macros; /* how deep in macros we are */
    uint32_t groups; /* and in calls, in all of them */
};

/* The search of one parameter in one text. */
struct use_count {
    struct inquiry *q;
    strview text; /* the macro's */
    strview parameter;
    const struct raw_token *tokens;
};

static strview text_of(strview text, const struct raw_token *t)
{
    return (strview){text.at + t->begin, t->end - t->begin};
}

static void read_parameters(arena *mem, struct macro *m, struct raw_lexer *lexer)
{
    strview text = {lexer->text, lexer->len};
    for (;;) {
        struct raw_token t = raw_next(lexer);
        if (t.kind == RAW_WORD)
            VEC_PUSH(mem, &m->parameters, text_of(text, &t));
        if (t.kind == RAW_END || (t.kind == RAW_PUNCT && t.punct == ')'))
            break;
        if (t.kind == RAW_PUNCT && t.punct == '.' && !m->variadic) {
            m->variadic = true;
            bool named = t.begin > 0 && raw_is_word((unsigned char)text.at[t.begin - 1]);
            if (!named)
                VEC_PUSH(mem, &m->parameters, SV("__VA_ARGS__"));
        }
    }
    m->body = (strview){text.at + lexer->at, lexer->len - lexer->at};
}

struct macro_table macro_table_read(arena *mem, strview text)
{
    struct macro_table table = {.all = {0}};
    struct raw_lexer x = raw_lexer_on(text, false);
    for (struct raw_token t = raw_next(&x); t.kind != RAW_END; t = raw_next(&x)) {
        if (t.kind != RAW_DIRECTIVE)
            continue;
        struct raw_lexer d = raw_directive(&x, &t);
        struct raw_token word = raw_next(&d);
        if (word.kind != RAW_WORD || !sv_is(text_of(text, &word), "define"))
            continue;
        struct raw_token name = raw_next(&d);
        if (name.kind != RAW_WORD || name.end >= d.len || text.at[name.end] != '(')
            continue;
        raw_next(&d); /* the parenthesis */
        struct macro m = {.name = text_of(text, &name)};
        read_parameters(mem, &m, &d);
        VEC_PUSH(mem, &table.all, m);
    }
    return table;
}

static bool is_punct(const struct raw_token *t, char c)
{
    return t->kind == RAW_PUNCT && t->punct == c;
}

/* The index behind the bracket that closes the one at `open`, or `end`. */
static size_t group_end(const struct raw_token *tokens, size_t open, size_t end)
{
    int depth = 0;
    for (size_t i = open; i < end; i++) {
        if (is_punct(&tokens[i], '('))
            depth++;
        else if (is_punct(&tokens[i], ')') && --depth == 0)
            return i + 1;
    }
    return end;
}

static bool is_unevaluated(strview word)
{
    static const char *const words[] = {
        "sizeof",        "typeof",      "__typeof__",           "__typeof",
        "_Alignof",      "__alignof__", "__builtin_constant_p", "__builtin_types_compatible_p",
        "_Static_assert"};
    for (size_t i = 0; i < COUNTOF(words); i++) {
        if (sv_is(word, words[i]))
            return true;
    }
    return false;
}

static struct uses count_uses(const struct use_count *c, size_t from, size_t to);
static struct uses fate_of(struct inquiry *q, strview name, uint32_t index);

static void add_uses(struct uses *sum, struct uses more)
{
    sum->fewest += more.fewest;
    sum->most += more.most;
    if (sum->most > USES_MOST)
        sum->most = USES_MOST;
    if (sum->fewest > USES_MOST)
        sum->fewest = USES_MOST;
}

/* The uses in the arguments (from the '(' on) of a call or macro use inside the text. */
static struct uses uses_in_call(const struct use_count *c, strview name, size_t open, size_t end)
{
    struct uses sum = {0, 0};
    bool generic = sv_is(name, "_Generic");
    uint32_t index = 0;
    int depth = 0;
    size_t begin = open + 1;
    for (size_t i = open; i < end; i++) {
        const struct raw_token *t = &c->tokens[i];
        depth += is_punct(t, '(') - is_punct(t, ')');
        bool last = depth == 0;
        if (!last && !(depth == 1 && is_punct(t, ',')))
            continue;
        struct uses here = count_uses(c, begin, i);
        struct uses factor = {1, 1};
        if (generic) /* its first operand is not evaluated, of the others one is */
            factor = (struct uses){index > 0, index > 0 && sum.most == 0};
        else if (here.most > 0)
            factor = fate_of(c->q, name, index);
        add_uses(&sum, (struct uses){here.fewest * factor.fewest, here.most * factor.most});
        begin = i + 1;
        index++;
    }
    if (generic && sum.fewest > 1)
        sum.fewest = 1;
    return sum;
}

static struct uses count_uses(const struct use_count *c, size_t from, size_t to)
{
    struct uses sum = {0, 0};
    if (c->q->groups > GROUPS_DEEPEST)
        return (struct uses){1, 1};
    for (size_t i = from; i < to && c->q->work < WORK_MOST; i++) {
        const struct raw_token *t = &c->tokens[i];
        c->q->work++;
        if (t->kind != RAW_WORD)
            continue;
        strview word = text_of(c->text, t);
        bool group_follows = i + 1 < to && is_punct(&c->tokens[i + 1], '(');
        if (sv_equal(word, c->parameter)) {
            bool no_value = (i > from && is_punct(&c->tokens[i - 1], '#')) ||
                            (i + 1 < to && is_punct(&c->tokens[i + 1], '#'));
            add_uses(&sum, (struct uses){!no_value, !no_value});
        } else if (group_follows) {
            size_t end = group_end(c->tokens, i + 1, to);
            c->q->groups++;
            if (!is_unevaluated(word))
                add_uses(&sum, uses_in_call(c, word, i + 1, end));
            c->q->groups--;
            i = end - 1;
        }
    }
    return sum;
}

static struct uses uses_in_macro(struct inquiry *q, const struct macro *m, uint32_t index)
{
    if (index >= m->parameters.count && (!m->variadic || m->parameters.count == 0))
        return (struct uses){1, 1};
    if (index >= m->parameters.count)
        index = (uint32_t)m->parameters.count - 1;
    token_list tokens = {0};
    struct raw_lexer x = raw_lexer_on(m->body, false);
    x.line_start = false; /* a '#' is an operator here */
    for (struct raw_token t = raw_next(&x); t.kind != RAW_END; t = raw_next(&x)) {
        VEC_PUSH(q->mem, &tokens, t);
        q->work++;
    }
    struct use_count c = {
        .q = q, .text = m->body, .tokens = tokens.at, .parameter = m->parameters.at[index]};
    return count_uses(&c, 0, tokens.count);
}

static struct uses well_known_fate(strview name)
{
    for (size_t i = 0; i < COUNTOF(well_known); i++) {
        if (sv_is(name, well_known[i].name))
            return well_known[i].fate == MACRO_DROPS ? (struct uses){0, 1} : (struct uses){1, 2};
    }
    return (struct uses){1, 1};
}

/* How often a use of `name` evaluates its argument: over all definitions the fewest and the most.
 */
static struct uses fate_of(struct inquiry *q, strview name, uint32_t index)
{
    struct uses result = {USES_MOST, 0};
    bool defined = false;
    q->macros++;
    for (size_t i = 0; i < q->table->all.count && q->macros <= MACROS_DEEPEST; i++) {
        const struct macro *m = &q->table->all.at[i];
        if (!sv_equal(m->name, name) || q->work >= WORK_MOST)
            continue;
        struct uses u = uses_in_macro(q, m, index);
        result.fewest = u.fewest < result.fewest ? u.fewest : result.fewest;
        result.most = u.most > result.most ? u.most : result.most;
        defined = true;
    }
    q->macros--;
    return defined ? result : well_known_fate(name);
}

enum macro_fate macro_argument_fate(arena *mem, const struct macro_table *table, strview name,
                                    uint32_t index)
{
    struct inquiry q = {.mem = mem, .table = table};
    struct uses u = fate_of(&q, name, index);
    if (q.work >= WORK_MOST)
        return MACRO_KEEPS;
    if (u.fewest == 0)
        return MACRO_DROPS;
    return u.most > 1 ? MACRO_REPEATS : MACRO_KEEPS;
}
