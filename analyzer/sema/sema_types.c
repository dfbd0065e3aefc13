/* SPDX-License-Identifier: MIT */
/*
 * Which type do specifiers and a declarator mean? The tree keeps a declarator flat, in source
 * order; here it is read inside out: pointers, then what parentheses group, then suffixes, where
 * what stands nearest to the name is applied last.
 *
 *     const char *(*f[3])(int)     array of 3 of pointer to function(int) giving const char *
 *
 * Records are laid out with natural alignment and bit-fields as the System V ABIs do; `packed` and
 * `aligned` count. A type that is not understood is CTYPE_UNKNOWN.
 */
#include "analyzer/sema/sema_private.h"

#include <ctype.h>
#include <stdlib.h>

#include "analyzer/base/check.h"

static ctype *new_type(sema_unit *u, enum ctype_class cls, uint64_t size)
{
    ctype *t = ARENA_NEW(u->mem, ctype);
    t->cls = cls;
    t->size_bytes = t->align_bytes = size;
    return t;
}

void sema_types_init(sema_unit *u)
{
    uint64_t word = u->request.pointer_bytes;
    u->unknown = new_type(u, CTYPE_UNKNOWN, 0);
    u->void_type = new_type(u, CTYPE_VOID, 0);
    u->int_type = new_type(u, CTYPE_INT, 4);
    u->char_type = new_type(u, CTYPE_INT, 1);
    u->bool_type = new_type(u, CTYPE_BOOL, 1);
    u->long_type = new_type(u, CTYPE_INT, word);
    u->double_type = new_type(u, CTYPE_FLOAT, 8);
    ctype *size = new_type(u, CTYPE_INT, word);
    size->is_unsigned = true;
    u->size_type = size;
}

const ctype *sema_pointer_to(sema_unit *u, const ctype *elem)
{
    ctype *t = new_type(u, CTYPE_POINTER, u->request.pointer_bytes);
    t->elem = elem;
    t->is_async = elem->is_async;
    return t;
}

const ctype *sema_decayed(sema_unit *u, const ctype *type)
{
    if (type->cls == CTYPE_ARRAY)
        return sema_pointer_to(u, type->elem);
    if (type->cls == CTYPE_FUNCTION)
        return sema_pointer_to(u, type);
    return type;
}

/* ---- records -----------------------------------------------------------------------------------
 */

struct layout {
    uint64_t size, align, bits; /* bits: used of the bit-field unit that ends at `size` */
    uint64_t unit_bytes;
    bool is_known, is_packed;
};

static uint64_t round_up(uint64_t n, uint64_t to)
{
    return to <= 1 ? n : (n + to - 1) / to * to;
}

static void place_field(struct layout *l, struct crecord *r, struct cfield *field)
{
    const ctype *type = field->type;
    uint64_t align = l->is_packed ? 1 : type->align_bytes;
    l->bits = 0;
    if (type->align_bytes == 0 ||
        (type->size_bytes == 0 && type->cls != CTYPE_ARRAY && type->cls != CTYPE_RECORD))
        l->is_known = false;
    if (align > l->align)
        l->align = align;
    if (r->is_union) {
        l->size = type->size_bytes > l->size ? type->size_bytes : l->size;
        return;
    }
    field->offset_bytes = round_up(l->size, align);
    l->size = field->offset_bytes + type->size_bytes;
}

static void place_bits(struct layout *l, const struct crecord *r, const ctype *type, int64_t width)
{
    uint64_t unit = type->size_bytes != 0 ? type->size_bytes : 4;
    if (!l->is_packed && width != 0 && unit > l->align)
        l->align = unit;
    if (r->is_union) {
        l->size = unit > l->size ? unit : l->size;
        return;
    }
    uint64_t at = l->bits != 0 ? l->bits : l->size * 8;
    if (width == 0 || at / (unit * 8) != (at + (uint64_t)width - 1) / (unit * 8))
        at = round_up(at, unit * 8);
    l->bits = at + (uint64_t)width;
    l->size = (l->bits + 7) / 8;
}

