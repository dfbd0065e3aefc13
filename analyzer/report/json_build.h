/* SPDX-License-Identifier: MIT */
/*
 * How do the JSON formats build their values? Small helpers over jansson: members without a value
 * are left out, texts are made valid UTF-8, and every helper hands its value on to the object.
 */
#ifndef AWAITC_REPORT_JSON_BUILD_H
#define AWAITC_REPORT_JSON_BUILD_H

#include <jansson.h>

#include "analyzer/report/render.h"

/* A member with this text; none if it is NULL. */
void json_put_text(const struct render_context *cx, json_t *object, const char *key,
                   const char *text);

/* As above, for text with a length, which may hold NUL bytes. */
void json_put_view(const struct render_context *cx, json_t *object, const char *key, strview text);

void json_put_number(json_t *object, const char *key, uint64_t number);

/* A member with this number; none if it is 0. */
void json_put_nonzero(json_t *object, const char *key, uint64_t number);

/* A new object, or array, as a member; borrowed from `object`. */
json_t *json_put_object(json_t *object, const char *key);
json_t *json_put_array(json_t *object, const char *key);

/* A new object at the end of an array; borrowed from it. */
json_t *json_append_object(json_t *array);

/* Writes the value indented, with a line end, and frees it. */
void json_write(FILE *to, json_t *value);

#endif
