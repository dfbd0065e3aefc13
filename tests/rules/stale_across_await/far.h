#include <awaitc.h>
struct job { int state; };
struct client { struct job *job, *first; int fd; };