static bool has_word(const struct sema_function *fn, const ast_node *n, const char *word)
{
    strview text = ast_node_text(fn->tree, n);
    size_t len = strlen(word);
    for (size_t i = 0; i + len <= text.len; i++) {
        if (memcmp(text.at + i, word, len) == 0)
            return true;
    }
    return false;
}

static void add_field(sema_unit *u, const struct sema_function *fn, struct crecord *r,
                      struct layout *l, const ast_node *declarator)
{
    struct cfield field = {.type = sema_declared_type(u, fn, declarator)};
    if (declarator->name_token != UINT32_MAX)
        field.name = ast_token_text(fn->tree, declarator->name_token);
    const ast_node *bits = NULL;
    for (uint32_t i = 0; i < declarator->kid_count; i++) {
        if (declarator->kid[i] != NULL && declarator->kid[i]->kind == AST_BIT_WIDTH)
            bits = declarator->kid[i];
    }
    int64_t width;
    if (bits == NULL)
        place_field(l, r, &field);
    else if (sema_constant(u, fn, bits->kid[0], &width) && width >= 0)
        place_bits(l, r, field.type, width);
    else
        l->is_known = false;
    VEC_PUSH(u->mem, &r->fields, field);
}

static void add_member(sema_unit *u, const struct sema_function *fn, struct crecord *r,
                       struct layout *l, const ast_node *member)
{
    for (uint32_t i = 1; i < member->kid_count; i++)
        add_field(u, fn, r, l, member->kid[i]);
    if (member->kid_count > 1)
        return;
    struct cfield field = {.type = sema_specified_type(u, fn, member->kid[0])};
    place_field(l, r, &field);
    VEC_PUSH(u->mem, &r->fields, field);
}

/* What a record is laid out as; in r's `impl` would be too far away: kept beside it. */
struct laid_record {
    struct crecord record;
    uint64_t size_bytes, align_bytes;
    bool is_busy;
};

static bool has_body(const struct sema_function *fn, const ast_node *tag)
{
    uint32_t t = tag->first + 1;
    for (uint32_t i = 0; i < tag->kid_count && tag->kid[i]->kind == AST_ATTRIBUTE; i++) {
        if (tag->kid[i]->first == t)
            t = tag->kid[i]->last;
    }
    for (; t < tag->last; t++) {
        uint16_t c = fn->tree->tokens[t].code;
        if (c == P_LBRACE)
            return true;
    }
    return false;
}

static void fill_record(sema_unit *u, const struct sema_function *fn, struct laid_record *laid,
                        const ast_node *tag)
{
    struct crecord *r = &laid->record;
    struct layout l = {.align = 1, .is_known = true};
    laid->is_busy = true;
    for (uint32_t i = 0; i < tag->kid_count; i++) {
        if (tag->kid[i]->kind == AST_ATTRIBUTE)
            l.is_packed |= has_word(fn, tag->kid[i], "packed");
    }
    for (uint32_t i = 0; i < tag->kid_count; i++) {
        if (tag->kid[i]->kind == AST_FIELD_DECL)
            add_member(u, fn, r, &l, tag->kid[i]);
    }
    laid->is_busy = false;
    r->is_complete = true;
    laid->align_bytes = l.align;
    laid->size_bytes = l.is_known ? round_up(l.size, l.align) : 0;
}

static const ctype *record_type(sema_unit *u, struct laid_record *laid)
{
    ctype *t = new_type(u, CTYPE_RECORD, 0);
    t->record = &laid->record;
    t->name = laid->record.tag;
    t->size_bytes = laid->size_bytes;
    t->align_bytes = laid->align_bytes;
    return t;
}

static struct laid_record *new_record(sema_unit *u, strview tag, bool is_union)
{
    struct laid_record *laid = ARENA_NEW(u->mem, struct laid_record);
    laid->record.tag = tag;
    laid->record.is_union = is_union;
    return laid;
}

