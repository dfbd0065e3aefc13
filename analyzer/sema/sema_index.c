/* SPDX-License-Identifier: MIT */
/*
 * Where is everything of file scope declared? The whole text is cut into tokens once; a scan then
 * walks from declaration to declaration and notes the names that each declares, without parsing:
 * headers hold thousands, of which a source uses a few. What must be told apart on the way:
 *
 *     typedef int (*cb)(int);      the name is inside the parentheses that open with `*`
 *     struct s { ... } a, *b;      members are no names of file scope; nested tags are
 *     int f(a) int a; { ... }      old-style parameters end in `;` before the body
 *     static int x[] = { ... };    a brace behind `=` is no body
 *
 * Bodies of the source and of headers that are not the system's are then parsed.
 */
#include "analyzer/sema/sema_private.h"

#include "analyzer/base/check.h"

strview sema_unit_text(const sema_unit *u, uint32_t token)
{
    return (strview){u->buffer.at + u->tokens[token].begin,
                     u->tokens[token].end - u->tokens[token].begin};
}

struct symbol_lazy *sema_lazy(sema_symbol *symbol)
{
    return symbol->lazy;
}

/* ---- the text -------------------------------------------------------------------------------- */

/* Blanks all but the line ends. */
static void blank(char *text, uint32_t begin, uint32_t end)
{
    while (begin < end) {
        const char *newline = memchr(text + begin, '\n', end - begin);
        uint32_t stop = newline == NULL ? end : (uint32_t)(newline - text);
        memset(text + begin, ' ', stop - begin);
        begin = stop + 1;
    }
}

/* Markers and definitions become blanks, so that offsets stay. */
static const struct blank_run *blank_directives(sema_unit *u, const struct cpp_output *cpp)
{
    char *copy = arena_strndup(u->mem, cpp->text.at, cpp->text.len);
    struct blank_run *runs = ARENA_ARRAY(u->mem, struct blank_run, cpp->directives.count + 1);
    for (size_t i = 0; i < cpp->directives.count; i++) {
        const struct cpp_run *run = &cpp->directives.at[i];
        blank(copy, run->begin, run->end);
        runs[i] = (struct blank_run){run->begin, run->end};
    }
    u->buffer = (strview){copy, cpp->text.len};
    return runs;
}

/* ---- scanning one declaration ------------------------------------------------------------------
 */

static uint16_t code(const sema_unit *u, uint32_t t)
{
    return t < u->token_count ? u->tokens[t].code : 0;
}

static bool is_name(const sema_unit *u, uint32_t t)
{
    return t < u->token_count && u->tokens[t].kind == TOKEN_IDENT && u->tokens[t].code == 0;
}

static bool opens(uint16_t c)
{
    return c == P_LPAREN || c == P_LBRACKET || c == P_LBRACE;
}

static bool closes(uint16_t c)
{
    return c == P_RPAREN || c == P_RBRACKET || c == P_RBRACE;
}

/* Behind the group that opens at t; the end of the text if it is not closed. */
static uint32_t behind_group(const sema_unit *u, uint32_t t)
{
    uint32_t depth = 0;
    for (; t < u->token_count; t++) {
        if (opens(code(u, t)))
            depth++;
        else if (closes(code(u, t)) && --depth == 0)
            return t + 1;
    }
    return t;
}

/* Behind `__attribute__((..))`, `asm(..)`, `[[..]]`, `typeof(..)`, `_Alignas(..)` at t, or t. */
static uint32_t behind_opaque(const sema_unit *u, uint32_t t)
{
    uint16_t c = code(u, t);
    if (c == KW_ATTRIBUTE || c == KW_ASM || c == KW_TYPEOF || c == KW_ALIGNAS || c == KW_BITINT ||
        (c == KW_ATOMIC && code(u, t + 1) == P_LPAREN)) {
        while (t + 1 < u->token_count && code(u, t + 1) != P_LPAREN && c == KW_ASM)
            t++;
        return code(u, t + 1) == P_LPAREN ? behind_group(u, t + 1) : t + 1;
    }
    if (c == P_LBRACKET && code(u, t + 1) == P_LBRACKET)
        return behind_group(u, t);
    return t;
}

static bool is_tag_word(uint16_t c)
{
    return c == KW_STRUCT || c == KW_UNION || c == KW_ENUM;
}

/* The token of the brace that opens the members of the tag at t, or UINT32_MAX. *name: the tag's
 * name or UINT32_MAX. */
