/* SPDX-License-Identifier: MIT */
/*
 * What do the passes of the lowering share? One `struct lowering` per function: its tree, the
 * temporaries, awaits and clean-ups that the passes find, and the plan of its frame.
 *
 * Passes do not edit text. They leave the tree as it is and lay *overlays* over it:
 *
 *     an expression that was evaluated earlier      -> reads a temporary    (ast_node.data)
 *     a statement whose expressions hold an await   -> a list of items, then what is left of it
 *
 * so that printing an untouched statement copies the user's text, and printing a touched one
 * prints its overlay. build_air and the emitters walk the same overlays, so that what is analysed
 * is what is written.
 */
#ifndef AWAITC_TRANSFORMS_LOWERING_H
#define AWAITC_TRANSFORMS_LOWERING_H

#include "analyzer/base/word_set.h"
#include "analyzer/diag/diag.h"
#include "analyzer/flow/across_await.h"
#include "analyzer/ir/air.h"
#include "analyzer/ir/types.h"
#include "analyzer/parse/clang_unit.h"
#include "analyzer/parse/expand.h"
#include "analyzer/syntax/ast.h"
#include "transforms/fault.h"
#include "transforms/frame_layout.h"
#include "transforms/lower.h"

/* ---- marks on nodes (ast_node.bits) -------------------------------------------------------- */

enum {
    MARK_AWAIT = 1,        /* an evaluated await is inside (or is this node) */
    MARK_REPLACED = 2,     /* data: struct replacement */
    MARK_OVERLAY = 4,      /* data: struct overlay */
    MARK_HAND_CLEANUP = 8, /* DEFER or DECLARATOR whose clean-up is lowered: data of the decl */
    MARK_IN_STMT_EXPR = 16,
    MARK_LITERAL_OBJECT =
        32 /* COMPOUND_LITERAL that became an object of the frame: data: its ast_decl */
};

/* How an expression that has been evaluated already is read. */
struct replacement {
    ast_decl *temp;     /* reads this temporary; NULL: nothing is left of it, print `(void)0` */
    const char *suffix; /* ".v", ".result", or "" */
    bool deref;         /* the temporary holds the address of the lvalue */
};

/* ---- items: what an overlay does before the rest of its statement --------------------------- */

enum item_kind {
    ITEM_EVAL,        /* expr; */
    ITEM_SET,         /* temp = expr; */
    ITEM_SET_ADDRESS, /* temp = &expr; */
    ITEM_SET_BOOL,    /* temp = !!(expr); */
    ITEM_SET_CONST,   /* temp = number; */
    ITEM_SET_FIELD,   /* temp.field = expr; */
    ITEM_AWAIT,       /* the await `point` */
    ITEM_IF,          /* if (expr) { first } else { second } */
    ITEM_BLOCK,       /* { stmt } : a statement expression's block, with its own overlays */
    ITEM_DECLARE,     /* declares declarator `expr` without its initialiser */
    ITEM_INIT,        /* initialises declarator `expr` */
    ITEM_SCOPE_START  /* temp = aw_scope_start(...) of the scope spawn `point` */
};

struct item;
struct item_list {
    struct item **at;
    size_t count, capacity;
};

struct item {
    enum item_kind kind;
    ast_node *expr;
    ast_decl *temp;
    const char *field;
    long number;
    bool negate; /* IF: if (!(expr)) */
    struct point *point;
    struct item_list first, second;
};

/* A growable list of operands. */
struct ast_operands {
    ast_node **at;
    size_t count, capacity;
};

struct overlay {
    struct item_list items;  /* before what is left of the statement */
    struct item_list second; /* FOR: of the increment */
    VEC(ast_decl *) temps;   /* declared in front of the items */
    VEC(ast_decl *) second_temps;
    uint32_t continue_label; /* loops: continue goes to this label; 0: an ordinary continue */
    bool gone;               /* nothing but the items is left of the statement */
    bool bare;               /* the items are printed without braces (declarations) */
};

