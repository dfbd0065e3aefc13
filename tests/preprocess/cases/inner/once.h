#pragma once
int once;
#define ONCE 1
