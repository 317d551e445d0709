// The student prints a constant and computes nothing.
#include <cstdio>

int main()
{
    printf("pi is about 3.1415926536\n");
    return 0;
}
