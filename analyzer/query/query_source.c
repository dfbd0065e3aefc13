/* SPDX-License-Identifier: MIT */
/*
 * One parse, then one walk that finds the functions and measures the tree. Ancestors are found from
 * the function downwards, since a node of tree-sitter does not know its parent.
 */
#include "analyzer/query/query_source.h"

#include <string.h>

#include "analyzer/base/check.h"

static bool node_is(TSNode node, const char *type)
{
    return !ts_node_is_null(node) && strcmp(ts_node_type(node), type) == 0;
}

static TSNode field(TSNode node, const char *name)
{
    return ts_node_child_by_field_name(node, name, (uint32_t)strlen(name));
}

strview query_node_text(const struct query_source *s, TSNode node)
{
    uint32_t begin = ts_node_start_byte(node), end = ts_node_end_byte(node);
    AWC_ASSERT(begin <= end && end <= s->text.len);
    return (strview){s->text.at + begin, end - begin};
}

static void add_function(struct query_source *s, TSNode node)
{
    struct source_function f = {
        .node = node, .begin = ts_node_start_byte(node), .end = ts_node_end_byte(node)};
    TSNode declarator = field(node, "declarator");
    uint32_t specifiers_end = ts_node_is_null(declarator) ? f.end : ts_node_start_byte(declarator);
    f.is_async = offset_list_meets(&s->masked.asyncs, f.begin, specifiers_end);
    for (TSNode d = declarator; !ts_node_is_null(d);) {
        if (node_is(d, "identifier")) {
            f.name = query_node_text(s, d);
            break;
        }
        TSNode inner = field(d, "declarator");
        if (ts_node_is_null(inner)) /* parentheses and attributes have no field for it */
            inner = ts_node_named_child(d, 0);
        d = inner;
    }
    VEC_PUSH(s->mem, &s->functions, f);
}

/* Visits all nodes; false as soon as the tree is too deep, or has too long a row of tokens. */
static bool survey(struct query_source *s)
{
    const TSLanguage *language = tree_sitter_c();
    static const char name[] = "function_definition";
    TSSymbol function = ts_language_symbol_for_name(language, name, sizeof name - 1, true);
    TSTreeCursor at = ts_tree_cursor_new(ts_tree_root_node(s->tree));
    uint32_t depth = 0, tokens = 0, covered = 0;
    bool more = true;
    while (more && depth <= QUERY_DEEPEST && tokens <= QUERY_DEEPEST) {
        TSNode node = ts_tree_cursor_current_node(&at);
        tokens = ts_node_is_named(node) ? 0 : tokens + 1;
        if (ts_node_symbol(node) == function && ts_node_start_byte(node) >= covered) {
            add_function(s, node);
            covered = ts_node_end_byte(node); /* a nested one counts as its part */
        }
        if (ts_tree_cursor_goto_first_child(&at)) {
            depth++;
            continue;
        }
        while (depth > 0 && !ts_tree_cursor_goto_next_sibling(&at)) {
            ts_tree_cursor_goto_parent(&at);
            depth--;
        }
        more = depth > 0;
    }
    ts_tree_cursor_delete(&at);
    return !more;
}

enum query_source_status query_source_parse(struct query_source *s)
{
    if (s->text.len > UINT32_MAX / 2)
        return QUERY_SOURCE_TOO_LARGE;
    TSParser *parser = ts_parser_new();
    bool usable = ts_parser_set_language(parser, tree_sitter_c());
    AWC_ASSERT(usable);
    s->tree = ts_parser_parse_string(parser, NULL, s->masked.text.at, (uint32_t)s->text.len);
    ts_parser_delete(parser);
    AWC_ASSERT(s->tree != NULL);
    if (survey(s))
        return QUERY_SOURCE_OK;
    query_source_close(s);
    return QUERY_SOURCE_TOO_DEEP;
}

void query_source_close(struct query_source *s)
{
    ts_tree_delete(s->tree);
    s->tree = NULL;
}

const struct source_function *query_function_of(const struct query_source *s, TSNode node)
{
    uint32_t at = ts_node_start_byte(node);
    size_t low = 0, high = s->functions.count;
    while (low < high) { /* the first that ends behind `at` */
        size_t middle = low + (high - low) / 2;
        if (s->functions.at[middle].end <= at)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == s->functions.count || s->functions.at[low].begin > at)
        return NULL;
    return &s->functions.at[low];
}

node_list query_ancestors(arena *mem, const struct query_source *s, TSNode node)
{
    node_list list = {0};
    const struct source_function *f = query_function_of(s, node);
    TSNode at =
        f != NULL && ts_node_end_byte(node) <= f->end ? f->node : ts_tree_root_node(s->tree);
    while (!ts_node_is_null(at) && !ts_node_eq(at, node)) {
        VEC_PUSH(mem, &list, at);
        at = ts_node_child_with_descendant(at, node);
    }
    return list;
}

bool query_has_await(const struct query_source *s, TSNode node)
{
    return offset_list_meets(&s->masked.awaits, ts_node_start_byte(node), ts_node_end_byte(node));
}

static bool is_one_of(strview text, const strview *names, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (sv_equal(text, names[i]))
            return true;
    }
    return false;
}

