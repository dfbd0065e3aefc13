/* SPDX-License-Identifier: MIT */
/*
 * How does the lowered text come to be? A printer walks the tree and copies the user's tokens with
 * what stands between them, comments included; where an overlay or a frame local replaces
 * something, it writes the replacement. The printer always knows which source line a reader of its
 * output would be told, and writes #line when the next token of the source is from another one.
 * Generated code has no line breaks of its own, so it belongs to the line of the statement that it
 * serves.
 */
#ifndef AWAITC_TRANSFORMS_EMIT_H
#define AWAITC_TRANSFORMS_EMIT_H

#include "analyzer/base/strbuf.h"
#include "transforms/lowering.h"

struct printer {
    lowering *l;
    strbuf out;
    const char *file; /* presumed place of the next character */
    uint32_t line;
    uint32_t previous; /* the source token printed last; UINT32_MAX after generated text */
    bool at_line_start;
    const ast_node *typeof_node; /* in print_typeof: its operand; else NULL */
    bool is_dense; /* print_line puts no line breaks: code that belongs to one source line */
};

/* emit_print.c */
void print_token(struct printer *p, uint32_t token);
void print_tokens(struct printer *p, uint32_t first, uint32_t last);
/* A node with everything that replaces it or its children. */
void print_node(struct printer *p, ast_node *n);
/* A node's own tokens, its children through print_node: for statements that print the rest
 * themselves. */
void print_children(struct printer *p, ast_node *n);
/* "__typeof__(e)", e as written: awaits left out, only locals from outside it replaced. */
void print_typeof(struct printer *p, ast_node *e);
/* What print_node prints, for a place inside generated text. */
const char *node_text(lowering *l, ast_node *n);
/* Generated text, without line breaks. */
void print_text(struct printer *p, const char *text);
void print_fmt(struct printer *p, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Goes to the line of this token, so that what is generated next belongs to it. */
void print_at(struct printer *p, uint32_t token);
/* Generated lines that belong to nobody: between functions. */
void print_line(struct printer *p, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Generated functions whose code a debugger and a coverage tool shall see at the line of this
 * function's head: from here to print_dense_end, lines are joined (unless #line is off). */
void print_dense_begin(struct printer *p);
void print_dense_end(struct printer *p);

/* emit_names.c */
/* How a local is read and written in the lowered text; `raw`: without its qualifiers. */
const char *local_ref(lowering *l, const ast_decl *d, bool raw);
void plan_locals(lowering *l);
/* Gives every await the name of its state. */
void name_states(lowering *l);
const char *zero_value(lowering *l, type_id type);
/* The text of a declaration of the type as it is, qualifiers included. */
const char *declare(lowering *l, type_id type, const char *name);
/* The name of the state of an await: "copy__READ". */
const char *state_name(lowering *l, const struct point *p);
/* Is this argument handed to a __poll by address? */
bool passes_by_address(const lowering *l, type_id type);

/*
 * Assignment to an object that the lowering made. A struct with const members cannot be assigned in
 * C: its bytes are copied. print_assign_begin, then the value, then print_assign_end; or all as
 * text.
 */
void print_assign_begin(struct printer *p, type_id type, const char *to);
void print_assign_end(struct printer *p, type_id type, const char *to);
const char *assign_text(lowering *l, type_id type, const char *to, const char *value);

/* emit_decl.c */
void print_declaration(struct printer *p, ast_node *s);
bool declaration_is_touched(lowering *l, ast_node *s);
void print_declare_item(struct printer *p, ast_node *declarator);
void print_init_item(struct printer *p, ast_node *declarator);

/* emit_stmt.c */
bool print_statement(struct printer *p, ast_node *s); /* false: print it by its tokens */
void print_items(struct printer *p, const struct item_list *items);
void print_block_cleanups(struct printer *p, ast_node *block);

/* emit_temps.c */
/* Declares the temporaries that these items set. */
void print_temps(struct printer *p, ast_decl *const *temps, size_t count,
                 const struct item_list *items);
/* SET, SET_ADDRESS, SET_FIELD. */
void print_set(struct printer *p, const struct item *item);
/* Is its type made up where the temporary is declared, for want of a name at file scope? */
bool temp_lacks_name(const lowering *l, const ast_decl *d);

/* emit_variable.c */
/* A replaced expression whose temporary is a pointer to what has a variable size. */
void print_variable_read(struct printer *p, ast_node *n, const struct replacement *r);

/* emit_await.c */
void print_await(struct printer *p, struct point *point, ast_node *destination);
/* A call with the ABI's two arguments in front. */
void print_call(struct printer *p, const struct call *call, const char *cx, const char *room);
/* The suspension at a point: spills, the state's label, reloads. */
void print_suspension(struct printer *p, struct point *point);
/* Behind the branch that print_suspension is in: what else happens. Reports it where asked to. */
void print_not_suspended(struct printer *p, const struct point *point);
/* Can a cancel come to this point's label? */
bool point_hears_cancel(const struct point *point);
const char *child_room(lowering *l, const struct call *call);
const char *child_need(lowering *l, const struct call *call);

/* forms/ */
void form_print_await(struct printer *p, struct point *point);
/* At a group's label for a cancel: takes what came late, and ends the group. */
void group_print_cancelled(struct printer *p, const struct point *point);
bool form_print_plain(struct printer *p, ast_node *form);
void form_print_scope_start(struct printer *p, const struct item *item);
/* What a function's forms need in front of it: job structs, spawn sites. */
void forms_print_prelude(struct printer *p);

/* emit_signature.c */
/* The number of the function's signature; prints what its functions share when it is a new one. */
uint32_t print_signature(struct printer *p);
/* Counts an entry of this signature; true if it may go by aw__start_N, which is printed then. */
bool print_shared_start(struct printer *p, uint32_t n);

/* emit_function.c */
/* Notes whether a local that lives in the frame is declared with an alignment. */
void find_over_aligned(lowering *l);
void emit_region(lowering *l, strbuf *out);
/* The function's name in generated text with a suffix: "f__poll". */
const char *emitted_name(lowering *l, const char *suffix);
void declare_callee(struct printer *p, const struct call *call);

#endif
