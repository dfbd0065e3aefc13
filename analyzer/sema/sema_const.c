/* SPDX-License-Identifier: MIT */
/*
 * Which number is it? Integer constant expressions over the tree, enumerators, `const` variables
 * with a constant initialiser, and object-like macros by name: guards of the facts name flags
 * ("MSG_DONTWAIT"), while preprocessed text holds their values. A macro's text is parsed as the
 * result of a function made for it.
 */
#include "analyzer/sema/sema_private.h"

#include <errno.h>
#include <stdlib.h>

#include "analyzer/base/check.h"
#include "analyzer/base/strbuf.h"

struct macro_value {
    struct macro_value *next;
    strview name;
    bool known, is_busy;
    int64_t value;
};

/* ---- literals
 * ------------------------------------------------------------------------------------ */

static bool number_value(sema_unit *u, strview text, int64_t *value)
{
    char *copy = arena_strndup(u->mem, text.at, text.len), *end;
    size_t out = 0;
    for (size_t i = 0; copy[i] != '\0'; i++) {
        if (copy[i] != '\'')
            copy[out++] = copy[i];
    }
    copy[out] = '\0';
    bool is_binary = copy[0] == '0' && (copy[1] == 'b' || copy[1] == 'B');
    errno = 0;
    unsigned long long n = strtoull(is_binary ? copy + 2 : copy, &end, is_binary ? 2 : 0);
    if (errno != 0 || end == copy)
        return false;
    for (; *end != '\0'; end++) {
        if (strchr("uUlLzZ", *end) == NULL)
            return false;
    }
    *value = (int64_t)n;
    return true;
}

static int64_t simple_escape(char c)
{
    static const char names[] = "abfnrtv0", values[] = "\a\b\f\n\r\t\v\0";
    const char *at = strchr(names, c);
    return at == NULL || c == '\0' ? c : values[at - names];
}

static bool char_value(strview text, int64_t *value)
{
    if (text.len >= 3 && text.at[0] == '\'' && text.at[1] != '\\' && text.at[2] == '\'') {
        *value = text.at[1];
        return true;
    }
    if (text.len == 4 && text.at[0] == '\'' && text.at[1] == '\\') {
        *value = simple_escape(text.at[2]);
        return true;
    }
    return false;
}

/* ---- operators
 * ------------------------------------------------------------------------------------ */

static bool binary_value(enum ast_op op, int64_t a, int64_t b, int64_t *v)
{
    uint64_t ua = (uint64_t)a, ub = (uint64_t)b;
    switch (op) {
    case OP_ADD:
        *v = (int64_t)(ua + ub);
        return true;
    case OP_SUB:
        *v = (int64_t)(ua - ub);
        return true;
    case OP_MUL:
        *v = (int64_t)(ua * ub);
        return true;
    case OP_DIV:
    case OP_MOD:
        if (b == 0 || b == -1)
            return false;
        *v = op == OP_DIV ? a / b : a % b;
        return true;
    case OP_SHL:
    case OP_SHR:
        if (b < 0 || b > 63)
            return false;
        *v = op == OP_SHL ? (int64_t)(ua << b) : a >> b;
        return true;
    case OP_LT:
        *v = a < b;
        return true;
    case OP_GT:
        *v = a > b;
        return true;
    case OP_LE:
        *v = a <= b;
        return true;
    case OP_GE:
        *v = a >= b;
        return true;
    case OP_EQ:
        *v = a == b;
        return true;
    case OP_NE:
        *v = a != b;
        return true;
    case OP_AND:
        *v = a & b;
        return true;
    case OP_OR:
        *v = a | b;
        return true;
    case OP_XOR:
        *v = a ^ b;
        return true;
    default:
        return false;
    }
}

static bool unary_value(enum ast_op op, int64_t a, int64_t *v)
{
    switch (op) {
    case OP_PLUS:
    case OP_EXTENSION:
        *v = a;
        return true;
    case OP_MINUS:
        *v = (int64_t)(0 - (uint64_t)a);
        return true;
    case OP_BITNOT:
        *v = ~a;
        return true;
    case OP_NOT:
        *v = a == 0;
        return true;
    default:
        return false;
    }
}