/* The node in the tree of a declaration that begins at this token of the unit. */
static const ast_node *find_tag_node(const struct sema_function *fn, const ast_node *n,
                                     uint32_t offset)
{
    if (n->kind == AST_TAG_DEF && fn->tree->tokens[n->first].begin == offset)
        return n;
    for (uint32_t i = 0; i < n->kid_count; i++) {
        const ast_node *k = n->kid[i];
        if (k == NULL || k->first == k->last || fn->tree->tokens[k->first].begin > offset ||
            fn->tree->tokens[k->last - 1].end <= offset)
            continue;
        const ast_node *found = find_tag_node(fn, k, offset);
        if (found != NULL)
            return found;
    }
    return NULL;
}

static const ctype *enum_type(sema_unit *u, strview tag)
{
    ctype *t = new_type(u, CTYPE_ENUM, 4);
    t->name = tag;
    return t;
}

/* A record of file scope by its tag, filled if its definition is known. */
static const ctype *file_record(sema_unit *u, strview name, bool is_union)
{
    struct word_entry *e = word_set_add(&u->tag_names, name);
    if (e->value == 0) {
        VEC_PUSH(u->mem, &u->tags, (struct sema_tag){.name = e->word, .token = UINT32_MAX});
        e->value = (uint32_t)u->tags.count;
    }
    uint32_t index = e->value - 1;
    if (u->tags.at[index].record == NULL)
        u->tags.at[index].record = &new_record(u, e->word, is_union)->record;
    struct laid_record *laid = (struct laid_record *)u->tags.at[index].record;
    if (!u->tags.at[index].is_filled && u->tags.at[index].token != UINT32_MAX) {
        u->tags.at[index].is_filled = true;
        struct sema_function *fn = sema_declaration_tree(u, u->tags.at[index].declaration);
        const ast_node *node = fn == NULL ? NULL
                                          : find_tag_node(fn, fn->tree->root,
                                                          u->tokens[u->tags.at[index].token].begin);
        if (node != NULL && has_body(fn, node))
            fill_record(u, fn, laid, node);
    }
    return record_type(u, laid);
}

/* The definition, in the function itself, of the tag that n mentions; n if it is one. */
static const ast_node *local_definition(const struct sema_function *fn, const ast_node *n)
{
    if (has_body(fn, n))
        return n;
    if (n->ref != NULL && n->ref->is_complete_tag && n->ref->declarator != NULL)
        return n->ref->declarator;
    return NULL;
}

static const ctype *tag_type(sema_unit *u, const struct sema_function *fn, const ast_node *n)
{
    uint16_t word = fn->tree->tokens[n->first].code;
    strview name =
        n->name_token == UINT32_MAX ? (strview){"", 0} : ast_token_text(fn->tree, n->name_token);
    if (word == KW_ENUM)
        return enum_type(u, name);
    const ast_node *definition = local_definition(fn, n);
    bool is_file = fn->symbol == NULL && name.len != 0; /* a declaration's own small tree */
    if (is_file || definition == NULL)
        return file_record(u, name, word == KW_UNION);
    ast_node *keeper = (ast_node *)(uintptr_t)definition;
    if (keeper->data == NULL) {
        struct laid_record *laid = new_record(u, name, word == KW_UNION);
        keeper->data = laid;
        fill_record(u, fn, laid, definition);
    }
    return record_type(u, keeper->data);
}

/* ---- specifiers
 * ---------------------------------------------------------------------------------- */

/* What single keywords said. */
struct basic {
    unsigned longs, shorts;
    bool is_signed, is_unsigned, is_char, is_int, is_float, is_double, is_void, is_bool, is_other;
    bool is_const, is_volatile, is_atomic;
    const ctype *whole;
    strview name;
};