static uint32_t tag_body(const sema_unit *u, uint32_t t, uint32_t *name)
{
    *name = UINT32_MAX;
    t++;
    for (uint32_t next; (next = behind_opaque(u, t)) != t;)
        t = next;
    if (is_name(u, t))
        *name = t++;
    if (code(u, t) == P_COLON) /* a fixed underlying type */
        while (t < u->token_count && code(u, t) != P_LBRACE && code(u, t) != P_SEMI)
            t++;
    return code(u, t) == P_LBRACE ? t : UINT32_MAX;
}

/* ---- tags and enumerators
 * ------------------------------------------------------------------------
 */

static void note_tag(sema_unit *u, uint32_t token, uint32_t name)
{
    struct word_entry *e = word_set_add(&u->tag_names, sema_unit_text(u, name));
    if (e->value == 0) {
        VEC_PUSH(u->mem, &u->tags, (struct sema_tag){.name = e->word, .token = UINT32_MAX});
        e->value = (uint32_t)u->tags.count;
    }
    struct sema_tag *tag = &u->tags.at[e->value - 1];
    tag->token = token;
    tag->declaration = (uint32_t)u->declarations.count;
}

static sema_symbol *note_name(sema_unit *u, enum sema_symbol_kind kind, uint32_t name,
                              bool is_definition)
{
    struct word_entry *e = word_set_add(&u->names, sema_unit_text(u, name));
    sema_symbol *s;
    bool is_new = e->value == 0;
    if (is_new) {
        s = ARENA_NEW(u->mem, sema_symbol);
        s->lazy = ARENA_NEW(u->mem, struct symbol_lazy);
        s->kind = kind;
        s->name = e->word;
        s->is_system = sema_unit_file(u, name)->is_system;
        VEC_PUSH(u->mem, &u->symbols, s);
        e->value = (uint32_t)u->symbols.count;
    }
    s = u->symbols.at[e->value - 1];
    VEC_PUSH(u->mem, &sema_lazy(s)->declarations, (uint32_t)u->declarations.count);
    if (is_new || (is_definition && !s->is_defined)) {
        sema_lazy(s)->declaration = (uint32_t)u->declarations.count;
        s->name_token = name;
    }
    s->is_defined = s->is_defined || is_definition;
    return s;
}

static void note_enumerators(sema_unit *u, uint32_t brace)
{
    uint32_t end = behind_group(u, brace);
    bool expects = true;
    for (uint32_t t = brace + 1; t + 1 < end; t++) {
        if (expects && is_name(u, t)) {
            note_name(u, SYMBOL_ENUMERATOR, t, true);
            expects = false;
        } else if (opens(code(u, t))) {
            t = behind_group(u, t) - 1;
        } else if (code(u, t) == P_COMMA) {
            expects = true;
        }
    }
}

/* Notes all tags that tokens [first, last) define, at any depth. */
static void note_tags(sema_unit *u, uint32_t first, uint32_t last)
{
    for (uint32_t t = first; t < last; t++) {
        if (!is_tag_word(code(u, t)))
            continue;
        uint32_t name, brace = tag_body(u, t, &name);
        if (brace == UINT32_MAX)
            continue;
        if (name != UINT32_MAX)
            note_tag(u, t, name);
        if (code(u, t) == KW_ENUM)
            note_enumerators(u, brace);
    }
}

/* ---- declared names
 * -------------------------------------------------------------------------------
 */

/* The name that the declarator in [first, last) declares: the identifier before its first suffix,
 * or inside parentheses that group. UINT32_MAX: none. */
static uint32_t declared_name(const sema_unit *u, uint32_t first, uint32_t last, bool *is_function)
{
    uint32_t name = UINT32_MAX;
    *is_function = false;
    for (uint32_t t = first; t < last;) {
        uint32_t behind = behind_opaque(u, t);
        if (behind != t) {
            t = behind;
            continue;
        }
        uint16_t c = code(u, t);
        if (is_tag_word(c)) {
            uint32_t tag, brace = tag_body(u, t, &tag);
            t = brace != UINT32_MAX ? behind_group(u, brace) : (tag != UINT32_MAX ? tag : t) + 1;
        } else if (is_name(u, t)) {
            name = t++;
        } else if (c == P_LPAREN) {
            uint16_t inner = code(u, t + 1);
            bool groups = inner == P_STAR || inner == P_XOR || inner == P_LPAREN ||
                          (is_name(u, t + 1) && code(u, t + 2) == P_RPAREN && name == UINT32_MAX) ||
                          (inner == KW_ATTRIBUTE || inner == KW_ASYNC);
            if (groups && (name == UINT32_MAX || inner == P_STAR || inner == P_XOR)) {
                uint32_t group_end = behind_group(u, t);
                bool inner_function;
                uint32_t grouped = declared_name(u, t + 1, group_end - 1, &inner_function);
                if (grouped != UINT32_MAX) {
                    *is_function =
                        inner_function || (is_name(u, t + 1) && code(u, group_end) == P_LPAREN);
                    return grouped;
                }
            }
            *is_function = name != UINT32_MAX;
            return name;
        } else if (c == P_LBRACKET || c == P_ASSIGN || c == P_COLON) {
            return name;
        } else {
            t++;
        }
    }
    return name;
}

