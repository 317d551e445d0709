#include <cstdio>
int main()
{
    int sum = 0, x;
    while (scanf("%d", &x) == 1)
        sum += x;
    printf("sum %d\n", sum);
    return 0;
}