static const ctype *basic_type(sema_unit *u, const struct basic *b)
{
    if (b->whole != NULL)
        return b->whole;
    if (b->is_void)
        return u->void_type;
    if (b->is_bool)
        return u->bool_type;
    if (b->is_double || b->is_float)
        return new_type(u, CTYPE_FLOAT, b->is_float ? 4 : b->longs != 0 ? 16 : 8);
    if (b->is_other)
        return new_type(u, CTYPE_FLOAT, 16);
    uint64_t size = 4;
    if (b->is_char)
        size = 1;
    else if (b->shorts != 0)
        size = 2;
    else if (b->longs > 1)
        size = 8;
    else if (b->longs == 1)
        size = u->request.pointer_bytes;
    else if (!b->is_int && !b->is_signed && !b->is_unsigned)
        return u->int_type; /* implicit int */
    ctype *t = new_type(u, CTYPE_INT, size);
    t->is_unsigned = b->is_unsigned;
    return t;
}

static void note_keyword(struct basic *b, uint16_t c)
{
    switch (c) {
    case KW_VOID:
        b->is_void = true;
        break;
    case KW_CHAR:
        b->is_char = true;
        break;
    case KW_SHORT:
        b->shorts++;
        break;
    case KW_INT:
        b->is_int = true;
        break;
    case KW_LONG:
        b->longs++;
        break;
    case KW_FLOAT:
        b->is_float = true;
        break;
    case KW_DOUBLE:
        b->is_double = true;
        break;
    case KW_SIGNED:
        b->is_signed = true;
        break;
    case KW_UNSIGNED:
        b->is_unsigned = true;
        break;
    case KW_BOOL:
        b->is_bool = true;
        break;
    case KW_COMPLEX:
    case KW_INT128:
    case KW_FLOAT_N:
    case KW_BUILTIN_TYPE:
        b->is_other = true;
        break;
    case KW_CONST:
        b->is_const = true;
        break;
    case KW_VOLATILE:
        b->is_volatile = true;
        break;
    case KW_ATOMIC:
        b->is_atomic = true;
        break;
    default:
        break;
    }
}

static const ast_decl *local_typedef(const struct sema_function *fn, uint32_t token, strview name)
{
    const ast_decl *found = NULL;
    for (size_t i = 0; i < fn->tree->decls.count; i++) {
        const ast_decl *d = fn->tree->decls.at[i];
        if (d->kind == DECL_TYPEDEF && d->token < token && sv_equal(d->name, name) &&
            d->declarator != NULL)
            found = d;
    }
    return found;
}

static const ctype *typedef_type(sema_unit *u, const struct sema_function *fn, uint32_t token)
{
    strview name = ast_token_text(fn->tree, token);
    const ast_decl *local = fn->symbol == NULL ? NULL : local_typedef(fn, token, name);
    const ctype *type = u->unknown;
    sema_symbol *s = local != NULL ? NULL : sema_find(u, name);
    if (local != NULL)
        type = sema_decl_type(u, fn, local);
    else if (s != NULL && s->kind == SYMBOL_TYPEDEF)
        type = sema_symbol_type(u, s);
    ctype *named = arena_copy(u->mem, type, sizeof *type);
    named->name = name;
    if (type->record != NULL && type->record->typedef_name.len == 0)
        ((struct crecord *)(uintptr_t)type->record)->typedef_name = name;
    return named;
}

static void note_child(sema_unit *u, const struct sema_function *fn, struct basic *b,
                       const ast_node *k)
{
    switch (k->kind) {
    case AST_TAG_DEF:
        b->whole = tag_type(u, fn, k);
        break;
    case AST_TYPEOF:
        b->whole = k->kid_count == 0 ? u->unknown : sema_type(u, fn, k->kid[0]);
        break;
    case AST_ATOMIC_TYPE:
        b->whole = k->kid_count == 0 ? u->unknown : sema_type_name(u, fn, k->kid[0]);
        b->is_atomic = true;
        break;
    default:
        break;
    }
}