/* ---- awaits -------------------------------------------------------------------------------- */

enum point_kind {
    POINT_CALL,
    POINT_GROUP,       /* aw_all, aw_try_all, aw_race, aw_timeout */
    POINT_POOL,        /* aw_blocking, aw_compute */
    POINT_SCOPE_ENTER, /* the waiting half of aw_scope_spawn */
    POINT_SCOPE_LEAVE  /* the implicit clean-up of an aw_scope */
};

/* A call of an async function, as an await, a group, a spawn makes it. */
struct call {
    ast_node *node;                        /* AST_CALL */
    const struct clang_function *function; /* NULL: through a pointer */
    type_id type;                          /* the function's type */
    type_id result;                        /* unqualified; void too */
    struct lowering *measured;             /* its own lowering, if its frame is known here */
};

struct branch {
    ast_node *target; /* the lvalue that gets the result, or NULL */
    struct call call;
    ast_node *form; /* aw_sleep of a timeout: milliseconds expression, else NULL */
};

struct point {
    enum point_kind kind;
    uint32_t number;   /* 1, 2, ... in source order: the state; 0: never suspends */
    const char *state; /* its name: "copy__READ" */
    ast_node *node;    /* AST_AWAIT, or the DECLARATOR of a scope */
    struct call call;
    ast_decl *result; /* temporary that gets the result, or NULL */
    uint8_t form;     /* GROUP, POOL: enum ast_form */
    struct branch *branches;
    uint32_t branch_count;
    bool takes_late;        /* GROUP: late results are assigned also when it is cancelled */
    ast_decl *milliseconds; /* TIMEOUT: the temporary with the time */
    ast_decl *job;          /* POOL: the job's temporary */
    uint32_t job_number;
    ast_decl *scope;         /* SCOPE_ENTER: the temporary with the scope's address */
    struct spawn *spawn;     /* SCOPE_ENTER */
    struct cleanup *cleanup; /* innermost clean-up active here, or NULL */
    bool in_cleanup;         /* POINT_SCOPE_LEAVE: runs on the way out */
};

/* A spawn site: spawn, aw_spawn_on, aw_scope_spawn, aw_block_on, aw_runtime_block_on. */
struct spawn {
    uint32_t number;
    uint8_t form;
    ast_node *node;
    struct call call;
    ast_node *runtime; /* first argument of the _on forms, or NULL */
    bool is_discarded; /* its value is not used: detached */
    ast_decl **args;   /* SCOPE_SPAWN: temporaries with the arguments, per argument, or NULL */
};

/* ---- clean-ups ----------------------------------------------------------------------------- */

/* A way out of the scope of clean-ups. */
enum exit_kind { EXIT_RETURN, EXIT_CANCEL, EXIT_GOTO, EXIT_BREAK, EXIT_CONTINUE };

struct way_out {
    enum exit_kind kind;
    uint32_t number; /* value of aw__why */
    ast_decl *label; /* GOTO */
    ast_node *loop;  /* BREAK, CONTINUE: the loop or switch */
};

/* A variable with cleanup(), an aw_scope, or a defer, whose scope holds an await. */
struct cleanup {
    uint32_t number;
    ast_node *node;             /* DEFER, or the DECLARATOR */
    ast_decl *decl;             /* the variable, or NULL */
    ast_node *block;            /* the COMPOUND that it belongs to (or FOR) */
    uint32_t from, to;          /* tokens between which it is active */
    struct cleanup *outer;      /* active when this one is reached, in this or an outer block */
    bool is_scope;              /* an aw_scope */
    struct point *leave;        /* of an aw_scope */
    VEC(struct way_out *) ways; /* that pass through this clean-up */
};

/* ---- what the diagrams ask ------------------------------------------------------------------ */

