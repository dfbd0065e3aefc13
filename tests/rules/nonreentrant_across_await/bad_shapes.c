#include <arpa/inet.h>
#include <awaitc.h>
#include <netdb.h>
#include <pwd.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

async int send_text(int fd, const char *text);
int use(const char *text);

async int hour(int fd, time_t now)
{
    struct tm *t = localtime(&now);
    int rc = await send_text(fd, "hour");
    return rc < 0 ? rc : t->tm_hour; // EXPECT: awaitc-nonreentrant-across-await
}

async int home(int fd, const char *user)
{
    struct passwd *pw = getpwnam(user); // ALLOW: awaitc-blocking-call
    if (pw == NULL)
        return -ENOENT;
    char *dir = pw->pw_dir;
    int rc = await send_text(fd, "user");
    use(dir); // EXPECT: awaitc-nonreentrant-across-await
    return rc;
}

async int peer(int fd, struct in_addr from)
{
    const char *name = inet_ntoa(from);
    await aw_sleep_ms(10);
    return use(name); // EXPECT: awaitc-nonreentrant-across-await
}

async int given(int fd, time_t now)
{
    return await send_text(fd, ctime(&now)); // EXPECT: awaitc-nonreentrant-across-await
}

async int tokens(int fd, char *line)
{
    int rc = 0;
    for (char *word = strtok(line, " "); word != NULL && rc == 0;
         word = strtok(NULL, " ")) // EXPECT: awaitc-nonreentrant-across-await
        rc = await send_text(fd, word);
    return rc;
}

async int two_tokens(int fd, char *line)
{
    char *verb = strtok(line, " ");
    int rc = await send_text(fd, verb);
    char *rest = strtok(NULL, ""); // EXPECT: awaitc-nonreentrant-across-await
    return rest == NULL ? rc : use(rest);
}

static const char *address_text(unsigned a)
{
    static char text[32];
    snprintf(text, sizeof text, "%u", a);
    return text;
}

async int own_buffer(int fd, unsigned a)
{
    const char *text = address_text(a);
    int rc = await send_text(fd, "address");
    use(text); // EXPECT: awaitc-nonreentrant-across-await
    return rc;
}

async int lookup(int fd, const char *host)
{
    struct hostent *h = gethostbyname(host); // ALLOW: awaitc-blocking-call
    if (!h)
        return -ENOENT;
    for (int i = 0; h->h_addr_list[i] != NULL; i++) { // EXPECT: awaitc-nonreentrant-across-await
        int rc = await send_text(fd, "address"); // ALLOW: awaitc-await-in-loop
        if (rc < 0)
            return rc;
    }
    return 0;
}