const ctype *sema_specified_type(sema_unit *u, const struct sema_function *fn,
                                 const ast_node *specifiers)
{
    struct basic b = {0};
    uint32_t kid = 0;
    for (uint32_t t = specifiers->first; t < specifiers->last;) {
        while (kid < specifiers->kid_count && specifiers->kid[kid]->last <= t)
            kid++;
        if (kid < specifiers->kid_count && specifiers->kid[kid]->first <= t) {
            note_child(u, fn, &b, specifiers->kid[kid]);
            t = specifiers->kid[kid]->last;
            continue;
        }
        const struct token *token = &fn->tree->tokens[t];
        if (token->kind == TOKEN_IDENT && token->code == 0)
            b.whole = typedef_type(u, fn, t);
        else
            note_keyword(&b, token->code);
        t++;
    }
    const ctype *type = basic_type(u, &b);
    if (!b.is_const && !b.is_volatile && !b.is_atomic)
        return type;
    ctype *qualified = arena_copy(u->mem, type, sizeof *type);
    qualified->is_const |= b.is_const;
    qualified->is_volatile |= b.is_volatile;
    qualified->is_atomic |= b.is_atomic;
    return qualified;
}

/* ---- declarators
 * ---------------------------------------------------------------------------------- */

struct walk {
    sema_unit *u;
    const struct sema_function *fn;
    const ast_node *declarator;
};

static const ast_node *child_at(const ast_node *declarator, uint32_t token)
{
    for (uint32_t i = 0; i < declarator->kid_count; i++) {
        if (declarator->kid[i] != NULL && declarator->kid[i]->first == token)
            return declarator->kid[i];
    }
    return NULL;
}

static const ctype *array_of(const struct walk *w, const ctype *elem, const ast_node *bound)
{
    ctype *t = new_type(w->u, CTYPE_ARRAY, 0);
    t->elem = elem;
    t->align_bytes = elem->align_bytes;
    t->is_async = elem->is_async;
    int64_t count;
    if (bound->kid_count != 0 && bound->kid[0] != NULL &&
        sema_constant(w->u, w->fn, bound->kid[0], &count) && count > 0) {
        t->count = (uint64_t)count;
        t->size_bytes = t->count * elem->size_bytes;
    }
    return t;
}

static const ctype *function_of(const struct walk *w, const ctype *result, const ast_node *params)
{
    ctype *t = new_type(w->u, CTYPE_FUNCTION, 0);
    t->elem = result;
    t->params = ARENA_ARRAY(w->u->mem, const ctype *, params->kid_count + 1);
    for (uint32_t i = 0; i < params->kid_count; i++)
        t->params[t->param_count++] =
            sema_decayed(w->u, sema_declared_type(w->u, w->fn, params->kid[i]));
    t->is_variadic = params->last > params->first + 1 &&
                     w->fn->tree->tokens[params->last - 2].code == P_ELLIPSIS;
    return t;
}

static const ctype *qualified_pointer(const struct walk *w, const ctype *type, uint32_t *t,
                                      uint32_t end)
{
    ctype *p = (ctype *)(uintptr_t)sema_pointer_to(w->u, type);
    for (++*t; *t < end; ++*t) {
        uint16_t c = w->fn->tree->tokens[*t].code;
        if (c == KW_CONST)
            p->is_const = true;
        else if (c == KW_VOLATILE)
            p->is_volatile = true;
        else if (!(c >= KW_ATOMIC && c <= KW_ADDRESS_SPACE))
            break;
    }
    return p;
}

static uint32_t partner(const ast_function *tree, uint32_t t, uint32_t end)
{
    uint32_t depth = 0;
    for (; t < end; t++) {
        uint16_t c = tree->tokens[t].code;
        if (c == P_LPAREN)
            depth++;
        else if (c == P_RPAREN && --depth == 0)
            return t;
    }
    return end;
}

static const ctype *walk_declarator(const struct walk *w, uint32_t t, uint32_t end,
                                    const ctype *type);

/* Applies the suffixes in [t, end), the last one first. */
static const ctype *walk_suffixes(const struct walk *w, uint32_t t, uint32_t end, const ctype *type)
{
    const ast_node *suffix = NULL;
    while (t < end) {
        const ast_node *k = child_at(w->declarator, t);
        if (k == NULL)
            break;
        if (k->kind == AST_ARRAY_BOUND || k->kind == AST_PARAMS) {
            suffix = k;
            break;
        }
        if (k->kind != AST_ATTRIBUTE)
            break;
        t = k->last;
    }
    if (suffix == NULL)
        return type;
    type = walk_suffixes(w, suffix->last, end, type);
    return suffix->kind == AST_ARRAY_BOUND ? array_of(w, type, suffix)
                                           : function_of(w, type, suffix);
}

