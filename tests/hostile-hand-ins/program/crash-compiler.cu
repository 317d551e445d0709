// tries: to crash the compiler, so that it is ungraded
// gets: 0 0 compile | crash|refused
#pragma clang __debug llvm_fatal_error
#pragma clang __debug crash
int main() { }