static bool binary_constant(sema_unit *u, const struct sema_function *fn, const ast_node *n,
                            int64_t *value)
{
    int64_t a, b;
    bool has_a = sema_constant(u, fn, n->kid[0], &a), has_b = sema_constant(u, fn, n->kid[1], &b);
    if (n->kind == AST_BINARY)
        return has_a && has_b && binary_value((enum ast_op)n->op, a, b, value);
    bool decides = n->kind == AST_OR_OR; /* the value that decides alone */
    if ((has_a && (a != 0) == decides) || (has_b && (b != 0) == decides && has_a)) {
        *value = decides;
        return true;
    }
    *value = !decides;
    return has_a && has_b;
}

static bool ident_constant(sema_unit *u, const struct sema_function *fn, const ast_node *n,
                           int64_t *value);

static bool size_constant(sema_unit *u, const struct sema_function *fn, const ast_node *n,
                          int64_t *value)
{
    const ctype *t =
        n->kind == AST_SIZEOF_TYPE ? sema_type_name(u, fn, n->kid[0]) : sema_type(u, fn, n->kid[0]);
    bool is_align = fn->tree->tokens[n->first].code == KW_ALIGNOF;
    *value = (int64_t)(is_align ? t->align_bytes : t->size_bytes);
    return *value != 0;
}

bool sema_constant(sema_unit *u, const struct sema_function *fn, const ast_node *n, int64_t *value)
{
    int64_t condition;
    switch (n->kind) {
    case AST_NUMBER: {
        strview text = ast_node_text(fn->tree, n);
        if (sv_is(text, "true") || sv_is(text, "false")) {
            *value = text.at[0] == 't';
            return true;
        }
        return number_value(u, text, value);
    }
    case AST_CHAR:
        return char_value(ast_node_text(fn->tree, n), value);
    case AST_PAREN:
        return sema_constant(u, fn, n->kid[0], value);
    case AST_CAST: /* truncation is of no interest to guards, pointers are */
        return sema_constant(u, fn, n->kid[1], value);
    case AST_UNARY:
        return sema_constant(u, fn, n->kid[0], &condition) &&
               unary_value((enum ast_op)n->op, condition, value);
    case AST_BINARY:
    case AST_AND_AND:
    case AST_OR_OR:
        return binary_constant(u, fn, n, value);
    case AST_CONDITIONAL:
        if (n->kid[1] == NULL || !sema_constant(u, fn, n->kid[0], &condition))
            return false;
        return sema_constant(u, fn, condition != 0 ? n->kid[1] : n->kid[2], value);
    case AST_SIZEOF_EXPR:
    case AST_SIZEOF_TYPE:
        return size_constant(u, fn, n, value);
    case AST_IDENT:
        return ident_constant(u, fn, n, value);
    default:
        return false;
    }
}

/* ---- names
 * ------------------------------------------------------------------------------------------ */

/* An ENUMERATOR node's value: its own, or one more than its predecessor's. */
static bool enumerator_node_value(sema_unit *u, const struct sema_function *fn, const ast_node *n,
                                  int64_t *value)
{
    int64_t above = 0;
    const ast_node *tag = n->parent;
    uint32_t i = 0;
    while (i < tag->kid_count && tag->kid[i] != n)
        i++;
    for (;; i--, above++) {
        const ast_node *k = tag->kid[i];
        if (k->kind != AST_ENUMERATOR)
            break;
        if (k->kid_count != 0 && k->kid[0] != NULL) {
            if (!sema_constant(u, fn, k->kid[0], value))
                return false;
            *value += above;
            return true;
        }
        if (i == 0) {
            above++;
            break;
        }
    }
    *value = above - 1;
    return true;
}

static const ast_node *find_enumerator(const struct sema_function *fn, const ast_node *n,
                                       uint32_t offset)
{
    if (n->kind == AST_ENUMERATOR && fn->tree->tokens[n->name_token].begin == offset)
        return n;
    for (uint32_t i = 0; i < n->kid_count; i++) {
        const ast_node *found = n->kid[i] == NULL ? NULL : find_enumerator(fn, n->kid[i], offset);
        if (found != NULL)
            return found;
    }
    return NULL;
}

