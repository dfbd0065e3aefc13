/* SPDX-License-Identifier: MIT */
/*
 * What does a declaration say of its parameters besides their types? AW_NOESCAPE, found in the
 * tokens of the declaration.
 */
#include "analyzer/sema/sema_private.h"

bool sema_param_is_noescape(const sema_unit *u, const sema_symbol *symbol, uint32_t index)
{
    uint32_t depth = 0, param = 0;
    for (uint32_t t = symbol->name_token + 1; t < symbol->last && t < u->token_count; t++) {
        uint16_t code = u->tokens[t].code;
        if (code == P_LPAREN) {
            depth++;
        } else if (code == P_RPAREN) {
            if (--depth == 0)
                return false;
        } else if (code == P_COMMA && depth == 1) {
            if (++param > index)
                return false;
        } else if (param == index && sv_is(sema_unit_text(u, t), "\"awaitc::noescape\"")) {
            return true;
        }
        if (depth == 0)
            return false;
    }
    return false;
}