static void note_attributes(sema_unit *u, sema_symbol *s, uint32_t first, uint32_t last);

struct head {
    bool is_typedef, is_static, is_extern, is_thread_local, is_async;
};

static struct head read_head(const sema_unit *u, uint32_t first, uint32_t last)
{
    struct head h = {false, false, false, false, false};
    for (uint32_t t = first; t < last;) {
        uint16_t c = code(u, t);
        h.is_typedef |= c == KW_TYPEDEF;
        h.is_static |= c == KW_STATIC;
        h.is_extern |= c == KW_EXTERN;
        h.is_thread_local |= c == KW_THREAD_LOCAL;
        h.is_async |= c == KW_ASYNC;
        t = opens(c) ? behind_group(u, t) : t + 1;
    }
    return h;
}

/* One declarator of a declaration with this head: tokens [first, last). */
static void note_declarator(sema_unit *u, const struct head *h, uint32_t first, uint32_t last,
                            bool has_body)
{
    bool is_function;
    uint32_t name = declared_name(u, first, last, &is_function);
    if (name == UINT32_MAX)
        return;
    enum sema_symbol_kind kind = SYMBOL_VARIABLE;
    if (h->is_typedef)
        kind = SYMBOL_TYPEDEF;
    else if (is_function || has_body)
        kind = SYMBOL_FUNCTION;
    bool is_definition =
        has_body || (kind == SYMBOL_VARIABLE && !h->is_extern) || kind == SYMBOL_TYPEDEF;
    sema_symbol *s = note_name(u, kind, name, is_definition);
    if (s->kind != kind)
        return;
    s->is_static |= h->is_static;
    s->is_thread_local |= h->is_thread_local;
    if (h->is_async && kind != SYMBOL_TYPEDEF)
        s->is_async_keyword = s->is_async = kind == SYMBOL_FUNCTION || s->is_async;
    note_attributes(u, s, first, last);
}

/* Splits [first, last) (without the final `;`) at its commas. */
static void note_declarators(sema_unit *u, uint32_t first, uint32_t last, bool has_body)
{
    struct head h = read_head(u, first, last);
    uint32_t begin = first;
    for (uint32_t t = first; t < last;) {
        uint16_t c = code(u, t);
        if (c == P_COMMA) {
            note_declarator(u, &h, begin, t, false);
            begin = t + 1;
        }
        t = opens(c) ? behind_group(u, t) : t + 1;
    }
    note_declarator(u, &h, begin, last, has_body);
}

/* ---- attributes
 * ------------------------------------------------------------------------------------
 */

static strview unquoted(strview text)
{
    if (text.len >= 2 && text.at[0] == '"')
        return (strview){text.at + 1, text.len - 2};
    return text;
}

static void note_annotation(sema_unit *u, sema_symbol *s, strview text)
{
    static const struct {
        const char *text;
        unsigned bit;
    } stated[] = {{"awaitc::blocks", STATED_BLOCKS},
                  {"awaitc::nonblocking", STATED_NONBLOCKING},
                  {"awaitc::cpu_heavy", STATED_CPU_HEAVY},
                  {"awaitc::not_in_async", STATED_NOT_IN_ASYNC}};
    for (size_t i = 0; i < COUNTOF(stated); i++) {
        if (sv_is(text, stated[i].text))
            s->stated |= stated[i].bit;
    }
    for (uint32_t i = 0; i < u->request.async_annotation_count; i++)
        s->is_async = s->is_async || sv_equal(text, u->request.async_annotations[i]);
    u->has_async = u->has_async || s->is_async;
}

