/* SPDX-License-Identifier: MIT */
/* Is a type from the table asked and spelled rightly, whoever filled the table? */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analyzer/base/check.h"
#include "analyzer/ir/types.h"

static type_id add(type_table *table, struct type t)
{
    type_id id = (type_id)table->types.count;
    if (t.unqualified == TYPE_NONE)
        t.unqualified = id;
    VEC_PUSH(table->mem, &table->types, t);
    return id;
}

static type_table new_table(arena *mem)
{
    type_table table = {.mem = mem};
    add(&table, (struct type){.cls = TYPE_UNKNOWN});
    return table;
}

static void scalars_are_arithmetic_or_pointers(void **state)
{
    (void)state;
    static const struct {
        enum type_class cls;
        bool is_scalar;
    } cases[] = {
        {TYPE_UNKNOWN, false}, {TYPE_VOID, false},   {TYPE_BOOL, true},      {TYPE_INT, true},
        {TYPE_ENUM, true},     {TYPE_FLOAT, true},   {TYPE_COMPLEX, true},   {TYPE_POINTER, true},
        {TYPE_NULLPTR, true},  {TYPE_ARRAY, false},  {TYPE_FUNCTION, false}, {TYPE_RECORD, false},
        {TYPE_VECTOR, false},  {TYPE_ATOMIC, false},
    };
    arena *mem = arena_create();
    type_table table = new_table(mem);
    for (size_t i = 0; i < COUNTOF(cases); i++) {
        type_id id = add(&table, (struct type){.cls = cases[i].cls});
        assert_int_equal(type_is_scalar(&table, id), cases[i].is_scalar);
    }
    arena_destroy(&mem);
}

static void a_declaration_is_before_name_after(void **state)
{
    (void)state;
    arena *mem = arena_create();
    type_table table = new_table(mem);
    type_id plain = add(
        &table, (struct type){.cls = TYPE_INT, .is_nameable = true, .before = "int ", .after = ""});
    type_id pointer = add(&table, (struct type){.cls = TYPE_POINTER,
                                                .is_nameable = true,
                                                .elem = plain,
                                                .before = "int (*",
                                                .after = ")[3]"});
    assert_string_equal(type_declare(&table, mem, plain, "x"), "int x");
    assert_string_equal(type_declare(&table, mem, plain, ""), "int");
    assert_string_equal(type_declare(&table, mem, pointer, "x"), "int (*x)[3]");
    assert_string_equal(type_declare(&table, mem, pointer, ""), "int (*)[3]");
    arena_destroy(&mem);
}

static void a_declaration_drops_top_level_qualifiers(void **state)
{
    (void)state;
    arena *mem = arena_create();
    type_table table = new_table(mem);
    type_id plain = add(
        &table, (struct type){.cls = TYPE_INT, .is_nameable = true, .before = "int ", .after = ""});
    type_id constant = add(&table, (struct type){.cls = TYPE_INT,
                                                 .is_const = true,
                                                 .is_nameable = true,
                                                 .unqualified = plain,
                                                 .before = "const int ",
                                                 .after = ""});
    assert_string_equal(type_declare(&table, mem, constant, "x"), "int x");
    arena_destroy(&mem);
}

static void a_type_without_a_name_has_no_declaration(void **state)
{
    (void)state;
    arena *mem = arena_create();
    type_table table = new_table(mem);
    type_id local = add(&table, (struct type){.cls = TYPE_RECORD});
    assert_null(type_declare(&table, mem, local, "x"));
    assert_null(type_declare(&table, mem, TYPE_NONE, "x"));
    arena_destroy(&mem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scalars_are_arithmetic_or_pointers),
        cmocka_unit_test(a_declaration_is_before_name_after),
        cmocka_unit_test(a_declaration_drops_top_level_qualifiers),
        cmocka_unit_test(a_type_without_a_name_has_no_declaration),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
