/* SPDX-License-Identifier: MIT */
/*
 * How is a type asked, and how is a declaration of it written? The table itself is filled by the
 * parser adaptor (or by a reader of test input); here are only questions.
 */
#include "analyzer/ir/types.h"

#include <string.h>

bool type_is_scalar(const type_table *table, type_id id)
{
    switch (type_get(table, id)->cls) {
    case TYPE_BOOL:
    case TYPE_INT:
    case TYPE_ENUM:
    case TYPE_FLOAT:
    case TYPE_COMPLEX:
    case TYPE_POINTER:
    case TYPE_NULLPTR:
        return true;
    case TYPE_UNKNOWN:
    case TYPE_VOID:
    case TYPE_ARRAY:
    case TYPE_FUNCTION:
    case TYPE_RECORD:
    case TYPE_VECTOR:
    case TYPE_ATOMIC:
        break;
    }
    return false;
}

const char *type_declare(const type_table *table, arena *mem, type_id id, const char *name)
{
    const struct type *t = type_get(table, type_get(table, id)->unqualified);
    if (!t->is_nameable)
        return NULL;
    size_t len = strlen(t->before);
    if (name[0] == '\0' && len > 0 && t->before[len - 1] == ' ')
        len--;
    return arena_printf(mem, "%.*s%s%s", (int)len, t->before, name, t->after);
}
