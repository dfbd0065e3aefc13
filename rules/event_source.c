/* SPDX-License-Identifier: MIT */
/*
 * Reading loops.
 */
#include "rules/event_source.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>

#include "analyzer/base/check.h"
#include "analyzer/program/value_of.h"
#include "rules/function_memo.h"
#include "rules/work_estimate.h"

enum { MAX_CALL_DEPTH = 3 }; /* below MEMO_DEPTHS */

static const char *const sources[] = {
#define SOURCE(name) name,
#include "rules/event_sources.def"
#undef SOURCE
};

static const char receives[] = "accept recv recvfrom recvmsg try_recv tryrecv receive";
static const char channels[] = "sock socket net tcp udp conn ssl tls bio peer link";
static const char messages[] = "packet datagram";

/* A function that nothing is known of, but whose name says it: read_packet reads one from
 * somewhere, packet_read_byte reads in one that is there. */
static bool sounds_like_source(strview name)
{
    /* An encoded object in memory or a file, not a channel. */
    if (sv_starts(name, "PEM_read_") || sv_starts(name, "d2i_"))
        return false;
    if (name_has_word(name, receives))
        return true;
    const char *read =
        name_has_whole_word(name, "read") ? memmem(name.at, name.len, "read", 4) : NULL;
    return read != NULL &&
           (name_has_word(name, channels) ||
            name_has_word((strview){read, (size_t)(name.at + name.len - read)}, messages));
}

static bool is_source(strview name)
{
    for (size_t i = 0; i < COUNTOF(sources); i++) {
        if (sv_is(name, sources[i]))
            return true;
    }
    return false;
}

/* Does the function's text have the word, behind the other one (NULL: anywhere)? */
static bool has_words(rule_cx *cx, const char *before, const char *word)
{
    const ast_function *tree = cx->fn->tree;
    for (uint32_t i = 0; i < tree->token_count; i++) {
        if (sv_is(ast_token_text(tree, i), word) &&
            (before == NULL || (i > 0 && sv_is(ast_token_text(tree, i - 1), before))))
            return true;
    }
    return false;
}

static bool has_word(rule_cx *cx, const char *word)
{
    return has_words(cx, NULL, word);
}

/* Does the function tell what it reads: from memory, or events that the kernel keeps few of? */
static bool names_no_sender(rule_cx *cx, strview callee)
{
    if (sv_starts(callee, "BIO_"))
        return has_word(cx, "BIO_s_mem") || has_word(cx, "BIO_new_mem_buf");
    return sv_is(callee, "read") &&
           (has_word(cx, "inotify_event") || has_word(cx, "signalfd_siginfo"));
}

/* ---- asking ---------------------------------------------------------------------------------- */

struct ask_search {
    rule_cx *cx;
    unsigned depth;
    bool found;
};

static bool asks(rule_cx *cx, const ast_node *call, unsigned depth);

/* do n = recv(...); while (n < 0 && errno == EINTR); */
static bool is_retry(const ast_node *loop)
{
    const ast_node *body = loop->kind == AST_DO ? loop->kid[0] : NULL;
    while (body != NULL && body->kind == AST_COMPOUND && body->kid_count == 1)
        body = body->kid[0];
    return body != NULL && body->kind == AST_EXPR_STMT;
}

static bool visit_ask(void *context, const ast_node *n)
{
    struct ask_search *search = context;
    if (tree_is_loop(n) && !is_retry(n))
        return false;
    if (n->kind == AST_CALL && asks(search->cx, n, search->depth))
        search->found = true;
    return !search->found;
}