/* Where a block of the AIR comes from; filled by build_air, read by state_export.c only. */
enum block_note_kind {
    NOTE_IF,
    NOTE_LOOP_CONDITION,
    NOTE_LOOP_HEAD,
    NOTE_SWITCH,
    NOTE_ITEM_IF,
    NOTE_CLEANUP,          /* the block starts the clean-up */
    NOTE_CLEANUP_DISPATCH, /* the block's branch ends it */
    NOTE_WAY_OUT
};

struct block_note {
    enum block_note_kind kind;
    uint32_t block;
    const ast_node *node;          /* the statement */
    const ast_node *const *cases;  /* SWITCH: [target]; NULL at the end: no case */
    const struct item *item;       /* ITEM_IF */
    const struct cleanup *cleanup; /* CLEANUP, CLEANUP_DISPATCH */
    const struct way_out *way;     /* WAY_OUT */
};

/* ---- one function -------------------------------------------------------------------------- */

struct local_plan {
    enum local_place place;
    const char *field;  /* name in the frame, when spilled or resident */
    bool is_bytes;      /* the field is raw bytes, since its type has no name at file scope */
    const char *c_name; /* the C local's name where the user's would be hidden at an await; NULL */
    const char *typedef_name; /* resident and is_bytes: the block-scope typedef of its type */
};

/* A typedef or tag of file scope that a declaration of the function hides: see hidden_types.c. */
struct hidden_type {
    strview name;
    bool is_tag;
    const char *type, *alias; /* "struct pair", "f__tag_pair" */
};

/* A type of the unit that is spelled otherwise meanwhile, and its own spelling. */
struct respelled {
    type_id id;
    const char *before, *after;
};

struct unit;

typedef struct lowering {
    struct unit *unit;
    arena *mem;
    ast_function *fn;
    const struct region *region;
    const struct clang_function *known; /* of clang_unit */
    bool is_async, is_main;
    bool has_label_addresses;
    bool failed;      /* an error was reported: not lowered further */
    const char *name; /* NUL-terminated */

    VEC(ast_decl *) locals; /* everything with an AIR local: parameters, variables, temporaries */
    VEC(struct point *) points;
    VEC(struct spawn *) spawns;
    VEC(ast_node *) gotos; /* AST_GOTO, where there are several labels: skipped_declarations.c */
    VEC(struct cleanup *) cleanups;
    VEC(struct way_out *) ways;
    uint32_t temp_count, label_count, job_count, literal_count;
    struct overlay *overlay; /* the one that new temporaries belong to */
    struct item_list *into;  /* where new items go */
    bool into_second;
    uint8_t *taken; /* [decl id]: its address is taken somewhere */

    air_func *air;
    struct across_await *across;
    struct frame_layout *layout;
    struct local_plan *plan;   /* [local] */
    bool needs_entry;          /* called by others than through __poll: see entries.c */
    bool is_unused;            /* inline, and nothing needs it: see unused_inline.c */
    bool keeps_to_room;        /* nothing that it awaits uses more room than its need says */
    bool is_over_aligned;      /* a local has an alignment of its own */
    uint32_t tail_slot;        /* slot behind the child's room, or AIR_NONE: see find_tail_slot */
    bool never_suspends;       /* it has no await that can: see flatten_await */
    VEC(struct point *) calls; /* awaits of functions that never suspend: plain calls */
    bool stores_why;           /* aw__why and aw__result live in the frame */
    uint32_t signature;        /* number of its signature in the unit */
    bool is_emitted;           /* its text precedes what comes now */
    VEC(struct hidden_type) hidden_types;
    VEC(struct respelled) respelled;
    VEC(struct block_note) notes;
    struct machine *machine; /* what state_export made of it; NULL */
} lowering;

/* One translation unit. */
/* What functions of the same type share. */
struct signature {
    const char *key;      /* the type of their state machines */
    uint32_t entry_count; /* functions with a way in for callers that do not know the frame */
};

