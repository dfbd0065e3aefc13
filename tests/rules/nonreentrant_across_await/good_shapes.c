#include <arpa/inet.h>
#include <awaitc.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

async int send_text(int fd, const char *text);
int use(const char *text);

async int reentrant(int fd, time_t now)
{
    struct tm t;
    localtime_r(&now, &t);
    int rc = await send_text(fd, "hour");
    return rc < 0 ? rc : t.tm_hour;
}

async int copied_struct(int fd, time_t now)
{
    struct tm t = *localtime(&now);
    int rc = await send_text(fd, "hour");
    return rc < 0 ? rc : t.tm_hour;
}

async int copied_number(int fd, time_t now)
{
    int hour = localtime(&now)->tm_hour;
    int rc = await send_text(fd, "hour");
    return rc < 0 ? rc : hour;
}

async int copied_text(int fd, struct in_addr from)
{
    char name[64];
    snprintf(name, sizeof name, "%s", inet_ntoa(from));
    int rc = await send_text(fd, "peer");
    use(name);
    return rc;
}

async int used_before(int fd, const char *user)
{
    struct passwd *pw = getpwnam(user); // ALLOW: awaitc-blocking-call
    unsigned uid = pw == NULL ? 0 : pw->pw_uid;
    int rc = await send_text(fd, "user");
    return rc < 0 ? rc : (int)uid;
}

async int taken_again(int fd, time_t now)
{
    struct tm *t = gmtime(&now);
    char text[16];
    strftime(text, sizeof text, "%H", t);
    int rc = await send_text(fd, text);
    t = gmtime(&now);
    return rc < 0 ? rc : t->tm_min;
}

async int safe_tokens(int fd, char *line)
{
    int rc = 0;
    char *at;
    for (char *word = strtok_r(line, " ", &at); word != NULL && rc == 0;
         word = strtok_r(NULL, " ", &at))
        rc = await send_text(fd, word);
    return rc;
}

async int tokens_first(int fd, char *line)
{
    char *words[4];
    int n = 0;
    for (char *w = strtok(line, " "); w != NULL && n < 4; w = strtok(NULL, " "))
        words[n++] = w;
    return n == 0 ? 0 : await send_text(fd, words[0]);
}

async int token_text(int fd, char *line)
{
    char *verb = strtok(line, " ");
    char *arg = strtok(NULL, " ");
    int rc = await send_text(fd, verb);
    return arg == NULL ? rc : use(arg);
}

async int only_tested(int fd, const char *user)
{
    struct passwd *pw = getpwnam(user); // ALLOW: awaitc-blocking-call
    int rc = await send_text(fd, "user");
    return pw == NULL ? -ENOENT : rc;
}

static const char *kind_text(int kind)
{
    static const char *const names[] = {"none", "some"};
    return names[kind & 1];
}

async int constants(int fd, int kind)
{
    const char *text = kind_text(kind);
    int rc = await send_text(fd, "kind");
    use(text);
    return rc;
}

async int error_text(int fd, int error)
{
    return await send_text(fd, strerror(error));
}

async int duplicate(int fd, time_t now)
{
    char *text = strdup(ctime(&now));
    defer
    {
        free(text);
    }
    if (text == NULL)
        return -ENOMEM;
    return await send_text(fd, text);
}