static bool asks(rule_cx *cx, const ast_node *call, unsigned depth)
{
    if (tree_is_on_pool(call) || sema_call_is_async(cx->sema, cx->fn, call))
        return false;
    struct sema_function *body = unit_function(cx, sema_callee(cx->sema, cx->fn, call));
    if (body == NULL) {
        strview name = sema_callee_name(cx->sema, cx->fn, call);
        return (is_source(name) || sounds_like_source(name)) && !names_no_sender(cx, name);
    }
    if (depth == MAX_CALL_DEPTH || sema_type(cx->sema, cx->fn, call)->cls == CTYPE_VOID)
        return false;
    uint8_t *known = &function_memo_of(cx, body)->asks[depth];
    rule_cx inner = *cx;
    inner.fn = body;
    struct ask_search search = {.cx = &inner, .depth = depth + 1};
    if (*known == MEMO_UNKNOWN) {
        tree_visit(body->tree->root, visit_ask, &search);
        *known = search.found ? MEMO_YES : MEMO_NO;
    }
    return *known == MEMO_YES;
}

bool asks_event_source(rule_cx *cx, const ast_node *call)
{
    return asks(cx, call, 0);
}

/* ---- what is read from ------------------------------------------------------------------------
 */

/* recvmsg(fd, &msg, MSG_ERRQUEUE): what comes back of what was sent. */
static bool reads_own_errors(rule_cx *cx, const ast_node *call)
{
    int64_t flags;
    uint32_t at = sv_is(sema_callee_name(cx->sema, cx->fn, call), "recvmsg") ? 2 : UINT32_MAX;
    return at < sema_arg_count(call) &&
           sema_constant(cx->sema, cx->fn, sema_arg(call, at), &flags) &&
           (flags & MSG_ERRQUEUE) != 0;
}

static const char files[] = "open openat open64 fopen creat fileno mkstemp dirfd memfd";

/* Does the descriptor come from a file that this function opened, or whose size it looks at? */
static bool reads_a_file(rule_cx *cx, const ast_node *call)
{
    strview name = sema_callee_name(cx->sema, cx->fn, call);
    if (sema_arg_count(call) == 0 || !(sv_is(name, "read") || sv_is(name, "readv")))
        return false;
    if (has_word(cx, "fstat") || has_words(cx, "struct", "stat") || has_word(cx, "st_size"))
        return true;
    const ast_node *fd = sema_strip(sema_arg(call, 0));
    const struct local_uses *uses = local_uses_of(cx->mem, cx->sema, cx->fn);
    if (fd->kind != AST_IDENT || fd->ref == NULL || uses->at[fd->ref->id].value == NULL)
        return false;
    const ast_node *from = sema_strip(uses->at[fd->ref->id].value);
    if (from->kind == AST_AWAIT)
        from = sema_strip(from->kid[0]);
    return from->kind == AST_CALL && name_has_word(sema_callee_name(cx->sema, cx->fn, from), files);
}

/* handle(buf, n) < 0: an error ends it, not what was read. */
static bool is_failure_test(rule_cx *cx, const ast_node *term)
{
    int64_t zero;
    return tree_is_comparison(term) && sema_strip(term->kid[0])->kind == AST_CALL &&
           sema_constant(cx->sema, cx->fn, term->kid[1], &zero) &&
           ((term->op == OP_LT && zero == 0) || (term->op == OP_EQ && zero < 0));
}

/* Does an exit look at what was read, not only at how much? */
static bool looks_at_data(rule_cx *cx, const struct loop_shape *s, const ast_node *call)
{
    for (uint32_t a = 0; a < sema_arg_count(call); a++) {
        const ast_node *arg = sema_strip(sema_arg(call, a)), *root = tree_root(arg);
        enum ctype_class cls = sema_type(cx->sema, cx->fn, arg)->cls;
        bool is_buffer = root != NULL && (cls == CTYPE_ARRAY || cls == CTYPE_POINTER) && a != 0;
        for (size_t i = 0; is_buffer && i < s->exits.all.count; i++) {
            const ast_node *term = s->exits.all.at[i];
            if (!tree_is_inside(call, term) && !is_failure_test(cx, term) &&
                tree_mentions(cx->fn->tree, term, root))
                return true;
        }
    }
    return false;
}

