/* SPDX-License-Identifier: MIT */
/*
 * Which IR does a text stand for? Recursive descent over words, numbers, quoted texts and the
 * signs { } : @; white space separates and means nothing else; `#` starts a comment up to the end
 * of its line.
 *
 *     func   = "func" name "{" { scope | local | block } "}"
 *     scope  = "scope" number [ "in" number ]
 *     local  = "local" number ("param" | "var" | "temp") name quoted "size" number "align" number
 *              [ "scalar" ] [ "scope" number ] [ at ]
 *     block  = "block" number ":" { op [ at ] }
 *     op     = word-of-a-local's-op number | word-of-a-terminator { number }
 *            | "await" number [ quoted ] [ "hold" { number } ] [ "cancel" number ]
 *     at     = "@" number ":" number
 *     name   = word | quoted
 *
 * Numbers of scopes, locals and blocks count up from 0. The reader checks the form only; whether
 * the function makes sense is air_verify's question. The first error ends the reading.
 */
#include "analyzer/ir/air.h"

#include <ctype.h>
#include <inttypes.h>

#include "analyzer/base/check.h"

enum token_kind { TOKEN_END, TOKEN_WORD, TOKEN_QUOTED, TOKEN_SIGN, TOKEN_BAD };

struct reader {
    arena *mem;
    strview text;
    size_t next; /* offset behind the current token */
    uint32_t line;
    enum token_kind kind;
    strview token;     /* quoted: without the quotes, escapes undone */
    const char *error; /* the first; all reading stops */
};

static const char *const op_words[AIR_OP_COUNT] = {
#define AIR_OP(name, text, operands, what) [AIR_##name] = (text),
#include "analyzer/ir/air_ops.def"
#undef AIR_OP
};

/* ---- tokens --------------------------------------------------------------------------------- */

static void fail(struct reader *r, const char *expected)
{
    if (r->error != NULL)
        return;
    if (r->kind == TOKEN_END)
        r->error = arena_printf(r->mem, "line %" PRIu32 ": expected %s at the end of the text",
                                r->line, expected);
    else
        r->error = arena_printf(r->mem, "line %" PRIu32 ": expected %s, found '%.*s'", r->line,
                                expected, (int)(r->token.len > 40 ? 40 : r->token.len),
                                r->token.len == 0 ? "" : r->token.at);
    r->kind = TOKEN_BAD;
    r->token = (strview){NULL, 0};
}

static bool is_word_char(unsigned char c)
{
    return c >= 0x80 || isalnum(c) || c == '_' || c == '$' || c == '.';
}

static void skip_space(struct reader *r)
{
    bool in_comment = false;
    for (; r->next < r->text.len; r->next++) {
        char c = r->text.at[r->next];
        if (c == '\n') {
            r->line++;
            in_comment = false;
        } else if (c == '#') {
            in_comment = true;
        } else if (!in_comment && c != ' ' && c != '\t' && c != '\r') {
            return;
        }
    }
}

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return -1;
}

/* Undoes one escape that starts at the backslash; false if it is none of ours. */
static bool unescape(struct reader *r, strbuf *out)
{
    const char *at = r->text.at + r->next;
    size_t left = r->text.len - r->next;
    if (left >= 2 && (at[1] == '"' || at[1] == '\\')) {
        strbuf_char(out, at[1]);
        r->next += 2;
        return true;
    }
    if (left < 4 || at[1] != 'x' || hex_digit(at[2]) < 0 || hex_digit(at[3]) < 0)
        return false;
    strbuf_char(out, (char)(hex_digit(at[2]) * 16 + hex_digit(at[3])));
    r->next += 4;
    return true;
}

static void read_quoted(struct reader *r)
{
    strbuf out = strbuf_in(r->mem);
    r->next++;
    while (r->next < r->text.len && r->text.at[r->next] != '"') {
        char c = r->text.at[r->next];
        if (c == '\n' || (c == '\\' && !unescape(r, &out)))
            break;
        if (c != '\\') {
            strbuf_char(&out, c);
            r->next++;
        }
    }
    r->kind = TOKEN_QUOTED;
    r->token = strbuf_view(&out);
    if (r->next < r->text.len && r->text.at[r->next] == '"')
        r->next++;
    else
        fail(r, "a text in quotes that ends on its line");
}