/* Reads what matters of the attributes in [first, last). */
static void note_attributes(sema_unit *u, sema_symbol *s, uint32_t first, uint32_t last)
{
    for (uint32_t t = first; t < last; t++) {
        uint16_t c = code(u, t);
        if (c == KW_NORETURN)
            s->stated |= STATED_NORETURN;
        bool is_attribute = c == KW_ATTRIBUTE || (c == P_LBRACKET && code(u, t + 1) == P_LBRACKET);
        if (!is_attribute)
            continue;
        uint32_t end = behind_opaque(u, t);
        for (; t + 1 < end; t++) {
            strview text = sema_unit_text(u, t);
            if (sv_is(text, "noreturn") || sv_is(text, "__noreturn__"))
                s->stated |= STATED_NORETURN;
            else if (sv_is(text, "nonblocking"))
                s->stated |= STATED_NONBLOCKING;
            else if (sv_is(text, "blocking"))
                s->stated |= STATED_BLOCKS;
            else if ((sv_is(text, "annotate") || sv_is(text, "__annotate__")) && t + 2 < end)
                note_annotation(u, s, unquoted(sema_unit_text(u, t + 2)));
        }
    }
}

/* ---- from declaration to declaration
 * ------------------------------------------------------------- */

/* Is the `{` at t the body of a function whose head began at `first`? */
static bool is_body(const sema_unit *u, uint32_t first, uint32_t t, bool seen_params)
{
    (void)first;
    if (!seen_params || t == 0)
        return false;
    uint16_t before = code(u, t - 1);
    return before != P_ASSIGN && before != P_COMMA;
}

/* Behind the old-style parameter declarations at t, at the body; t if there are none. */
static uint32_t behind_old_style(const sema_unit *u, uint32_t t)
{
    uint32_t at = t;
    bool has_semi = false;
    while (at < u->token_count && code(u, at) != P_LBRACE) {
        uint16_t c = code(u, at);
        if (c == P_ASSIGN || c == KW_TYPEDEF || c == KW_EXTERN || c == KW_STATIC ||
            (c == P_LPAREN && has_semi && code(u, at + 1) != P_STAR))
            return t;
        has_semi |= c == P_SEMI;
        at = opens(c) ? behind_group(u, at) : at + 1;
    }
    return has_semi && code(u, at - 1) == P_SEMI ? at : t;
}

/* Finds the end of the declaration at `first`; *body gets its `{` if it is a function's. */
static uint32_t behind_declaration(const sema_unit *u, uint32_t first, uint32_t *body)
{
    bool seen_params = false, seen_assign = false;
    *body = UINT32_MAX;
    for (uint32_t t = first; t < u->token_count;) {
        uint32_t opaque = behind_opaque(u, t);
        if (opaque != t) {
            t = opaque;
            continue;
        }
        uint16_t c = code(u, t);
        if (c == P_SEMI)
            return t + 1;
        if (is_tag_word(c) && !seen_params) {
            uint32_t name, brace = tag_body(u, t, &name);
            if (brace != UINT32_MAX) {
                t = behind_group(u, brace);
                continue;
            }
        }
        if (c == P_LBRACE && !seen_assign && is_body(u, first, t, seen_params)) {
            *body = t;
            return behind_group(u, t);
        }
        seen_assign |= c == P_ASSIGN;
        if (c == P_LPAREN && !seen_assign) {
            t = behind_group(u, t);
            seen_params = true;
            bool old_style = is_name(u, t) ||
                             (code(u, t) >= KW_VOID && code(u, t) <= KW_VOLATILE) ||
                             code(u, t) == KW_REGISTER;
            if (old_style)
                t = behind_old_style(u, t);
            continue;
        }
        t = opens(c) ? behind_group(u, t) : t + 1;
    }
    return u->token_count;
}

static void index_declarations(sema_unit *u)
{
    for (uint32_t t = 0; t < u->token_count;) {
        uint16_t c = code(u, t);
        if (c == P_SEMI || c == KW_EXTENSION || u->tokens[t].kind == TOKEN_PRAGMA ||
            c == P_RBRACE) {
            t++;
            continue;
        }
        if (c == KW_ASM || c == KW_STATIC_ASSERT) {
            while (t < u->token_count && code(u, t) != P_SEMI)
                t = opens(code(u, t)) ? behind_group(u, t) : t + 1;
            continue;
        }
        uint32_t body, end = behind_declaration(u, t, &body);
        uint32_t head_end = body != UINT32_MAX ? body : end;
        note_tags(u, t, head_end);
        if (head_end > t && code(u, head_end - 1) == P_SEMI && body == UINT32_MAX)
            head_end--;
        note_declarators(u, t, head_end, body != UINT32_MAX);
        VEC_PUSH(u->mem, &u->declarations,
                 (struct sema_declaration){.first = t, .last = end, .body = body});
        t = end;
    }
}

