/* SPDX-License-Identifier: MIT */
/* Members keep the order in which they were put, so that the bytes do not depend on a hash. */
#include "analyzer/report/json_build.h"

#include "analyzer/base/check.h"
#include "analyzer/base/utf8.h"

void json_put_view(const struct render_context *cx, json_t *object, const char *key, strview text)
{
    strview clean = utf8_clean(cx->mem, text);
    AWC_ASSERT(json_object_set_new(object, key, json_stringn(clean.at, clean.len)) == 0);
}

void json_put_text(const struct render_context *cx, json_t *object, const char *key,
                   const char *text)
{
    if (text != NULL)
        json_put_view(cx, object, key, sv_from(text));
}

void json_put_number(json_t *object, const char *key, uint64_t number)
{
    AWC_ASSERT(json_object_set_new(object, key, json_integer((json_int_t)number)) == 0);
}

void json_put_nonzero(json_t *object, const char *key, uint64_t number)
{
    if (number != 0)
        json_put_number(object, key, number);
}

json_t *json_put_object(json_t *object, const char *key)
{
    json_t *value = json_object();
    AWC_ASSERT(json_object_set_new(object, key, value) == 0);
    return value;
}

json_t *json_put_array(json_t *object, const char *key)
{
    json_t *value = json_array();
    AWC_ASSERT(json_object_set_new(object, key, value) == 0);
    return value;
}

json_t *json_append_object(json_t *array)
{
    json_t *value = json_object();
    AWC_ASSERT(json_array_append_new(array, value) == 0);
    return value;
}

void json_write(FILE *to, json_t *value)
{
    json_dumpf(value, to, JSON_INDENT(1));
    fputc('\n', to);
    json_decref(value);
}
