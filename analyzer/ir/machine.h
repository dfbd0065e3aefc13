/* SPDX-License-Identifier: MIT */
/*
 * What has the lowering decided about a function? The numbers of its states, where each local lies
 * in the frame, the clean-ups and the ways out, what the branches of its AIR ask: everything that
 * a diagram draws, taken from what was emitted, so that no picture is a second opinion. Filled by
 * transforms, read by analyzer/diagram, which share no other header.
 *
 *     AIR block 3 --branch--> 4, 5     branches[3]: condition "n <= 0", asked by an `if`
 *     AIR await 2                      states[1]: "copy__WRITE_ALL", its text, its room
 *
 * All of it is read-only, and lives in the arena of the lowering. Nothing here refers to a parser.
 */
#ifndef AWAITC_IR_MACHINE_H
#define AWAITC_IR_MACHINE_H

#include "analyzer/base/bitset.h"
#include "analyzer/diag/diag.h"
#include "analyzer/ir/air.h"

/* A piece of the source: its text after the preprocessor, and where it stands. A reader that has
 * the file shows what the user wrote; within a macro `begin` and `end` are the same place. */
struct machine_text {
    strview text;
    struct diag_place begin, end; /* end: where what follows begins */
};

enum machine_call_kind { MACHINE_STATIC, MACHINE_EXTERN, MACHINE_LEAF, MACHINE_POINTER };

/* A call of an async function. */
struct machine_call {
    enum machine_call_kind kind;
    strview callee;      /* its name; through a pointer: the expression */
    uint64_t need_bytes; /* room that the caller sets aside for it */
    bool is_measured;    /* need_bytes holds all that it and its children need */
    struct diag_place place;
};

enum machine_state_kind {
    MACHINE_CALL,
    MACHINE_GROUP,       /* aw_all, aw_try_all, aw_race, aw_timeout */
    MACHINE_POOL,        /* aw_blocking, aw_compute */
    MACHINE_SCOPE_ENTER, /* aw_scope_spawn, while the scope is full */
    MACHINE_SCOPE_LEAVE  /* the implicit clean-up of an aw_scope */
};

/* One await: its number is that of the AIR op, and of the emitted switch. */
struct machine_state {
    enum machine_state_kind kind;
    uint32_t number;            /* 0: never suspends, a plain call */
    const char *name;           /* "copy__READ" */
    const char *form;           /* "aw_race"; NULL: an ordinary call */
    struct machine_text text;   /* the await with its operand */
    struct machine_call *calls; /* the call; the branches of a group; none */
    uint32_t call_count;
    uint64_t room_bytes;  /* behind the frame, for all that it runs */
    uint32_t scope;       /* index into scopes, or AIR_NONE */
    uint32_t cancel_way;  /* number of the way a cancel takes; 0: there are no clean-ups */
    const bitset *keeps;  /* locals that survive it */
    const bitset *reload; /* of those, the ones read after it */
    const uint8_t *why;   /* [local]: enum across_reason bits */
};

enum machine_cleanup_kind { MACHINE_DEFER, MACHINE_VARIABLE, MACHINE_SCOPE };

/* What runs when its block is left. */
struct machine_cleanup {
    enum machine_cleanup_kind kind;
    struct machine_text text; /* the defer's body; the declaration */
    strview function;         /* VARIABLE: what is called */
    strview variable;         /* VARIABLE, SCOPE */
    uint32_t block;           /* AIR block that it starts with; AIR_NONE: nothing reaches it */
};

enum machine_way_kind {
    MACHINE_RETURN,
    MACHINE_CANCEL,
    MACHINE_GOTO,
    MACHINE_BREAK,
    MACHINE_CONTINUE
};

enum machine_branch_kind {
    MACHINE_PLAIN,    /* nothing is asked: both ways are possible */
    MACHINE_IF,       /* `if`; target 0: the condition holds */
    MACHINE_LOOP,     /* condition of a loop; target 0: once more */
    MACHINE_LAZY,     /* && || ?: with an await in an operand */
    MACHINE_SWITCH,   /* cases has the text of each target */
    MACHINE_DISPATCH, /* end of a clean-up; ways has the way of each target */
    MACHINE_WAY_OUT   /* a jump into clean-ups; ways[0] */
};

