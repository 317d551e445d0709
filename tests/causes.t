# SPDX-License-Identifier: GPL-3.0-or-later
#
# What a launch says about a mistake in the words of the student's own line: a barrier inside a
# condition, behind one that returns, or in a loop that ends too early; the index that left its
# array, and how many threads and elements there were.
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"
needs_compiler
any_kernels

cat >"$tmp/k.cu" <<'END'
__global__ void returns(int *d, int n)
{
    __shared__ int s[256];
    int t = threadIdx.x;
    if (t >= n) return;
    s[t] = d[t];
    __syncthreads();
    d[t] = s[n - 1 - t];
}
__global__ void inside(int *d, int n)
{
    __shared__ int s[256];
    int t = threadIdx.x;
    if (t < n) {
        s[t] = d[t];
        __syncthreads();
        d[t] = s[n - 1 - t];
    }
}
__global__ void block_of_return(int *d, int n)
{
    __shared__ int s[256];
    int t = threadIdx.x;
    if (t >= n &&
        n > 0) {
        d[t] = 0;
        return;
    } else {
        s[t] = d[t];
    }
    __syncthreads();
    d[t] = s[n - 1 - t];
}
__global__ void breaks(int *d, int n)
{
    __shared__ int s[256];
    int t = threadIdx.x;
    for (int k = 0; k < 100; k++) {
        if (t + k >= n)
            break;
        s[t] = d[t];
        __syncthreads();
        d[t] = s[(t + 1) % n];
        __syncthreads();
    }
}
__global__ void loops(int *d, int n)
{
    __shared__ int s[256];
    int t = threadIdx.x;
    for (int k = t; k < n; k += 64) {
        s[t] = d[k];
        __syncthreads();
        d[k] = s[(t + 1) % 64];
        __syncthreads();
    }
}
END
cat >"$tmp/x.cu" <<'END'
__global__ void fill(int *a, int m)
{
    int g = blockIdx.x * blockDim.x + threadIdx.x;
    a[g] = m;
}
__global__ void guarded(int *a, int m)
{
    int g = blockIdx.x * blockDim.x + threadIdx.x;
    if (g < m)
        a[g] = m;
}
__global__ void next(int *a, const int *b, int m)
{
    int g = blockIdx.x * blockDim.x + threadIdx.x;
    a[g] = b[g + 1];
}
END

why() { # why CALL: what the screen says of it, on one line
    say "load $tmp/k.cu; load $tmp/x.cu; array d i32 100 iota; array b i32 64 iota; $1"
    sed -n '/^Why/,/^Try/p' "$out" | sed '/^Try/d' | tr -s ' \n' '  '
}
like "$(why 'launch returns<<<1,100>>>(d, 50)')" \
    'condition on line 5, some threads execute `return` before the barrier.* Do not use `return`' \
    'a return before the barrier'
like "$(why 'launch block_of_return<<<1,100>>>(d, 50)')" \
    'on line 25, some threads execute `return`' 'at the end of a block of several lines'
like "$(why 'launch inside<<<1,100>>>(d, 50)')" \
    'condition on line 14, only a part.* Move the barrier out of the condition' \
    'a barrier inside the condition'
like "$(why 'launch breaks<<<1,100>>>(d, 100)')" \
    'condition on line 38, some threads leave the loop' 'a loop that some threads leave'
like "$(why 'launch loops<<<1,64>>>(d, 100)')" 'condition on line 51, some threads leave the loop' \
    'a loop with a condition of its own'

text=$(why 'launch fill<<<1,256>>>(d, 100)')
like "$text" 'launch has 256 threads, but the array has 100 elements' 'more threads than elements'
like "$text" 'compare the index .* `if \(g < m\)`' \
    "the index, and the parameter that has the array's size"
like "$(why 'launch fill<<<1,256>>>(d, 7)')" '`if \(g < 100\)`' 'or the size itself'
text=$(why 'launch next<<<1,64>>>(d, b, 1)')
like "$text" 'Compare the index .* `if \(g \+ 1 < 64\)`' 'the index of the array that was left'
case $text in *'launch has'*) false ;; *) true ;; esac
verdict $? 'as many threads as elements: nothing is said of them'
like "$(why 'launch guarded<<<1,256>>>(d, 101)')" \
    'compares `g` with `m`, and `m` is 101. But the array has 100 elements' \
    'a test with a wrong size'

# An index counts elements of the type that the source uses, which is not always the array's.
cat >"$tmp/other.cu" <<'END'
struct Point { float x, y, z; };
__global__ void points(Point *p, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        p[i].x += 1;
}
__global__ void wide(float *x)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 *v = (float4 *)x;
    v[i] = make_float4(0, 1, 2, 3);
}
class Box {
    virtual int weight();
    int q[5];
public:
    int first;
};
__global__ void boxes(Box *b)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    b[i].first = 1;
}
END
other() {
    say "load $tmp/other.cu; array f f32 1000 zero; launch $1"
    sed -n '/^Why/,/^Try/p' "$out" | sed '/^Try/d' | tr -s ' \n' '  '
}
like "$(other 'points<<<4,256>>>(f, 1000)')" '`n` is 1,000. But the array has 333 elements' \
    'elements of a struct'
like "$(other 'wide<<<1,512>>>(f)')" 'the array has 250 elements.* `if \(i < 250\)`' \
    'elements of a vector, behind a cast'
case $(other 'boxes<<<4,256>>>(f)') in *'< 1000'* | *'1,000 elements'*) false ;; *) true ;; esac
verdict $? 'elements of a class whose size is not known: no number'
say "load $tmp/x.cu; array d i32 100; launch fill<<<1,64>>>(d, 1.5)"
err_has '(int is a whole number' "a value that does not fit names the kernel's own type"
say "load $tmp/x.cu; array d i32 64; array b i32 65; launch next<<<1,64>>>(d, b, 1)"
out_has '`fill b zero`' 'an array without values: the command that fills it'
say 'barrier --variant return; findings'
out_has 'some threads execute `return`' "a lab's kernel is read as well"

# ---- lessons of several faults, and of the whole file ------------------------------------------

cat >"$tmp/l.cu" <<'END'
__global__ void locked(int *lock, int *n)
{
    n[0] = threadIdx.x;
    while (atomicAdd(lock, 0) == 0)
        ;
}
__global__ void freed(int *o)
{
    int *p = (int *)malloc(4);
    *p = 1;
    free(p);
    o[0] = *p;
}
__global__ void turns(int *v)
{
    for (int i = 0; i < threadIdx.x; i++) {
        v[threadIdx.x] += i;
        __syncthreads();
    }
}
int main() { return 0; }
END
say "load $tmp/l.cu; array v i32 64 zero; array o i32 1 zero; array n i32 1 zero
set step-limit 100000; launch locked<<<1,32>>>(o, n)"
like "$(tr -s ' \n' '  ' <"$out")" 'write to the same element, n.0..*Why The kernel ran longer' \
    'a race and a timeout: both have their lesson'
out_has 'main() does not run here' 'load says that main() is not run'
say "load $tmp/l.cu; array o i32 1 zero; launch freed<<<1,1>>>(o)"
like "$(tr -s ' \n' '  ' <"$out")" 'malloc or new, free the memory only after its last use' \
    'memory of malloc that was freed too early, within one kernel'
say "load $tmp/l.cu; array v i32 64 zero; launch turns<<<1,64>>>(v)"
out_has 'wait at the barrier of one line' 'one barrier in a loop is not called several'
like "$(tr -s ' \n' '  ' <"$out")" 'line 16, some threads leave the loop' 'and the loop is named'

done_testing