/* ---- trees
 * ----------------------------------------------------------------------------------------
 */

/* What the parser asks about names: of which unit, and where the head of the function ends. */
struct name_context {
    const sema_unit *unit;
    uint32_t head_end; /* offset */
};

static bool is_qualifier(uint16_t c)
{
    return c == KW_CONST || c == KW_VOLATILE || c == KW_RESTRICT;
}

/* May a declaration begin behind token t? */
static bool ends_statement(const sema_unit *u, uint32_t t)
{
    uint16_t c = code(u, t);
    return c == P_SEMI || c == P_LBRACE || c == P_RBRACE || c == P_COLON || c == KW_STATIC ||
           is_qualifier(c);
}

/* A header may be missing: is the name at t, which nothing declares, written as a type is? `name
 * x`,
 * `(name *)`, `name *x;` as a statement, `name *x` as a parameter. */
static bool is_written_as_type(const struct name_context *where, uint32_t t)
{
    const sema_unit *u = where->unit;
    if (t == 0 || t + 2 >= u->token_count || !is_name(u, t))
        return false;
    if (is_name(u, t + 1))
        return true;
    if (code(u, t + 1) != P_STAR)
        return false;
    uint32_t end = t + 1;
    while (end + 1 < u->token_count && (code(u, end) == P_STAR || is_qualifier(code(u, end))))
        end++;
    uint16_t before = code(u, t - 1);
    if (!is_name(u, end))
        return code(u, end) == P_RPAREN && before == P_LPAREN;
    uint16_t behind = code(u, end + 1);
    bool in_head = u->tokens[t].begin < where->head_end;
    if (in_head && (behind == P_COMMA || behind == P_RPAREN))
        return true;
    return (behind == P_SEMI || behind == P_ASSIGN) && ends_statement(u, t - 1);
}

static bool is_typedef_here(void *context, strview name, uint32_t before)
{
    const struct name_context *where = context;
    const sema_unit *u = where->unit;
    const sema_symbol *s = sema_find(u, name);
    if (s == NULL)
        return is_written_as_type(where, sema_unit_token(u, before));
    return s->kind == SYMBOL_TYPEDEF && u->tokens[s->name_token].begin < before;
}

static struct sema_function *new_tree(sema_unit *u, ast_function *tree, uint32_t first)
{
    struct sema_function *fn = ARENA_NEW(u->mem, struct sema_function);
    struct function_lazy *lazy = ARENA_NEW(u->mem, struct function_lazy);
    lazy->first_token = first;
    lazy->decl_types = ARENA_ARRAY(u->mem, const ctype *, tree->decls.count + 1);
    fn->tree = tree;
    fn->lazy = lazy;
    return fn;
}

static struct ast_parse_request region(sema_unit *u, uint32_t first, uint32_t last, uint32_t head)
{
    struct name_context *where = ARENA_NEW(u->mem, struct name_context);
    *where = (struct name_context){u, u->tokens[head - 1].end};
    return (struct ast_parse_request){.mem = u->mem,
                                      .buffer = u->buffer,
                                      .begin = u->tokens[first].begin,
                                      .end = u->tokens[last - 1].end,
                                      .tokens = u->tokens + first,
                                      .token_count = last - first,
                                      .is_typedef = is_typedef_here,
                                      .context = where};
}

struct sema_function *sema_declaration_tree(sema_unit *u, uint32_t declaration)
{
    struct sema_declaration *d = &u->declarations.at[declaration];
    if (d->parsed)
        return d->tree;
    d->parsed = true;
    uint32_t last = d->body != UINT32_MAX ? d->body : d->last;
    if (last <= d->first)
        return NULL;
    struct ast_parse_request request = region(u, d->first, last, last);
    struct ast_parse_error error;
    ast_function *tree = ast_parse_declaration(&request, &error);
    if (tree != NULL)
        u->declarations.at[declaration].tree = new_tree(u, tree, d->first);
    return u->declarations.at[declaration].tree;
}

