#include <awaitc.h>
#include <stdio.h>

async int main(void)
{
    puts("nothing to do");
}
