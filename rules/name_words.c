/* SPDX-License-Identifier: MIT */
/*
 * Each word is looked for at each place of the name where one may start.
 */
#include "rules/name_words.h"

#include <ctype.h>

static bool starts_word(strview name, size_t i)
{
    return i == 0 || name.at[i - 1] == '_' ||
           (isupper((unsigned char)name.at[i]) && !isupper((unsigned char)name.at[i - 1]));
}

static bool ends_word(strview name, size_t i)
{
    return i == name.len || name.at[i] == '_' || isupper((unsigned char)name.at[i]) ||
           isdigit((unsigned char)name.at[i]);
}

bool name_has_any(strview name, const char *const *words, size_t count)
{
    for (size_t w = 0; w < count; w++) {
        size_t len = strlen(words[w]);
        for (size_t i = 0; i + len <= name.len; i++) {
            bool equal = starts_word(name, i) && ends_word(name, i + len) &&
                         tolower((unsigned char)name.at[i]) == words[w][0] &&
                         memcmp(name.at + i + 1, words[w] + 1, len - 1) == 0;
            if (equal)
                return true;
        }
    }
    return false;
}
