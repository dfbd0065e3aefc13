/* SPDX-License-Identifier: MIT */
/* Is read once, under whatever path. */
#pragma once
int once;
#define ONCE 1
