/* SPDX-License-Identifier: MIT */
/*
 * How is a declaration printed when some of its objects live in the frame? Split: each declarator
 * on its own, an object of the frame as its initialisation only.
 *
 *     int a = 1, b[2] = {x, y}, *p = b;     int a = 1; memcpy(&f->b, &(T){x, y}, ...); int *p =
 * f->b;
 *
 * The specifiers are repeated; a struct or enum that they define is defined the first time only,
 * and one without a tag gets one. A declaration that is not touched is printed as it stands.
 */
#include "analyzer/base/check.h"
#include "analyzer/syntax/ast_lex.h"
#include "transforms/emit/emit.h"

static bool is_object(const ast_decl *d)
{
    return d != NULL && d->kind == DECL_VAR && d->local != UINT32_MAX;
}

static enum local_place place_of(lowering *l, const ast_decl *d)
{
    return is_object(d) ? l->plan[d->local].place : PLACE_PLAIN;
}

static bool is_rewritten(lowering *l, ast_node *declarator)
{
    enum local_place place = place_of(l, declarator->ref);
    if (place == PLACE_RESIDENT || (declarator->bits & (MARK_OVERLAY | MARK_HAND_CLEANUP)) != 0)
        return true;
    return place == PLACE_SPILLED && (type_of(l, declarator->ref->type)->is_const ||
                                      l->plan[declarator->ref->local].c_name != NULL);
}

bool declaration_is_touched(lowering *l, ast_node *s)
{
    for (uint32_t i = 1; i < s->kid_count; i++) {
        if (is_rewritten(l, s->kid[i]))
            return true;
    }
    return false;
}

static ast_node *initialiser_of(const ast_node *declarator)
{
    return declarator->kid_count == 0 ? NULL : declarator->kid[declarator->kid_count - 1];
}

/* ---- specifiers ---------------------------------------------------------------------------------
 */

static bool defines_tag(const lowering *l, const ast_node *specifiers)
{
    for (uint32_t i = 0; i < specifiers->kid_count; i++) {
        const ast_node *k = specifiers->kid[i];
        if (k != NULL && k->kind == AST_TAG_DEF && ast_tag_has_body(l->fn, k))
            return true;
    }
    return false;
}

/* A definition without a tag, which it gets. */
static void print_named_tag(struct printer *p, const ast_node *tag, const char *name)
{
    ast_node body = *tag;
    body.first = ast_tag_behind_name(p->l->fn, tag);
    body.kid = ARENA_ARRAY(p->l->mem, ast_node *, tag->kid_count + 1);
    body.kid_count = 0;
    for (uint32_t i = 0; i < tag->kid_count; i++) {
        if (tag->kid[i] != NULL && tag->kid[i]->first >= body.first)
            body.kid[body.kid_count++] = tag->kid[i];
    }
    print_tokens(p, tag->first, body.first); /* the keyword, and attributes */
    print_text(p, name);
    print_children(p, &body);
}

/* A tag definition: whole the first time (with a name, if it has none), then by its name. */
static void print_tag(struct printer *p, ast_node *tag, bool again)
{
    bool is_anonymous = tag->name_token == UINT32_MAX;
    const char *name = arena_printf(p->l->mem, "aw__tag_%u", tag->first);
    if (again) {
        print_token(p, tag->first);
        if (is_anonymous)
            print_text(p, name);
        else
            print_fmt(p, "%.*s", SV_ARG(ast_token_text(p->l->fn, tag->name_token)));
    } else if (is_anonymous) {
        print_named_tag(p, tag, name);
    } else {
        print_node(p, tag);
    }
}

/* Specifiers but `register`: a typedef cannot have it, and what is in the frame is in no register.
 */
static void print_words(struct printer *p, uint32_t first, uint32_t last)
{
    for (; first < last; first++) {
        if (p->l->fn->tokens[first].code != KW_REGISTER)
            print_token(p, first);
    }
}

static void print_specifiers(struct printer *p, ast_node *specifiers, bool again)
{
    uint32_t at = specifiers->first;
    for (uint32_t i = 0; i < specifiers->kid_count; i++) {
        ast_node *k = specifiers->kid[i];
        if (k == NULL)
            continue;
        print_words(p, at, k->first);
        if (k->kind == AST_TAG_DEF)
            print_tag(p, k, again);
        else
            print_node(p, k);
        at = k->last;
    }
    print_words(p, at, specifiers->last);
}

/* ---- declarators --------------------------------------------------------------------------------
 */

/* How many elements an array has that leaves this to its initialiser; 0: it says so itself, or is
 * none. */
static uint64_t count_left_out(lowering *l, const ast_node *declarator)
{
    const ast_decl *d = declarator->ref;
    const struct type *t = d == NULL || d->kind != DECL_VAR ? NULL : type_of(l, d->type);
    if (t == NULL || t->cls != TYPE_ARRAY || t->is_variable || t->count == 0 ||
        initialiser_of(declarator) == NULL)
        return 0;
    const ast_node *bound = first_bound(l, declarator);
    bool is_said =
        bound != NULL ? bound->kid_count != 0 && bound->kid[0] != NULL : declarator->kid_count != 1;
    return is_said ? 0 : t->count;
}