/* The name of the function that a call expression calls; empty if it is no plain name. */
static strview callee(const struct query_source *s, TSNode call)
{
    TSNode function = field(call, "function");
    return node_is(function, "identifier") ? query_node_text(s, function) : (strview){"", 0};
}

bool query_is_argument_of(arena *mem, const struct query_source *s, TSNode node,
                          const strview *names, size_t count)
{
    node_list around = query_ancestors(mem, s, node);
    size_t i = around.count;
    while (i > 0 && (node_is(around.at[i - 1], "parenthesized_expression") ||
                     node_is(around.at[i - 1], "assignment_expression")))
        i--;
    return i > 1 && node_is(around.at[i - 1], "argument_list") &&
           node_is(around.at[i - 2], "call_expression") &&
           is_one_of(callee(s, around.at[i - 2]), names, count);
}

static bool is_word_byte(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* Does the name stand anywhere in the node's text, as a whole word? */
static bool mentions(const struct query_source *s, TSNode node, strview name)
{
    strview text = query_node_text(s, node);
    while (name.len > 0 && text.len >= name.len) {
        const char *found = memmem(text.at, text.len, name.at, name.len);
        if (found == NULL)
            return false;
        const char *end = found + name.len, *text_end = text.at + text.len;
        if ((found == s->text.at || !is_word_byte(found[-1])) &&
            (end == text_end || !is_word_byte(*end)))
            return true;
        text = (strview){end, (size_t)(text_end - end)};
    }
    return false;
}

/* Is the node a statement that calls the function: `lock(&m);`, `if (lock(&m) != 0) ...`? */
static bool acquires(const struct query_source *s, TSNode statement, strview name)
{
    TSNode expression = ts_node_named_child(statement, 0);
    if (node_is(statement, "if_statement"))
        expression = field(statement, "condition");
    else if (!node_is(statement, "expression_statement"))
        return false;
    return !ts_node_is_null(expression) && mentions(s, expression, name);
}

/* Goes to the first child of the node that is named, and on to the next one; false at the end. */
static bool next_named(TSTreeCursor *at, bool first)
{
    bool there = first ? ts_tree_cursor_goto_first_child(at) : ts_tree_cursor_goto_next_sibling(at);
    while (there && !ts_node_is_named(ts_tree_cursor_current_node(at)))
        there = ts_tree_cursor_goto_next_sibling(at);
    return there;
}

bool query_is_only_child(arena *mem, const struct query_source *s, TSNode node)
{
    node_list around = query_ancestors(mem, s, node);
    if (around.count == 0)
        return true;
    uint32_t count = 0;
    TSTreeCursor at = ts_tree_cursor_new(VEC_LAST(&around));
    for (bool there = next_named(&at, true); there && count < 2; there = next_named(&at, false))
        count += !node_is(ts_tree_cursor_current_node(&at), "comment");
    ts_tree_cursor_delete(&at);
    return count == 1;
}

enum holding { HOLD_UNKNOWN, HOLD_ACQUIRED, HOLD_RELEASED };

/* What the statements of a block before `inside` leave. */
static enum holding holding_before(const struct query_source *s, TSNode block, TSNode inside,
                                   strview acquire, strview release)
{
    enum holding state = HOLD_UNKNOWN;
    TSTreeCursor at = ts_tree_cursor_new(block);
    for (bool there = next_named(&at, true); there; there = next_named(&at, false)) {
        TSNode statement = ts_tree_cursor_current_node(&at);
        if (ts_node_eq(statement, inside))
            break;
        if (mentions(s, statement, release))
            state = HOLD_RELEASED;
        else if (acquires(s, statement, acquire))
            state = HOLD_ACQUIRED;
    }
    ts_tree_cursor_delete(&at);
    return state;
}

bool query_is_held(arena *mem, const struct query_source *s, TSNode node, strview acquire,
                   strview release)
{
    node_list around = query_ancestors(mem, s, node);
    for (size_t i = around.count; i > 0; i--) {
        TSNode inside = i < around.count ? around.at[i] : node;
        if (!node_is(around.at[i - 1], "compound_statement"))
            continue;
        enum holding state = holding_before(s, around.at[i - 1], inside, acquire, release);
        if (state != HOLD_UNKNOWN)
            return state == HOLD_ACQUIRED;
    }
    return false;
}

enum macro_fate query_await_fate(struct query_source *s, TSNode call)
{
    strview name = callee(s, call);
    TSNode arguments = field(call, "arguments");
    if (name.len == 0 || ts_node_is_null(arguments) || !query_has_await(s, arguments))
        return MACRO_KEEPS;
    if (!s->macros_read)
        s->macros = macro_table_read(s->mem, s->text);
    s->macros_read = true;
    enum macro_fate worst = MACRO_KEEPS;
    uint32_t index = 0;
    TSTreeCursor at = ts_tree_cursor_new(arguments);
    for (bool there = next_named(&at, true); there; there = next_named(&at, false)) {
        TSNode argument = ts_tree_cursor_current_node(&at);
        if (node_is(argument, "comment"))
            continue;
        if (query_has_await(s, argument)) {
            enum macro_fate fate = macro_argument_fate(s->mem, &s->macros, name, index);
            worst = fate == MACRO_DROPS || worst == MACRO_KEEPS ? fate : worst;
        }
        index++;
    }
    ts_tree_cursor_delete(&at);
    return worst;
}
