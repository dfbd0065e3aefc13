/* SPDX-License-Identifier: MIT */
#include <unistd.h>
static int update(int n)
{
    return (int)sleep((unsigned)n);
}

int main(void)
{
    return update(2);
}
