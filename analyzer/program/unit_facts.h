/* SPDX-License-Identifier: MIT */
/*
 * What must be known of one source to judge a whole program? Its functions, what each calls with
 * which arguments, what is stored where, and the candidates that the checks found in it. Written as
 * a facts file (facts_io.h), read back, and joined with those of other sources (program.h); the
 * source is not needed again.
 *
 *     static void on_input(int fd, void *arg) { struct c *c = arg; recv(fd, c->buf, 9, 0); }
 *
 *     function on_input
 *     call     recv   run here   arguments: parameter 0, key "c.buf", number 9, number 0
 *
 * Values are what can be told without running: a number, a parameter of the function, a result of a
 * call, a *key* for a thing that others can see ("record.field", "g:name" for a global, "l:f.name"
 * for a local of f).
 */
#ifndef AWAITC_PROGRAM_UNIT_FACTS_H
#define AWAITC_PROGRAM_UNIT_FACTS_H

#include "analyzer/base/vec.h"
#include "analyzer/report/finding.h"

enum value_kind {
    VALUE_UNKNOWN,
    VALUE_NUMBER,
    VALUE_STRING,   /* a literal; text: without quotes */
    VALUE_PARAM,    /* number: which parameter of the function; its value there is the caller's */
    VALUE_KEY,      /* text */
    VALUE_ADDRESS,  /* of what key text names */
    VALUE_FUNCTION, /* text: a function's name */
    VALUE_RESULT,   /* number: index of the call, in the same function, whose result it is */
    VALUE_ZEROS,    /* the address of a structure of zeros */
    VALUE_FLAGS,    /* number: flags that it surely holds, others may be set, too */
    VALUE_CHOICE    /* number: a parameter; `with` where that is not 0, `otherwise` where it is */
};

struct value {
    enum value_kind kind;
    int64_t number;
    int64_t with;      /* PARAM: flags that are or'ed to it; CHOICE */
    int64_t otherwise; /* CHOICE */
    const char *text;  /* NULL unless the kind says; of NUMBER: how it is spelled, or NULL */
    const char *key;   /* a key under which others may know it as well (a local of its own); NULL */
    const char *record; /* of ADDRESS: the tag of the record that stands there; NULL */
};

/* Where a call's callee comes from. */
enum callee_kind {
    CALLEE_NAME,  /* text: the function's name */
    CALLEE_KEY,   /* a pointer in the thing of this key */
    CALLEE_PARAM, /* a pointer that is parameter `number` */
    CALLEE_UNKNOWN
};

/* Who runs the call? */
enum call_run {
    RUN_HERE,    /* the thread that runs the function */
    RUN_AWAITED, /* an async call that is awaited, also as a branch of a form */
    RUN_STARTED, /* an async call that is not awaited: spawned, driven by aw_block_on, forgotten */
    RUN_POOL,    /* inside aw_blocking */
    RUN_COMPUTE, /* inside aw_compute */
    RUN_DRIVEN   /* inside aw_block_on: the thread waits for it */
};

/* A call is only made where this holds of a parameter that never changes. */
struct fact_condition {
    uint32_t param;
    bool equal; /* to `number`; otherwise: not equal */
    int64_t number;
    const char *record; /* the parameter points to a record of this tag; NULL: see `number` */
};

struct fact_call {
    enum callee_kind callee_kind;
    int64_t callee_param;
    const char *callee; /* name or key; NULL: not known */
    enum call_run run;
    bool is_async;
    bool result_unused;
    bool is_last; /* behind it the program or thread ends: it is on the way to a fatal error */
    uint32_t open_loop; /* 1 + the number of the endless loop of the function that repeats it */
    bool wants_all;     /* a loop repeats it until its whole size is done, and knows no EAGAIN */
    struct diag_place place;
    uint32_t end_column;
    uint32_t begin, end;     /* bytes of the call in the source, for fixes; both 0: not known */
    const char *source_text; /* all of it, if `end` is known and it is short enough to be moved */
    bool needs_parens;       /* an await in its place would bind to less than the call does */
    VEC(struct value) args;
    VEC(struct fact_condition) when;
    VEC(const char *) held;     /* keys of the thread locks that are surely held */
    VEC(const char *) released; /* ... of those that the function may have given back before */
};

/* A store that others can see: field or global = value. */
struct fact_store {
    const char *key;
    struct value value;
    uint32_t function; /* index of the function; UINT32_MAX: a static initialiser */
    struct diag_place place;
};

struct fact_function {
    const char *name;
    const char *file; /* where its definition stands */
    struct diag_place place;
    bool is_static, is_async, is_async_keyword, is_defined;
    bool in_header;  /* may be in the facts of several sources */
    unsigned stated; /* enum sema_stated */
    uint32_t param_count;
    VEC(struct fact_call) calls;
    VEC(struct value) returns;
};

/* What must hold for a candidate to count. */
enum candidate_needs {
    NEEDS_NOTHING = 0,
    NEEDS_LOOP = 1,       /* it runs on a loop or in a task */
    NEEDS_NO_ADDRESS = 2, /* nobody takes its address */
    NEEDS_NEAR_LOOP = 4   /* it is a callback or async itself, or only such functions call it */
};

/* A finding of one source that the whole program may still drop. */
struct candidate {
    struct finding finding;
    unsigned needs;          /* bits of enum candidate_needs, of the function in finding.function */
    const char *needs_of;    /* its name; NULL */
    const char *needs_mark;  /* counts only if some source has this mark; NULL */
    const char *unless_mark; /* ... if none has this one; NULL */
};

struct unit_facts {
    arena *mem;
    const char *path; /* of the source */
    bool is_strict;   /* its calls that are short on a good day count, too; whoever joins sets it */
    uint32_t number;  /* of the unit in its program, which sets it */
    VEC(struct fact_function) functions;
    VEC(struct fact_store) stores;
    VEC(const char *)
    marks;                       /* what checks tell each other about things that sources share:
                                    "spans conn.lock"; a word for the check, and a key or name */
    VEC(const char *) addresses; /* functions that are used other than by calling them */
    VEC(struct candidate *) candidates;
    VEC(const char *) suppressions; /* lines of suppress.h */
    VEC(const char *) dependencies; /* files that the source includes, itself first */
};

#endif
