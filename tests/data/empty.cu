/* Does the compiler work? can_load() of tests/lib.sh asks by this. */
__global__ void k() { }
