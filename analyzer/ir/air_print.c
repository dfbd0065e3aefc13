/* SPDX-License-Identifier: MIT */
/*
 * How does the IR look as text? One line a scope, local, block and op, in the form drawn in air.h:
 * two columns of indentation for what a function has, four for the ops of a block. Names that are
 * not a plain word, and all types and callees, stand in quotes with C-like escapes, so that any
 * bytes read back as they were.
 */
#include "analyzer/ir/air.h"

#include <ctype.h>
#include <inttypes.h>

#include "analyzer/base/check.h"

static const char *const op_words[AIR_OP_COUNT] = {
#define AIR_OP(name, text, operands, what) [AIR_##name] = (text),
#include "analyzer/ir/air_ops.def"
#undef AIR_OP
};

static const char *const local_words[] = {
    [AIR_PARAM] = "param", [AIR_VAR] = "var", [AIR_TEMP] = "temp"};

static bool is_plain_word(strview text)
{
    for (size_t i = 0; i < text.len; i++) {
        unsigned char c = (unsigned char)text.at[i];
        if (c < 0x80 && !isalnum(c) && c != '_' && c != '$' && c != '.')
            return false;
    }
    return text.len != 0;
}

static void print_quoted(strbuf *out, strview text)
{
    strbuf_char(out, '"');
    for (size_t i = 0; i < text.len; i++) {
        unsigned char c = (unsigned char)text.at[i];
        if (c == '"' || c == '\\')
            strbuf_fmt(out, "\\%c", c);
        else if (c < 0x20 || c == 0x7f)
            strbuf_fmt(out, "\\x%02x", c);
        else
            strbuf_char(out, (char)c);
    }
    strbuf_char(out, '"');
}

static void print_name(strbuf *out, strview name)
{
    if (is_plain_word(name))
        strbuf_sv(out, name);
    else
        print_quoted(out, name);
}

/* Ends a line; a line number of 0 is "not known". */
static void print_position(strbuf *out, uint32_t line, uint32_t column)
{
    if (line != 0)
        strbuf_fmt(out, " @%" PRIu32 ":%" PRIu32, line, column);
    strbuf_char(out, '\n');
}

static void print_numbers(strbuf *out, const uint32_t *at, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        strbuf_fmt(out, " %" PRIu32, at[i]);
}

static void print_local(strbuf *out, uint32_t number, const struct air_local *local)
{
    strbuf_fmt(out, "  local %" PRIu32 " %s ", number, local_words[local->kind]);
    print_name(out, local->name);
    strbuf_char(out, ' ');
    print_quoted(out, local->type);
    strbuf_fmt(out, " size %" PRIu64 " align %" PRIu64, local->size_bytes, local->align_bytes);
    if (local->is_scalar)
        strbuf_str(out, " scalar");
    strbuf_fmt(out, " scope %" PRIu32, local->scope);
    print_position(out, local->line, local->column);
}

static void print_await(strbuf *out, const struct air_op *op)
{
    strbuf_fmt(out, " %" PRIu32, op->await);
    if (op->callee.len != 0) {
        strbuf_char(out, ' ');
        print_quoted(out, op->callee);
    }
    if (op->hold_count != 0) {
        strbuf_str(out, " hold");
        print_numbers(out, op->holds, op->hold_count);
    }
    if (op->cancel != AIR_NONE)
        strbuf_fmt(out, " cancel %" PRIu32, op->cancel);
}

static void print_op(strbuf *out, const struct air_op *op)
{
    strbuf_fmt(out, "    %s", op_words[op->kind]);
    switch (op->kind) {
    case AIR_USE:
    case AIR_DEF:
    case AIR_PART:
    case AIR_LEND:
    case AIR_ADDR:
    case AIR_BEGIN:
    case AIR_END:
        strbuf_fmt(out, " %" PRIu32, op->local);
        break;
    case AIR_AWAIT:
        print_await(out, op);
        break;
    case AIR_GOTO:
    case AIR_BRANCH:
    case AIR_RETURN:
    case AIR_CANCELLED:
    case AIR_STOP:
        print_numbers(out, op->targets, op->target_count);
        break;
    case AIR_OP_COUNT:
        AWC_UNREACHABLE();
    }
    print_position(out, op->line, op->column);
}

void air_print(const air_func *fn, strbuf *out)
{
    strbuf_str(out, "func ");
    print_name(out, fn->name);
    strbuf_str(out, " {\n");
    for (uint32_t i = 0; i < fn->scopes.count; i++) {
        strbuf_fmt(out, "  scope %" PRIu32, i);
        if (fn->scopes.at[i].parent != AIR_NONE)
            strbuf_fmt(out, " in %" PRIu32, fn->scopes.at[i].parent);
        strbuf_char(out, '\n');
    }
    for (uint32_t i = 0; i < fn->locals.count; i++)
        print_local(out, i, &fn->locals.at[i]);
    for (uint32_t i = 0; i < fn->blocks.count; i++) {
        strbuf_fmt(out, "  block %" PRIu32 ":\n", i);
        for (size_t k = 0; k < fn->blocks.at[i].ops.count; k++)
            print_op(out, &fn->blocks.at[i].ops.at[k]);
    }
    strbuf_str(out, "}\n");
}