struct unit {
    arena *mem;
    const expanded *source;
    const struct rewrite_map *map; /* NULL: `source` is the given one; see rewrite.h */
    const char **fronts; /* [given region]: what was moved to in front of it, or NULL; or NULL */
    const struct lower_options *options;
    diag_sink *sink;
    clang_unit *clang;
    type_table *types;
    lowering **functions; /* one a region */
    uint32_t function_count;
    word_set parted_words; /* see reserved_names.c; only if has_parted_words */
    bool has_parted_words;
    bool packs;    /* a pragma packs records */
    bool has_weak; /* the word `weak` occurs: external functions may be replaced at link time */
    VEC(struct signature) signatures; /* emitted so far: see emit_signature.c */
};

/* ---- shared helpers (lowering.c) ----------------------------------------------------------- */

void item_push(lowering *l, struct item_list *list, struct item *item);
struct item *item_new(lowering *l, enum item_kind kind, ast_node *expr);
/* Adds an item to where items go now. */
struct item *item_add(lowering *l, enum item_kind kind, ast_node *expr);

/* A new temporary of this (unqualified) type, declared by the current overlay. */
ast_decl *temp_new(lowering *l, type_id type);
bool decl_is_temp(const ast_decl *d);

/* Strips PAREN and plain __extension__. */
ast_node *ast_strip(ast_node *n);
/* How often the text has the name as a word, comments included. */
uint32_t count_words(strview text, strview name);
/* The next word or other single character of a text from byte *at on, behind comments and literals;
 * *at: behind it. Empty at `end`. */