static void advance(struct reader *r)
{
    if (r->error != NULL)
        return;
    skip_space(r);
    size_t start = r->next;
    r->token = (strview){r->text.at + start, 0};
    r->kind = TOKEN_END;
    if (start == r->text.len)
        return;
    unsigned char c = (unsigned char)r->text.at[start];
    if (c == '"') {
        read_quoted(r);
        return;
    }
    r->kind = is_word_char(c) ? TOKEN_WORD : TOKEN_SIGN;
    r->next++;
    while (r->kind == TOKEN_WORD && r->next < r->text.len &&
           is_word_char((unsigned char)r->text.at[r->next]))
        r->next++;
    r->token.len = r->next - start;
}

static bool at_word(const struct reader *r, const char *word)
{
    return r->kind == TOKEN_WORD && sv_is(r->token, word);
}

static bool at_sign(const struct reader *r, const char *sign)
{
    return r->kind == TOKEN_SIGN && sv_is(r->token, sign);
}

static bool at_number(const struct reader *r)
{
    return r->kind == TOKEN_WORD && r->token.at[0] >= '0' && r->token.at[0] <= '9';
}

static bool accept_word(struct reader *r, const char *word)
{
    if (!at_word(r, word))
        return false;
    advance(r);
    return true;
}

static void expect_word(struct reader *r, const char *word)
{
    if (!accept_word(r, word))
        fail(r, arena_printf(r->mem, "'%s'", word));
}

static void expect_sign(struct reader *r, const char *sign)
{
    if (at_sign(r, sign))
        advance(r);
    else
        fail(r, arena_printf(r->mem, "'%s'", sign));
}

static uint64_t read_number(struct reader *r, uint64_t max)
{
    uint64_t value = 0;
    for (size_t i = 0; at_number(r) && i < r->token.len; i++) {
        unsigned digit = (unsigned)(r->token.at[i] - '0');
        if (digit > 9 || value > (max - digit) / 10) {
            fail(r, arena_printf(r->mem, "a number up to %" PRIu64, max));
            return 0;
        }
        value = value * 10 + digit;
    }
    if (at_number(r))
        advance(r);
    else
        fail(r, "a number");
    return value;
}

/* The number of a local, block, scope, ...: anything but AIR_NONE. */
static uint32_t read_id(struct reader *r)
{
    return (uint32_t)read_number(r, AIR_NONE - 1);
}

static strview read_name(struct reader *r)
{
    if (r->kind != TOKEN_WORD && r->kind != TOKEN_QUOTED) {
        fail(r, "a name");
        return (strview){NULL, 0};
    }
    strview name = {arena_strndup(r->mem, r->token.at, r->token.len), r->token.len};
    advance(r);
    return name;
}

static strview read_quoted_text(struct reader *r)
{
    if (r->kind == TOKEN_QUOTED)
        return read_name(r);
    fail(r, "a text in quotes");
    return (strview){NULL, 0};
}

static void read_position(struct reader *r, uint32_t *line, uint32_t *column)
{
    if (!at_sign(r, "@"))
        return;
    advance(r);
    *line = read_id(r);
    expect_sign(r, ":");
    *column = read_id(r);
}

static void expect_next_number(struct reader *r, size_t count)
{
    const char *number = arena_printf(r->mem, "%zu", count);
    if (!accept_word(r, number))
        fail(r, arena_printf(r->mem, "%s, the next number", number));
}

/* ---- the function --------------------------------------------------------------------------- */

static void read_scope(struct reader *r, air_func *fn)
{
    struct air_scope scope = {.parent = AIR_NONE};
    expect_next_number(r, fn->scopes.count);
    if (accept_word(r, "in"))
        scope.parent = read_id(r);
    VEC_PUSH(r->mem, &fn->scopes, scope);
}

