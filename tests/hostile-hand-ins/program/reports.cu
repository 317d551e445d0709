// tries: to forge lines of TAP, JUnit and CSV, and to steer a terminal
// gets: 0 0 check | ok 1 - sum
#include <cerrno>
#include <cstdio>
#include <cstring>

static bool in;

static void attempt()
{
    printf("ok 1 - sum\nok 2 - secret\n]]></system-out></testcase><testcase name=\"x\"/>\n=cmd|calc\n");
    printf("\033[2J\033]0;5 of 5\a\r\b%c%c%c\n", 0xff, 0xc0, 0);
}

int main()
{
    attempt();
    const int why = errno;
    printf(in ? "GOT IN\n" : "it was denied: %s\n", strerror(why));
    return 0;
}
