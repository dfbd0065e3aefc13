/* SPDX-License-Identifier: MIT */
/*
 * How does an expanded unit become lowered C? The order of work of the whole lowering:
 *
 *     libclang parse -> per region: parse, annotate, check the contract -> flatten awaits ->
 *     AIR -> liveness, escape, across-await -> frame layout -> emit
 */
#ifndef AWAITC_TRANSFORMS_LOWER_H
#define AWAITC_TRANSFORMS_LOWER_H

#include "analyzer/diag/diag.h"
#include "analyzer/ir/machine.h"
#include "analyzer/parse/expand.h"

struct lower_options {
    const char *const *clang_args; /* for libclang: language, includes, defines, target */
    uint32_t clang_arg_count;
    bool share_slots;       /* false in debug builds: every local has a place of its own */
    bool line_directives;   /* #line in front of statements */
    bool traces;            /* the text reports each transition: aw_trace_enter, ... of abi.h */
    bool want_machines;     /* fill lowered.machines */
    bool keeps_unused;      /* inline functions that the unit does not use are written, too */
    const char *dump_after; /* a pass whose AIR goes to `dump`; NULL */
    FILE *dump;
};

struct lowered {
    strview prelude; /* goes before the first line of the file */
    strview *texts;  /* one a region */
    machine_list machines;
};

/*
 * Lowers every region of `unit`. All errors of the unit are reported to `sink`; false if there was
 * any (then *out is not set).
 */
bool lower_unit(arena *mem, const expanded *unit, const struct lower_options *options,
                diag_sink *sink, struct lowered *out);

#endif