static bool is_pending_term(rule_cx *cx, const struct loop_shape *s, const ast_node *term)
{
    const ast_node *call = loop_exit_call(cx, s, term);
    return call != NULL && call->kind == AST_CALL &&
           name_has_word(sema_callee_name(cx->sema, cx->fn, call), "pending");
}

/* Is anything done with what is read? */
static bool uses_data(rule_cx *cx, const struct loop_shape *s, const ast_node *source)
{
    if (unit_function(cx, sema_callee(cx->sema, cx->fn, source)) != NULL)
        return true;
    for (size_t i = 0; i < s->calls.count; i++) {
        if (s->calls.at[i] != source && work_of_call(cx, s->calls.at[i]).cls != WORK_TRIVIAL)
            return true;
    }
    for (size_t i = 0; i < s->steps.count; i++) {
        const ast_node *lvalue = s->steps.at[i].lvalue;
        if (s->steps.at[i].kind != STEP_PASSED && lvalue->kind != AST_IDENT &&
            lvalue->kind != AST_DECLARATOR)
            return true;
    }
    return false;
}

/* Is it `x == constant`, of what an error number may be compared with? */
static bool equals_constant(rule_cx *cx, const ast_node *term, int64_t *number)
{
    if (!tree_is_comparison(term) || term->op != OP_EQ)
        return false;
    return sema_constant(cx->sema, cx->fn, term->kid[1], number) ||
           sema_constant(cx->sema, cx->fn, term->kid[0], number);
}

/* Must the term hold for another round? Not if something besides other error numbers may hold in
 * its place: `recv(..) >= 0 || errno == EINTR` goes on after data, too. */
static bool is_needed(rule_cx *cx, const struct loop_shape *s, const ast_node *term)
{
    const ast_node *top = tree_loop_condition(s->loop);
    for (const ast_node *n = term; n != top && n->parent != NULL; n = n->parent) {
        const ast_node *up = n->parent;
        struct tree_terms others = {0};
        int64_t number;
        if (up->kind == AST_UNARY && up->op == OP_NOT)
            return false;
        if (up->kind == AST_OR_OR)
            tree_add_terms(cx->mem, cx->fn->tree, &others, up->kid[up->kid[0] == n]);
        for (size_t i = 0; i < others.all.count; i++) {
            if (!equals_constant(cx, others.all.at[i], &number))
                return false;
        }
    }
    return true;
}

/* Is a term of the loop's condition `errno == EINTR`? Then it goes on only after an interruption.
 */
static bool retries_only(rule_cx *cx, const struct loop_shape *s)
{
    for (size_t i = 0; i < s->condition_count; i++) {
        const ast_node *term = s->exits.all.at[i];
        int64_t number;
        if (equals_constant(cx, term, &number) && number == EINTR && is_needed(cx, s, term))
            return true;
    }
    return false;
}

/* Does the condition compare something that the rounds add up, in one of several ways? Then a
 * certain amount is wanted. */
static bool wants_amount(rule_cx *cx, const struct loop_shape *s)
{
    for (size_t i = 0; i < s->condition_count; i++) {
        const ast_node *term = s->exits.all.at[i];
        bool is_relation = tree_is_comparison(term) && term->op != OP_EQ && term->op != OP_NE;
        for (size_t k = 0; is_relation && k < s->steps.count; k++) {
            const struct loop_step *step = &s->steps.at[k];
            bool adds = step->kind == STEP_UP || step->kind == STEP_DOWN;
            if (adds && (tree_same(cx->fn->tree, sema_strip(term->kid[0]), step->lvalue) ||
                         tree_same(cx->fn->tree, sema_strip(term->kid[1]), step->lvalue)))
                return true;
        }
    }
    return false;
}

/* The condition under which a label's loop goes back to it: the loop's own, or that of its last
 * statement; NULL: none, or no such loop. */
