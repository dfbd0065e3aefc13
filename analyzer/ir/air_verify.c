/* SPDX-License-Identifier: MIT */
/*
 * Does a function keep the invariants of air.h? One walk over scopes, locals and blocks that stops
 * at the first fault and says what it is and where, in words that can be found in the text form.
 */
#include "analyzer/ir/air.h"

#include <inttypes.h>

#include "analyzer/base/bitset.h"

/* The order of air_ops.def: terminators last. */
bool air_op_is_terminator(enum air_op_kind kind)
{
    return kind >= AIR_GOTO && kind < AIR_OP_COUNT;
}

static bool op_has_local(enum air_op_kind kind)
{
    return kind < AIR_AWAIT;
}

/* ---- scopes and locals ---------------------------------------------------------------------- */

/* Follows parents from each scope and marks the way with the scope it started from; a way that
 * meets its own mark is a cycle, one that meets another's ends where that one did. */
static const char *verify_scopes(const air_func *fn, arena *mem)
{
    uint32_t count = (uint32_t)fn->scopes.count;
    uint32_t *mark = ARENA_ARRAY(mem, uint32_t, count); /* start + 1; 0: not visited */
    for (uint32_t start = 0; start < count; start++) {
        uint32_t s = start;
        while (s != AIR_NONE && mark[s] == 0) {
            mark[s] = start + 1;
            uint32_t parent = fn->scopes.at[s].parent;
            if (parent != AIR_NONE && parent >= count)
                return arena_printf(mem, "scope %" PRIu32 ": its parent %" PRIu32 " does not exist",
                                    s, parent);
            s = parent;
        }
        if (s != AIR_NONE && mark[s] == start + 1)
            return arena_printf(mem, "scope %" PRIu32 ": lies in itself", s);
    }
    return NULL;
}

static const char *verify_locals(const air_func *fn, arena *mem)
{
    for (uint32_t i = 0; i < fn->locals.count; i++) {
        const struct air_local *local = &fn->locals.at[i];
        uint64_t align = local->align_bytes;
        if (local->scope >= fn->scopes.count)
            return arena_printf(mem, "local %" PRIu32 ": its scope %" PRIu32 " does not exist", i,
                                local->scope);
        if (align == 0 || (align & (align - 1)) != 0)
            return arena_printf(
                mem, "local %" PRIu32 ": its alignment %" PRIu64 " is no power of two", i, align);
        if (local->is_scalar && local->size_bytes == 0)
            return arena_printf(mem, "local %" PRIu32 ": a scalar without size", i);
    }
    return NULL;
}

/* ---- ops ------------------------------------------------------------------------------------ */

/* What is wrong with a jump to `target`, or NULL. */
static const char *target_fault(const air_func *fn, uint32_t target)
{
    if (target >= fn->blocks.count)
        return "which does not exist";
    return target == 0 ? "the entry, which may have no predecessor" : NULL;
}

/* `seen` has the awaits so far. */
static const char *verify_await(const air_func *fn, arena *mem, const struct air_op *op,
                                bitset *seen)
{
    if (op->await == 0 || op->await > fn->await_count)
        return arena_printf(mem, "await %" PRIu32 " of %" PRIu32, op->await, fn->await_count);
    if (bitset_has(seen, op->await - 1))
        return arena_printf(mem, "there is another await %" PRIu32, op->await);
    bitset_add(seen, op->await - 1);
    for (uint32_t i = 0; i < op->hold_count; i++) {
        if (op->holds[i] >= fn->locals.count)
            return arena_printf(mem, "holds local %" PRIu32 ", which does not exist", op->holds[i]);
    }
    const char *fault = op->cancel == AIR_NONE ? NULL : target_fault(fn, op->cancel);
    if (fault != NULL)
        return arena_printf(mem, "cancel goes to block %" PRIu32 ", %s", op->cancel, fault);
    return NULL;
}

static const char *verify_terminator(const air_func *fn, arena *mem, const struct air_op *op)
{
    if (op->kind == AIR_GOTO && op->target_count != 1)
        return "a goto has one target";
    if (op->kind == AIR_BRANCH && op->target_count == 0)
        return "a branch has a target";
    if (op->kind != AIR_GOTO && op->kind != AIR_BRANCH && op->target_count != 0)
        return "has a target but goes nowhere";
    for (uint32_t i = 0; i < op->target_count; i++) {
        const char *fault = target_fault(fn, op->targets[i]);
        if (fault != NULL)
            return arena_printf(mem, "goes to block %" PRIu32 ", %s", op->targets[i], fault);
    }
    return NULL;
}

static const char *verify_op(const air_func *fn, arena *mem, const struct air_op *op, bool is_last)
{
    if ((unsigned)op->kind >= AIR_OP_COUNT)
        return "is no op";
    if (air_op_is_terminator(op->kind) != is_last)
        return is_last ? "the last op must be a terminator" : "a terminator before the last op";
    if (op_has_local(op->kind) && op->local >= fn->locals.count)
        return arena_printf(mem, "local %" PRIu32 " does not exist", op->local);
    return is_last ? verify_terminator(fn, mem, op) : NULL;
}

static const char *verify_block(const air_func *fn, arena *mem, uint32_t block, bitset *awaits)
{
    size_t count = fn->blocks.at[block].ops.count;
    if (count == 0)
        return arena_printf(mem, "block %" PRIu32 ": has no ops", block);
    for (size_t i = 0; i < count; i++) {
        const struct air_op *op = &fn->blocks.at[block].ops.at[i];
        const char *fault = verify_op(fn, mem, op, i + 1 == count);
        if (fault == NULL && op->kind == AIR_AWAIT)
            fault = verify_await(fn, mem, op, awaits);
        if (fault != NULL)
            return arena_printf(mem, "block %" PRIu32 ", op %zu: %s", block, i, fault);
    }
    return NULL;
}

const char *air_verify(const air_func *fn, arena *mem)
{
    const char *fault = verify_scopes(fn, mem);
    if (fault == NULL)
        fault = verify_locals(fn, mem);
    if (fault == NULL && fn->blocks.count == 0)
        fault = "there is no block";
    bitset awaits = bitset_new(mem, fn->await_count);
    for (uint32_t b = 0; fault == NULL && b < fn->blocks.count; b++)
        fault = verify_block(fn, mem, b, &awaits);
    if (fault == NULL && bitset_count(&awaits) != fn->await_count)
        fault = arena_printf(mem, "%" PRIu32 " awaits, but await_count is %" PRIu32,
                             bitset_count(&awaits), fn->await_count);
    return fault;
}