/* What the terminator of an AIR block decides. */
struct machine_branch {
    enum machine_branch_kind kind;
    struct machine_text condition;
    bool is_comparison;         /* of two operands that are ordered: its opposite is one, too */
    bool negate;                /* LAZY: target 0 is for a condition that does not hold */
    uint32_t settles;           /* LAZY: on target 1 the branch of this block is settled ... */
    uint32_t settled;           /* ... it goes to this target; settles AIR_NONE: none */
    struct machine_text *cases; /* [target]; an empty text is `default`, or no case at all */
    bool *is_default;           /* [target] */
    uint32_t *ways;             /* [target]: number of a way; 0: falls on */
};

enum machine_scope_kind {
    MACHINE_FOR,
    MACHINE_WHILE,
    MACHINE_DO,
    MACHINE_SWITCH_BODY,
    MACHINE_STMT_EXPR
};

/* A loop or a switch that holds an await. */
struct machine_scope {
    enum machine_scope_kind kind;
    struct machine_text head; /* "for (;;)"; DO: the condition */
    uint32_t first_line;
    uint32_t parent; /* index, or AIR_NONE */
    uint32_t block;  /* loops: AIR block that each round starts with */
    uint32_t last_line;
};

enum machine_spawn_kind { MACHINE_SPAWN, MACHINE_BLOCK_ON, MACHINE_SCOPE_SPAWN };

struct machine_spawn {
    enum machine_spawn_kind kind;
    struct machine_call call;
    struct machine_text text;
    bool is_detached;
};

/* A piece of the emitted frame that is no local: header, why and result of a way out, a child. */
struct machine_field {
    const char *name, *type;
    uint64_t offset_bytes, size_bytes, align_bytes;
};

/* A slot as emitted; several locals share it when they are never needed together. */
struct machine_slot {
    const uint32_t *locals;
    uint32_t local_count;
    uint64_t offset_bytes, size_bytes, align_bytes;
    bool is_behind_child;
};

/* One function of a unit. */
typedef struct machine {
    strview name;
    bool is_async, is_main, is_static, is_public; /* public: has an entry for callers elsewhere */
    bool is_made;                                 /* the tool made it: a form inside another one */
    struct diag_place place, end;
    struct machine_text signature; /* as declared: "static async int echo(int fd)" */
    const air_func *air;           /* NULL: a plain function that uses a form */

    struct machine_state *states; /* by number - 1 */
    uint32_t state_count;
    struct machine_state *plain_calls; /* awaits that never suspend */
    uint32_t plain_call_count;
    struct machine_spawn *spawns;
    uint32_t spawn_count;
    struct machine_cleanup *cleanups;
    uint32_t cleanup_count;
    enum machine_way_kind *ways; /* by number - 1 */
    uint32_t way_count;
    struct machine_scope *scopes; /* a parent before its children */
    uint32_t scope_count;
    const struct machine_branch *branches; /* [AIR block] */

    const uint32_t *slot_of;        /* [local]: index into slots; AIR_NONE: not in the frame */
    const bool *is_resident;        /* [local]: it lives in the frame all the time */
    const bool *is_made_temp;       /* [local]: the tool made it */
    const char *const *local_names; /* [local]: what the user calls it */
    struct machine_slot *slots;
    uint32_t slot_count;
    struct machine_field *fields; /* header first, the rest in order of offset */
    uint32_t field_count;
    uint64_t frame_bytes, frame_align_bytes; /* sizeof and alignof of the emitted struct */
    uint64_t child_bytes;                    /* room for the largest child */
    uint64_t need_bytes;                     /* the emitted f__need: frame and children */
    bool shares_slots;
    bool is_guessed; /* places are those of plain alignments, which the source may overrule */
} machine;

/* The functions of one source, in source order. */
typedef struct machine_list {
    machine *const *at;
    uint32_t count;
} machine_list;

#endif