static const ctype *walk_declarator(const struct walk *w, uint32_t t, uint32_t end,
                                    const ctype *type)
{
    const ast_function *tree = w->fn->tree;
    while (t < end) {
        uint16_t c = tree->tokens[t].code;
        const ast_node *k = child_at(w->declarator, t);
        if (c == P_STAR || c == P_XOR)
            type = qualified_pointer(w, type, &t, end);
        else if (k != NULL && k->kind == AST_ATTRIBUTE)
            t = k->last;
        else if (c == KW_ASYNC || (c >= KW_ATOMIC && c <= KW_ADDRESS_SPACE))
            t++;
        else
            break;
    }
    if (t < end && tree->tokens[t].code == P_LPAREN && child_at(w->declarator, t) == NULL) {
        uint32_t close = partner(tree, t, end);
        type = walk_suffixes(w, close + 1, end, type);
        return walk_declarator(w, t + 1, close, type);
    }
    if (t < end && t == w->declarator->name_token)
        t++;
    return walk_suffixes(w, t, end, type);
}

/* The same type with `async` on its function and what points to it. */
static const ctype *made_async(sema_unit *u, const ctype *type)
{
    if (type->cls != CTYPE_FUNCTION && type->cls != CTYPE_POINTER && type->cls != CTYPE_ARRAY)
        return type;
    ctype *t = arena_copy(u->mem, type, sizeof *type);
    t->is_async = true;
    if (t->elem != NULL && type->cls != CTYPE_FUNCTION)
        t->elem = made_async(u, t->elem);
    return t;
}

/* The specifiers that a declarator belongs to. */
static const ast_node *specifiers_of(const ast_node *n)
{
    const ast_node *parent = n->parent;
    if (parent == NULL || parent->kid_count == 0)
        return NULL;
    return parent->kid[0] != NULL && parent->kid[0]->kind == AST_SPECIFIERS ? parent->kid[0] : NULL;
}

const ctype *sema_declared_type(sema_unit *u, const struct sema_function *fn, const ast_node *n)
{
    if (n->kind == AST_ENUMERATOR)
        return u->int_type;
    if (n->kind == AST_PARAM) {
        if (n->kid_count > 1 && n->kid[1] != NULL)
            return sema_declared_type(u, fn, n->kid[1]);
        return sema_specified_type(u, fn, n->kid[0]);
    }
    const ast_node *specifiers = specifiers_of(n);
    if (n->kind != AST_DECLARATOR || specifiers == NULL)
        return u->unknown;
    struct walk w = {u, fn, n};
    const ctype *type =
        walk_declarator(&w, n->first, n->last, sema_specified_type(u, fn, specifiers));
    bool is_async = n->ref != NULL && n->ref->is_async;
    for (uint32_t t = specifiers->first; t < specifiers->last && !is_async; t++)
        is_async = fn->tree->tokens[t].code == KW_ASYNC;
    return is_async ? made_async(u, type) : type;
}

const ctype *sema_type_name(sema_unit *u, const struct sema_function *fn, const ast_node *n)
{
    const ctype *type = sema_specified_type(u, fn, n->kid[0]);
    if (n->kid_count < 2 || n->kid[1] == NULL)
        return type;
    struct walk w = {u, fn, n->kid[1]};
    return walk_declarator(&w, n->kid[1]->first, n->kid[1]->last, type);
}

const struct cfield *sema_find_field(const struct crecord *record, strview name)
{
    for (size_t i = 0; i < record->fields.count; i++) {
        const struct cfield *f = &record->fields.at[i];
        if (f->name.len != 0 && sv_equal(f->name, name))
            return f;
        const struct cfield *inner = f->name.len == 0 && f->type->record != NULL
                                         ? sema_find_field(f->type->record, name)
                                         : NULL;
        if (inner != NULL)
            return inner;
    }
    return NULL;
}