/* The declarator without its initialiser, under another name if `name` is not NULL. */
static void print_declarator(struct printer *p, ast_node *declarator, const char *name)
{
    ast_node *init = initialiser_of(declarator);
    uint32_t last = declarator_end(p->l, declarator), at = declarator->first;
    for (uint32_t i = 0; i + 1 < declarator->kid_count + (init == NULL ? 1u : 0u); i++) {
        ast_node *k = i < declarator->kid_count ? declarator->kid[i] : NULL;
        if (k == NULL || k->first < at)
            continue;
        for (; at < k->first; at++) {
            if (name != NULL && at == declarator->name_token)
                print_text(p, name);
            else
                print_token(p, at);
        }
        uint64_t count = k->kind == AST_ARRAY_BOUND && k == first_bound(p->l, declarator)
                             ? count_left_out(p->l, declarator)
                             : 0;
        if (count != 0)
            print_fmt(p, "[%llu]", (unsigned long long)count);
        else
            print_node(p, k);
        at = k->last;
    }
    for (; at < last; at++) {
        if (name != NULL && at == declarator->name_token)
            print_text(p, name);
        else
            print_token(p, at);
    }
}

/* Specifiers and declarator without the initialiser. Where a typedef leaves an array's size to
 * that, the type of its elements is written, and the size behind the name. */
static void print_counted(struct printer *p, ast_node *s, ast_node *declarator, const char *name,
                          bool again)
{
    uint64_t count = first_bound(p->l, declarator) == NULL ? count_left_out(p->l, declarator) : 0;
    bool is_split = count != 0 && declarator->kid_count == 1; /* but for the initialiser, a name */
    if (is_split)
        print_text(p, "__typeof__((*(");
    print_specifiers(p, s->kid[0], again);
    if (is_split)
        print_text(p, "*)0)[0])");
    print_declarator(p, declarator, name);
    if (is_split)
        print_fmt(p, "[%llu]", (unsigned long long)count);
}

static void print_piece(struct printer *p, ast_node *s, ast_node *declarator, bool with_init,
                        bool again)
{
    bool is_renamed = is_object(declarator->ref);
    const char *name = is_renamed ? p->l->plan[declarator->ref->local].c_name : NULL;
    ast_node *init = initialiser_of(declarator);
    if (with_init && init != NULL) {
        print_specifiers(p, s->kid[0], again);
        print_declarator(p, declarator, name);
        print_text(p, "=");
        print_node(p, init);
    } else {
        print_counted(p, s, declarator, name, again);
    }
    print_text(p, ";");
}

static bool is_zero_list(lowering *l, const ast_node *init)
{
    if (init->kind != AST_INIT_LIST)
        return false;
    if (init->kid_count == 0)
        return true;
    return init->kid_count == 1 && init->kid[0]->kind == AST_NUMBER &&
           sv_is(ast_node_text(l->fn, init->kid[0]), "0");
}

/* Fills an object of the frame with the value of its initialiser. */
static void print_store(struct printer *p, const ast_decl *d, ast_node *init)
{
    lowering *l = p->l;
    const char *ref = local_ref(l, d, true);
    const struct type *t = type_of(l, d->type);
    print_at(p, init->first);
    if (is_zero_list(l, init) && t->cls != TYPE_ATOMIC) {
        if (fault_planted(FAULT_ZERO_FILL_LOST))
            return;
        print_fmt(p, "__builtin_memset((void *)&%s, 0, sizeof %s);", ref, ref);
        return;
    }
    bool is_list = init->kind == AST_INIT_LIST;
    if (is_list || t->cls == TYPE_ARRAY) {
        if (t->cls == TYPE_ATOMIC) {
            print_fmt(p, "%s = (__typeof__(+%s))", ref, ref);
            print_node(p, init);
        } else {
            print_fmt(p, "__builtin_memcpy((void *)&%s, __extension__ &(__typeof__(%s))", ref, ref);
            if (!is_list)
                print_text(p, "{");
            print_node(p, init);
            print_fmt(p, "%s, sizeof %s)", is_list ? "" : "}", ref);
        }
    } else if (t->has_const_member || (t->is_const && t->before == NULL)) {
        print_fmt(p, "__builtin_memcpy((void *)&%s, __extension__ (__typeof__(%s)[1]){", ref, ref);
        print_node(p, init);
        print_fmt(p, "}, sizeof %s)", ref);
    } else {
        print_fmt(p, "%s =", ref);
        print_node(p, init);
    }
    print_text(p, ";");
}

