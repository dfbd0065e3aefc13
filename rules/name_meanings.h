/* SPDX-License-Identifier: MIT */
/*
 * What does the name of a function that is not seen say that it does with its arguments? Words
 * between underscores, or at a change to upper case: conn_free, listAdd, g_object_ref. A guess,
 * used only where a wrong one makes a check silent.
 */
#ifndef AWAITC_RULES_NAME_MEANINGS_H
#define AWAITC_RULES_NAME_MEANINGS_H

#include <stdbool.h>

#include "analyzer/base/strview.h"

/* Lists of words, ended by NULL. */
extern const char *const name_words_of_releasing[]; /* free, close, unref, ... */
extern const char *const name_words_of_keeping[];   /* add, push, insert, register, ... */
extern const char *const name_words_of_holding[];   /* ref, get, hold, ... */
extern const char *const name_words_of_making[];    /* new, init, create, ... */
extern const char *const name_words_of_removing[];  /* del, remove, stop, cancel, ... */

extern const char *const name_words_of_waiting[]; /* join, wait, run, ... */

/* Has the name one of the words? */
bool name_tells(strview name, const char *const *words);

#endif