strview next_piece(strview text, uint32_t *at, uint32_t end);
/* Where a byte of the unit's buffer comes from. */
struct diag_place unit_place(const struct unit *u, uint32_t offset);
/* The same without its column, which costs more than the rest. */
struct diag_place unit_line(const struct unit *u, uint32_t offset);
uint32_t lower_line(const lowering *l, uint32_t token);
struct diag_place lower_place(const lowering *l, uint32_t token);
void lower_error(lowering *l, enum diag_id id, const ast_node *at, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* The lowering of the region that defines this function, or NULL. */
lowering *unit_find(struct unit *u, strview name);
/* Fills in a call from its AST_CALL; false if it is no async call. */
bool call_describe(lowering *l, ast_node *node, struct call *out);
const struct type *type_of(const lowering *l, type_id id);
/* The type an expression's value has at its place: converted, decayed, unqualified. */
type_id value_type(lowering *l, const ast_node *e);
/* A node's full name of enum ast_op for an AST_FORM. */
bool is_form(const ast_node *n, enum ast_form form);
/* Interns a record type that the tool itself emits ("struct f__job1"). */
type_id type_make_record(type_table *types, const char *before, uint64_t size, uint64_t align);
/* "_Alignas(64) ", or an aligned attribute, that the declaration itself has; "". */
const char *own_alignment(const lowering *l, const ast_decl *d);
/* The token where a declarator ends, and `= value` begins if it has one. */
uint32_t declarator_end(const lowering *l, const ast_node *declarator);
/* The bound that makes a parameter a pointer: of `double a[n][m]`, also of `double (a)[n]`; or
 * NULL. */
const ast_node *first_bound(const lowering *l, const ast_node *declarator);
/* "int ", "char *": the type's spelling; "" where it has none. */
const char *declare_text(const lowering *l, type_id type);
/* The pointer type to `elem`, or TYPE_NONE if elem cannot be named. */
type_id type_make_pointer(lowering *l, type_id elem);

/* ---- effects.c ----------------------------------------------------------------------------- */

struct effects {
    bool reads_memory, has_effect;
    uint64_t reads, writes; /* locals whose address is never taken: bit = id % 64 */
};
/* What evaluating (what is left of) this expression does. */
struct effects effects_of(lowering *l, const ast_node *e);
/* Must a be evaluated before b for the result to be the same as in left-to-right order? */
bool effects_conflict(struct effects a, struct effects b);
/* Does an assignment's right side have to be complete before its left side is looked at? */
bool assign_conflict(lowering *l, const ast_node *assign);
/* Marks the locals whose address is taken. */
void effects_prepare(lowering *l);
/* The bound of a parameter that is written as an array, `int a[i++]`, if it has effects, which
 * happen when the function starts; else NULL. */
ast_node *param_bound(lowering *l, uint32_t param);
/* Does the expression hold an await, or operands whose order matters and C leaves open? */
bool needs_flatten(lowering *l, const ast_node *e);

/* ---- passes -------------------------------------------------------------------------------- */

/* Spells hidden types by their second names, from here to hidden_types_end; again for types that
 * have come up since. */
void hidden_types_begin(lowering *l);
void hidden_types_end(lowering *l);
/* Decides each _Generic that holds an await; the arms not chosen become unevaluated. */
void choose_generics(lowering *l, ast_node *n);
/* Reports everything in the function that the contract forbids. */
void check_contract(lowering *l);
/* Sets needs_entry of every function. */
void find_entries(struct unit *u);
/* Reports names of the user's that the lowered function takes for itself, and those that its states
 * take. */
void check_reserved_names(lowering *l);
void check_state_names(lowering *l);
/* Collects the function's gotos, for the question behind this. */
void find_skipping_gotos(lowering *l);
/* Can the variable have a value in front of its declaration, and behind it without passing it? */
bool declaration_is_skipped(const lowering *l, const ast_decl *d);
/* Sets is_unused of every function. */
void find_unused_inline(struct unit *u);
/* What only the whole unit shows: several definitions, declarations that disagree. */
void check_unit(struct unit *u);
/* After the analyses: reports what would have to survive an await and cannot. */
void check_storable(lowering *l);
/* Reports an await in a statement that OpenMP runs. */
void check_openmp_await(lowering *l, const ast_node *await);
/* Does a pragma of OpenMP name the local? */
bool openmp_names(const lowering *l, const ast_decl *d);
/* After the frame's plan: reports locals that live in it and that a pragma of OpenMP names. */
void check_openmp_names(lowering *l);
/* Marks MARK_AWAIT upwards. */
void mark_awaits(lowering *l);
/* Finds the clean-ups whose scope holds an await, and numbers the ways out. */
void find_cleanups(lowering *l);
/* The innermost clean-up active at a token, or NULL. */
struct cleanup *cleanup_at(const lowering *l, uint32_t token);
/* The way out that leaving through clean-ups from here takes; NULL: no clean-up is left by it. */
struct way_out *way_out_for(lowering *l, const ast_node *jump);
void flatten_awaits(lowering *l);
void flatten_statement(lowering *l, ast_node *s);
void build_air(lowering *l);
/* Compound literals whose address may outlive their statement become objects of the frame. */
void find_literal_objects(lowering *l);

/* flatten_expr.c */
void flatten_value(lowering *l, ast_node *e);
void flatten_lvalue(lowering *l, ast_node *e);
void flatten_discard(lowering *l, ast_node *e);
void capture(lowering *l, ast_node *e);
void capture_as(lowering *l, ast_node *e, type_id type);
void capture_address(lowering *l, ast_node *e);
void flatten_operands(lowering *l, ast_node **operands, uint32_t count);
struct point *point_new(lowering *l, enum point_kind kind, ast_node *node);
void replace_with(lowering *l, ast_node *e, ast_decl *temp, const char *suffix);

/* forms/ */
void form_flatten_await(lowering *l, ast_node *await, ast_node *form, bool discard);
void form_flatten_plain(lowering *l, ast_node *form);
struct spawn *spawn_find(lowering *l, const ast_node *form);
/* Reports arguments that the form cannot run. */
void form_check_operands(lowering *l, ast_node *form);
/* Reports the form at this byte of the buffer if its number of arguments is wrong; true if it is.
 * For a tree without types. */
bool form_check_count(struct unit *u, const ast_function *fn, const ast_node *n, uint32_t offset);

#endif