static bool is_auto_type(lowering *l, const ast_node *s)
{
    for (uint32_t t = s->kid[0]->first; t < s->kid[0]->last; t++) {
        strview word = ast_token_text(l->fn, t);
        if (sv_is(word, "__auto_type") || sv_is(word, "auto"))
            return true;
    }
    return false;
}

/* Can the declaration not stay as it is written, without its initialiser? `const int a`, `char
 * s[]`,
 * `__auto_type x`. */
static bool needs_spelling(lowering *l, const ast_node *s, const ast_node *declarator)
{
    if (type_of(l, declarator->ref->type)->is_const)
        return true;
    for (uint32_t i = 0; i < declarator->kid_count; i++) {
        const ast_node *k = declarator->kid[i];
        if (k != NULL && k->kind == AST_ARRAY_BOUND && k->kid[0] == NULL)
            return true;
    }
    return is_auto_type(l, s);
}

/* `__auto_type x = e` where x is initialised later, and e's type has no name here. */
static void print_type_of_value(struct printer *p, const ast_node *declarator, const char *name)
{
    print_typeof(p, initialiser_of(declarator));
    print_fmt(p, "%s __attribute__((__unused__));", name);
}

/* What stands for the declaration of an object whose text cannot stay: a typedef, a plain
 * declaration without qualifiers, or nothing. */
static void print_object(struct printer *p, ast_node *s, ast_node *declarator, bool again)
{
    lowering *l = p->l;
    const ast_decl *d = declarator->ref;
    const struct local_plan *plan = &l->plan[d->local];
    const struct type *t = type_of(l, d->type);
    if (plan->place == PLACE_RESIDENT) {
        if (plan->is_bytes) {
            print_text(p, "typedef");
            if (is_auto_type(l, s)) {
                print_type_of_value(p, declarator, plan->typedef_name);
                return;
            }
            print_counted(p, s, declarator, plan->typedef_name, again);
            print_text(p, "__attribute__((__unused__));");
        }
        return;
    }
    if (t->is_nameable && t->before != NULL && needs_spelling(l, s, declarator)) {
        const char *name = local_ref(l, d, true);
        print_at(p, declarator->first);
        print_fmt(p, "%s;", type_declare(l->unit->types, l->mem, d->type, name));
        return;
    }
    if (is_auto_type(l, s))
        print_type_of_value(p, declarator, local_ref(l, d, true));
    else
        print_piece(p, s, declarator, false, again);
}

static ast_node *statement_of(ast_node *declarator)
{
    ast_node *s = declarator->parent;
    AWC_ASSERT(s->kind == AST_DECL_STMT);
    return s;
}

/* Has an earlier declarator of the statement printed the specifiers? */
static bool is_repeated(lowering *l, ast_node *s, const ast_node *declarator)
{
    if (defines_tag(l, s->kid[0]))
        return true; /* the definition stands in front of all */
    for (uint32_t i = 1; i < s->kid_count && s->kid[i] != declarator; i++) {
        if (place_of(l, s->kid[i]->ref) != PLACE_RESIDENT)
            return true;
    }
    return false;
}

static void print_tag_definition(struct printer *p, ast_node *s)
{
    if (!defines_tag(p->l, s->kid[0]))
        return;
    for (uint32_t i = 0; i < s->kid[0]->kid_count; i++) {
        ast_node *k = s->kid[0]->kid[i];
        if (k != NULL && k->kind == AST_TAG_DEF) {
            print_tag(p, k, false);
            print_text(p, ";");
        }
    }
}

void print_declare_item(struct printer *p, ast_node *declarator)
{
    lowering *l = p->l;
    ast_node *s = statement_of(declarator);
    if (declarator == s->kid[1])
        print_tag_definition(p, s);
    bool again = is_repeated(l, s, declarator);
    ast_node *init = initialiser_of(declarator);
    bool has_items = (declarator->bits & MARK_OVERLAY) != 0;
    if (!is_object(declarator->ref)) {
        print_piece(p, s, declarator, true, again);
        return;
    }
    bool stays = !is_rewritten(l, declarator) ||
                 (declarator->bits & (MARK_OVERLAY | MARK_HAND_CLEANUP)) == MARK_HAND_CLEANUP;
    if (stays && place_of(l, declarator->ref) != PLACE_RESIDENT) {
        print_piece(p, s, declarator, true, again);
        return;
    }
    print_object(p, s, declarator, again);
    if (has_items) {
        struct overlay *o = declarator->data;
        print_text(p, "{");
        print_temps(p, o->temps.at, o->temps.count, &o->items);
        print_items(p, &o->items);
        print_text(p, "}");
    } else if (init != NULL) {
        print_store(p, declarator->ref, init);
    }
}

void print_init_item(struct printer *p, ast_node *declarator)
{
    const ast_decl *d = declarator->ref;
    ast_node *init = initialiser_of(declarator);
    print_store(p, d, init);
}

void print_declaration(struct printer *p, ast_node *s)
{
    for (uint32_t i = 1; i < s->kid_count; i++)
        print_declare_item(p, s->kid[i]);
}