static const ast_node *goto_condition(const ast_node *loop)
{
    const ast_node *body = tree_loop_body(loop);
    bool is_goto = body->kind == AST_COMPOUND && body->kid_count != 0 &&
                   body->kid[0]->kind == AST_LABEL && body->kid[0]->first == loop->first;
    if (!is_goto)
        return NULL;
    if (loop->kind == AST_DO)
        return tree_loop_condition(loop);
    const ast_node *last = body->kid[body->kid_count - 1];
    bool is_tail = last->kind == AST_IF && last->kid[2] != NULL && last->kid[2]->kind == AST_BREAK;
    return is_tail && last->kid[2]->first == last->kid[2]->last ? last->kid[0] : NULL;
}

/* Does it go back for something else than that there was more? */
static bool goes_back_otherwise(rule_cx *cx, const struct loop_shape *s)
{
    const ast_node *condition = goto_condition(s->loop);
    struct tree_terms terms = {0};
    if (condition == NULL)
        return false;
    tree_add_terms(cx->mem, cx->fn->tree, &terms, condition);
    for (size_t i = 0; i < terms.all.count; i++) {
        const ast_node *call = loop_exit_call(cx, s, terms.all.at[i]);
        if (call == NULL || call->kind != AST_CALL || !asks_event_source(cx, call))
            return true;
    }
    return false;
}

const ast_node *loop_drains(rule_cx *cx, const struct loop_shape *s)
{
    const ast_node *source = NULL;
    if (s->kind == LOOP_COUNTED || s->kind == LOOP_ONCE || retries_only(cx, s) ||
        wants_amount(cx, s) || goes_back_otherwise(cx, s))
        return NULL;
    for (size_t i = 0; i < s->exits.all.count; i++) {
        const ast_node *call = loop_exit_call(cx, s, s->exits.all.at[i]);
        if (is_pending_term(cx, s, s->exits.all.at[i]))
            return NULL;
        if (source == NULL && call != NULL && call->kind == AST_CALL && asks_event_source(cx, call))
            source = call;
    }
    if (source == NULL || reads_a_file(cx, source) || reads_own_errors(cx, source) ||
        looks_at_data(cx, s, source) || !uses_data(cx, s, source))
        return NULL;
    return source;
}

/* ---- input ------------------------------------------------------------------------------------
 */

static const char input_words[] = "read recv receive accept next get pop dequeue take line message "
                                  "msg request packet event job fetch";
static const char taking_words[] = "read recv receive next get";
static const char no_input_words[] = "ready drained space room slot permit credit time tick write "
                                     "send";

/* read_tick(fd, &tick): the word tells what is read, and not what is waited for. */
static bool fills_object(const ast_node *call)
{
    for (uint32_t i = 0; i < sema_arg_count(call); i++) {
        const ast_node *arg = sema_strip(sema_arg(call, i));
        if (arg->kind == AST_UNARY && arg->op == OP_ADDR)
            return true;
    }
    return false;
}

static bool is_awaited_input(rule_cx *cx, const ast_node *await)
{
    const ast_node *call = sema_strip(await->kid[0]);
    if (call->kind == AST_FORM && call->op == FORM_TIMEOUT && call->kid_count == 2)
        call = sema_strip(call->kid[1]);
    if (call->kind == AST_ASSIGN)
        call = sema_strip(call->kid[1]);
    if (call->kind == AST_FORM && call->op == FORM_BLOCKING && call->kid_count == 1)
        call = sema_strip(call->kid[0]);
    if (call->kind != AST_CALL)
        return false;
    strview name = sema_callee_name(cx->sema, cx->fn, call);
    return name_has_word(name, input_words) &&
           (!name_has_word(name, no_input_words) ||
            (name_has_word(name, taking_words) && fills_object(call)));
}

const ast_node *loop_input(rule_cx *cx, const struct loop_shape *s)
{
    for (size_t i = 0; i < s->awaits.count; i++) {
        if (is_awaited_input(cx, s->awaits.at[i]))
            return s->awaits.at[i];
    }
    for (size_t i = 0; i < s->calls.count; i++) {
        if (asks_event_source(cx, s->calls.at[i]))
            return s->calls.at[i];
    }
    return NULL;
}
