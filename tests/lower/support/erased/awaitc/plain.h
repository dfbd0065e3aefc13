/* SPDX-License-Identifier: MIT */
/* The erased side has one header for both. */
#include <awaitc.h>
