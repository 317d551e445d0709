# SPDX-License-Identifier: GPL-3.0-or-later
#
# What a student who types at the prompt reads after load, after a launch without a mistake, and
# after Ctrl-C: lines to type that are right as they stand. A script gets nothing of it.
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"
any_kernels
needs_compiler
has_terminal || skip_all 'no readline, no expect, or no terminal here'
at_home
NO_COLOR=1 TERM=xterm
export NO_COLOR TERM

cat >"$tmp/k.cu" <<'END'
__global__ void vadd(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}
__global__ void spin(int *d)
{
    while (d[0] != 7) { }
    d[1] = 1;
}
END
at_terminal "cd '$tmp'; exec '$CUDALAB' --device sim --quiet --no-init" <<'END'
see "cudalab> "
key "load k.cu\r"
see "Try  array a float 1000 iota"
see "array b float 1000 iota"
see "array c float 1000 zero"
see "launch vadd<<<4, 256>>>(a, b, c, 1000)  # run the kernel"
see "print c"
see "cudalab> "
key "array a float 500 iota\r"
see "cudalab> "
key "load k.cu\r"
see "Try  array b float 500 iota"
see "launch vadd<<<2, 256>>>(a, b, c, 500)"
see "cudalab> "
key "array b float 500 iota\r"
see "cudalab> "
key "array c float 500 zero\r"
see "cudalab> "
key "launch vadd<<<2, 256>>>(a, b, c, 500)\r"
see "no mistake found, by the checkers race"
see "Try  print c"
see "counters"
see "cudalab> "
key "launch vadd<<<2, 256>>>(a, b, c, 500) --check none\r"
see "no checker was on"
see "cudalab> "
key "array d int 2 zero\r"
see "cudalab> "
key "launch spin<<<1, 32>>>(d)\r"
see "Ctrl-C stops it"
key "\003"
see "8  while (d\[0\] != 7)"
see "Ctrl-C stopped the kernel on line 8"
see "Try  print d"
see "interrupted"
see "cudalab> "
key "print d\r"
see "0:  0  0"
see "cudalab> "
key "\004"
END
status_is 0 'what to type next is said at the prompt'
# A kernel that launches kernels: one thread and small numbers, so that it ends at once.
if test "$KERNELS_BY" != clang; then
    cat >"$tmp/tree.cu" <<'END'
__global__ void leaf(int *a, int n) { a[threadIdx.x] = n; }
__device__ void grow(int *a, int n) { leaf<<<1, 4>>>(a, n); }
__global__ void tree(int *a, int n)
{
    grow(a, n);
    if (n > 1) tree<<<1, 2>>>(a, n / 2);
}
END
    at_terminal "cd '$tmp'; exec '$CUDALAB' --device sim --quiet --no-init" <<'END'
see "cudalab> "
key "load help:child-grids\r"
see "Try  array a int 8 zero"
see "launch halves<<<1, 1>>>(a, 8)"
see "cudalab> "
key "array a int 8 zero\r"
see "cudalab> "
key "launch halves<<<1, 1>>>(a, 8)\r"
see "child grids  14"
see "cudalab> "
key "\004"
END
    status_is 0 'a kernel that launches kernels: a small launch'
    say "load $tmp/tree.cu; array a int 1000; launch tree"
    err_like 'write launch tree<<<1, 1>>>[(]a, 8[)]' 'even if the array is large'
    say "load $tmp/tree.cu; array a int 1000; launch leaf"
    err_like 'write launch leaf<<<4, 256>>>[(]a, 1000[)]' 'not for the other kernels of its file'
fi
say "load $tmp/k.cu; array a float 500 iota; array c float 500 zero
launch vadd<<<2, 256>>>(a, a, c, 500)"
out_lacks 'Try' 'a script is told nothing of it'
out_lacks 'checked' 'nor what was checked'
say "load $tmp/k.cu; array a float 500 iota; launch vadd"
err_like 'vadd. has no <<<blocks, threads>>>: write launch vadd<<<2, 256>>>[(]a, .*500' \
    "the name alone: the line has the kernel's own parameters"
done_testing
