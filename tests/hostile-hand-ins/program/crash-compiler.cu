// tries: to crash the compiler, so that it is ungraded
// gets: 0 0 compile | undeclared identifier
int main() { return more; }
#pragma clang __debug crash