static enum air_local_kind read_local_kind(struct reader *r)
{
    if (accept_word(r, "param"))
        return AIR_PARAM;
    if (accept_word(r, "var"))
        return AIR_VAR;
    expect_word(r, "temp");
    return AIR_TEMP;
}

static void read_local(struct reader *r, air_func *fn)
{
    struct air_local local = {0};
    expect_next_number(r, fn->locals.count);
    local.kind = read_local_kind(r);
    local.name = read_name(r);
    local.type = read_quoted_text(r);
    expect_word(r, "size");
    local.size_bytes = read_number(r, UINT64_MAX);
    expect_word(r, "align");
    local.align_bytes = read_number(r, UINT64_MAX);
    local.is_scalar = accept_word(r, "scalar");
    if (accept_word(r, "scope"))
        local.scope = read_id(r);
    read_position(r, &local.line, &local.column);
    VEC_PUSH(r->mem, &fn->locals, local);
}

static void read_numbers(struct reader *r, uint32_t **at, uint32_t *count)
{
    VEC(uint32_t) list = {0};
    while (at_number(r))
        VEC_PUSH(r->mem, &list, read_id(r));
    *at = list.at;
    *count = (uint32_t)list.count;
}

static void read_await(struct reader *r, struct air_op *op)
{
    op->await = read_id(r);
    if (r->kind == TOKEN_QUOTED)
        op->callee = read_quoted_text(r);
    if (accept_word(r, "hold"))
        read_numbers(r, &op->holds, &op->hold_count);
    if (accept_word(r, "cancel"))
        op->cancel = read_id(r);
}

/* AIR_OP_COUNT if the current token is no op's word. */
static enum air_op_kind op_kind_here(const struct reader *r)
{
    int kind = 0;
    while (kind < AIR_OP_COUNT && !at_word(r, op_words[kind]))
        kind++;
    return (enum air_op_kind)kind;
}

static struct air_op read_op(struct reader *r, enum air_op_kind kind)
{
    struct air_op op = {.kind = kind, .local = AIR_NONE, .cancel = AIR_NONE};
    advance(r);
    if (kind == AIR_AWAIT)
        read_await(r, &op);
    else if (air_op_is_terminator(kind))
        read_numbers(r, &op.targets, &op.target_count);
    else
        op.local = read_id(r);
    read_position(r, &op.line, &op.column);
    return op;
}

static void read_block(struct reader *r, air_func *fn)
{
    struct air_block block = {0};
    expect_next_number(r, fn->blocks.count);
    expect_sign(r, ":");
    for (;;) {
        enum air_op_kind kind = op_kind_here(r);
        if (kind == AIR_OP_COUNT)
            break;
        fn->await_count += kind == AIR_AWAIT;
        VEC_PUSH(r->mem, &block.ops, read_op(r, kind));
    }
    VEC_PUSH(r->mem, &fn->blocks, block);
}

static void read_func(struct reader *r, air_func *fn)
{
    expect_word(r, "func");
    fn->name = read_name(r);
    expect_sign(r, "{");
    while (r->error == NULL && !at_sign(r, "}")) {
        if (accept_word(r, "scope"))
            read_scope(r, fn);
        else if (accept_word(r, "local"))
            read_local(r, fn);
        else if (accept_word(r, "block"))
            read_block(r, fn);
        else
            fail(r, "an op, 'scope', 'local', 'block' or '}'");
    }
    expect_sign(r, "}");
    if (r->kind != TOKEN_END)
        fail(r, "nothing behind the function");
}

air_func *air_read(arena *mem, strview text, const char **error)
{
    struct reader r = {.mem = mem, .text = text, .line = 1};
    if (text.len == 0)
        r.text.at = "";
    air_func *fn = ARENA_NEW(mem, air_func);
    fn->mem = mem;
    advance(&r);
    read_func(&r, fn);
    if (r.error == NULL)
        return fn;
    *error = r.error;
    return NULL;
}