static bool compute_symbol_value(sema_unit *u, sema_symbol *s, int64_t *value)
{
    struct symbol_lazy *lazy = sema_lazy(s);
    struct sema_function *fn = sema_declaration_tree(u, lazy->declaration);
    if (fn == NULL)
        return false;
    if (s->kind == SYMBOL_ENUMERATOR) {
        const ast_node *n = find_enumerator(fn, fn->tree->root, u->tokens[s->name_token].begin);
        return n != NULL && enumerator_node_value(u, fn, n, value);
    }
    const ctype *type = s->kind == SYMBOL_VARIABLE ? sema_symbol_type(u, s) : u->unknown;
    bool is_fixed = type->is_const && (type->cls == CTYPE_INT || type->cls == CTYPE_ENUM);
    struct sema_function *tree;
    const ast_node *initialiser = is_fixed ? sema_symbol_initialiser(u, s, &tree) : NULL;
    return initialiser != NULL && sema_constant(u, tree, initialiser, value);
}

static bool symbol_value(sema_unit *u, sema_symbol *s, int64_t *value)
{
    struct symbol_lazy *lazy = sema_lazy(s);
    if (!lazy->has_value && !lazy->is_busy) {
        lazy->is_busy = true;
        lazy->value_known = compute_symbol_value(u, s, &lazy->value);
        lazy->is_busy = false;
        lazy->has_value = true;
    }
    *value = lazy->value;
    return lazy->has_value && lazy->value_known;
}

static bool ident_constant(sema_unit *u, const struct sema_function *fn, const ast_node *n,
                           int64_t *value)
{
    if (n->ref != NULL) {
        if (n->ref->kind == DECL_ENUMERATOR)
            return enumerator_node_value(u, fn, n->ref->declarator, value);
        return false;
    }
    strview name = ast_node_text(fn->tree, n);
    sema_symbol *s = sema_find(u, name);
    if (s != NULL)
        return symbol_value(u, s, value);
    return fn->file == NULL && fn->symbol == NULL && sema_named_constant(u, name, value);
}

/* ---- macros
 * ----------------------------------------------------------------------------------------- */

static bool never_typedef(void *context, strview name, uint32_t before)
{
    (void)before;
    const sema_symbol *s = sema_find(context, name);
    return s != NULL && s->kind == SYMBOL_TYPEDEF;
}

static bool macro_text_value(sema_unit *u, strview text, int64_t *value)
{
    strbuf b = strbuf_in(u->mem);
    strbuf_str(&b, "int x(void){return (");
    strbuf_sv(&b, text);
    strbuf_str(&b, ");}");
    struct ast_parse_request request = {.mem = u->mem,
                                        .buffer = strbuf_view(&b),
                                        .end = (uint32_t)b.len,
                                        .is_typedef = never_typedef,
                                        .context = u};
    struct ast_parse_error error;
    ast_function *tree = ast_parse(&request, &error);
    if (tree == NULL)
        return false;
    const ast_node *body = tree->root->kid[2];
    if (body->kid_count != 1 || body->kid[0]->kind != AST_RETURN)
        return false;
    struct sema_function fn = {.tree = tree};
    struct function_lazy lazy = {.decl_types =
                                     ARENA_ARRAY(u->mem, const ctype *, tree->decls.count + 1)};
    fn.lazy = &lazy;
    return sema_constant(u, &fn, body->kid[0]->kid[0], value);
}

bool sema_named_constant(sema_unit *u, strview name, int64_t *value)
{
    struct macro_value *m = u->macro_values;
    while (m != NULL && !sv_equal(m->name, name))
        m = m->next;
    if (m == NULL) {
        m = ARENA_NEW(u->mem, struct macro_value);
        *m = (struct macro_value){.next = u->macro_values, .name = name, .is_busy = true};
        u->macro_values = m;
        const struct cpp_macro *macro = cpp_output_macro(u->request.cpp, name, UINT32_MAX);
        sema_symbol *s = sema_find(u, name);
        if (s != NULL && s->kind == SYMBOL_ENUMERATOR)
            m->known = symbol_value(u, s, &m->value);
        else if (macro != NULL && macro->text.len != 0 && macro->text.at[0] == ' ')
            m->known = macro_text_value(u, macro->text, &m->value);
        m->is_busy = false;
    }
    *value = m->value;
    return m->known && !m->is_busy;
}

bool sema_is_null(sema_unit *u, const struct sema_function *fn, const ast_node *n)
{
    n = sema_strip(n);
    int64_t value;
    if (n->kind == AST_NUMBER && sv_is(ast_node_text(fn->tree, n), "nullptr"))
        return true;
    return sema_constant(u, fn, n, &value) && value == 0;
}