static void parse_body(sema_unit *u, uint32_t index)
{
    struct sema_declaration *d = &u->declarations.at[index];
    struct ast_parse_request request = region(u, d->first, d->last, d->body);
    struct ast_parse_error error = {0, NULL, false};
    ast_function *tree = ast_parse(&request, &error);
    if (tree == NULL) {
        uint32_t token = sema_unit_token(u, error.offset);
        bool is_function;
        uint32_t name = declared_name(u, d->first, d->body, &is_function);
        strview function = name == UINT32_MAX ? (strview){"", 0} : sema_unit_text(u, name);
        VEC_PUSH(u->mem, &u->failures,
                 (struct sema_failure){sema_unit_place(u, token), error.text, function});
        return;
    }
    ast_find_goto_loops(tree);
    struct sema_function *fn = new_tree(u, tree, d->first);
    uint32_t name = d->first + tree->root->name_token;
    fn->symbol = sema_find(u, sema_unit_text(u, name));
    if (fn->symbol == NULL || fn->symbol->kind != SYMBOL_FUNCTION)
        return;
    fn->file = sema_unit_file(u, d->first)->name;
    fn->in_source = sema_unit_file(u, d->first)->is_own;
    fn->index = (uint32_t)u->functions.count;
    fn->place = sema_unit_place(u, name);
    fn->end_place = sema_unit_place(u, d->last - 1);
    fn->symbol->function = fn;
    if (tree->is_noreturn)
        fn->symbol->stated |= STATED_NORETURN;
    d->parsed = true;
    d->tree = fn;
    VEC_PUSH(u->mem, &u->functions, fn);
}

static void finish_symbols(sema_unit *u)
{
    for (size_t i = 0; i < u->symbols.count; i++) {
        sema_symbol *s = u->symbols.at[i];
        const struct sema_declaration *d = &u->declarations.at[sema_lazy(s)->declaration];
        s->first = d->first;
        s->last = d->last;
        s->place = sema_unit_place(u, s->name_token);
    }
}

/* ---- entries
 * ---------------------------------------------------------------------------------------
 */

sema_unit *sema_unit_read(const struct sema_request *request, struct sema_failure *failure)
{
    sema_unit *u = ARENA_NEW(request->mem, sema_unit);
    u->mem = request->mem;
    u->request = *request;
    if (u->request.pointer_bytes == 0)
        u->request.pointer_bytes = 8;
    const struct blank_run *runs = blank_directives(u, request->cpp);
    u->names = word_set_in(u->mem);
    u->tag_names = word_set_in(u->mem);
    struct ast_parse_error error = {0, NULL, false};
    u->tokens = ast_lex_around(u->mem, u->buffer, runs, request->cpp->directives.count,
                               &u->token_count, &error);
    if (u->tokens == NULL) {
        *failure = (struct sema_failure){.place = cpp_output_place(request->cpp, error.offset),
                                         .text = error.text};
        return NULL;
    }
    for (uint32_t t = 0; t < u->token_count && !u->has_async; t++)
        u->has_async = u->tokens[t].code == KW_ASYNC;
    sema_types_init(u);
    sema_place_init(u);
    index_declarations(u);
    finish_symbols(u);
    for (uint32_t i = 0; i < u->declarations.count; i++) {
        const struct sema_declaration *d = &u->declarations.at[i];
        if (d->body != UINT32_MAX && !sema_unit_file(u, d->first)->is_system)
            parse_body(u, i);
    }
    return u;
}

bool sema_unit_has_async(const sema_unit *u)
{
    return u->has_async;
}

struct sema_function *const *sema_unit_functions(const sema_unit *u, uint32_t *count)
{
    *count = (uint32_t)u->functions.count;
    return u->functions.at;
}

const struct sema_failure *sema_unit_failures(const sema_unit *u, uint32_t *count)
{
    *count = (uint32_t)u->failures.count;
    return u->failures.at;
}

arena *sema_unit_arena(const sema_unit *u)
{
    return u->mem;
}

const char *sema_unit_path(const sema_unit *u)
{
    return u->request.path;
}

strview sema_unit_source(const sema_unit *u)
{
    return u->request.source;
}

sema_symbol *sema_find(const sema_unit *u, strview name)
{
    const struct word_entry *e = word_set_find(&u->names, name);
    return e == NULL ? NULL : u->symbols.at[e->value - 1];
}

void sema_each_symbol(const sema_unit *u, enum sema_symbol_kind kind,
                      void (*visit)(void *context, sema_symbol *symbol), void *context)
{
    for (size_t i = 0; i < u->symbols.count; i++) {
        if (u->symbols.at[i]->kind == kind)
            visit(context, u->symbols.at[i]);
    }
}
