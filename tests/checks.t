# SPDX-License-Identifier: GPL-3.0-or-later
# The checkers on small kernels, right ones and wrong ones (tests/checks/*.cu): what must be found
# is found, at its line, under all three schedules, and nothing else is. Where clang made the
# labs' kernels it compiles these too; elsewhere `load` chooses, and .ci/run tries both.
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"

. "$top_srcdir/tests/checks.sh"
needs_compiler

for file in "$top_srcdir"/tests/checks/*.cu; do
    name=$(basename "$file" .cu)
    if test "$name $compiler" = 'toolkit clang'; then
        skip 'clang 14 does not take the headers of the toolkit' "$name by $compiler"
    else
        run_file "$file" "$name by $compiler"
    fi
done

# What a card and its sanitizer said of each is kept beside what is wanted here.
for file in "$top_srcdir"/tests/checks/*.cu; do
    "$JUDGES/findings" "$file" | awk '!($1 in seen) { seen[$1] = 1; print $1, $2 }'
done | sort >"$tmp/here"
awk '!/^#/ { print $1, $2 }' "$top_srcdir/tests/h100/verdicts.txt" | sort >"$tmp/there"
is "$(diff "$tmp/here" "$tmp/there")" '' 'tests/h100/verdicts.txt has each kernel, and what it is'

# Functions that kernels call, and that call others. A finding names the innermost line of the file,
# also where that line calls a function of a header.
cat > "$tmp/helpers.cu" <<'EOF'
__device__ void add_if(int *p, int v)
{
    int x = v * 3;
    if (x > 0)
        atomicAdd_block(p, x); // in-add-if
}

__device__ void add_both(int *p, int v)
{
    add_if(p, v);
    add_if(p + 1, v + 1);
}

// Wrong: the atomic operations hold in one block only, and two functions lie around them.
//@ array p int 2 zero
//@ launch add_nested<<<2, 32>>>(p)
//@found race-global in-add-if
__global__ void add_nested(int *p)
{
    add_both(p, 1);
}

template <class T> struct Counter {
    T *at;
    __device__ void tick(T by)
    {
        atomicMax(at, by); // in-tick
    }
    __device__ void twice(T by)
    {
        tick(by);
        tick(by + 1);
    }
};

// Wrong: the second counter lies behind the array.
//@ array p int 1 zero
//@ launch tick_nested<<<1, 1>>>(p)
//@found out-of-bounds in-tick
__global__ void tick_nested(int *p)
{
    Counter<int> here{p}, behind{p + 1};
    here.twice(1);
    behind.twice(2);
}

__device__ int load_through(const int *p)
{
    return __ldg(p); // in-load
}

__device__ int load_two(const int *p, int i)
{
    return load_through(p + i) + load_through(p + i + 1);
}

// Wrong: the last thread reads behind the array.
//@ array in int 32 iota
//@ array out int 32 zero
//@ launch load_nested<<<1, 32>>>(in, out)
//@found out-of-bounds in-load
__global__ void load_nested(const int *in, int *out)
{
    out[threadIdx.x] = load_two(in, threadIdx.x);
}
EOF
run_file "$tmp/helpers.cu" "functions in functions, by $compiler"

# Lanes that leave all arrays are a fault, and no race, also where other lanes of the instruction
# do not.
cat > "$tmp/outside.cu" <<'EOF'
// Wrong: the heap has no memory for all threads.
//@ array out int 32 zero
//@ launch heap_empty<<<1, 32>>>(out)
//@found null heap-empty
__global__ void heap_empty(int *out)
{
    volatile int *mine = (int *)malloc(1 << 20); // volatile, so that no compiler leaves it out
    mine[3] = threadIdx.x; // heap-empty
    out[threadIdx.x] = mine[3];
    free((void *)mine);
}

// Wrong: half of the threads write to one place behind the array.
//@ array p int 16 zero
//@ launch behind_all<<<1, 32>>>(p)
//@found out-of-bounds behind-all
__global__ void behind_all(int *p)
{
    p[threadIdx.x < 16 ? threadIdx.x : 1000] = threadIdx.x; // behind-all
}

// Wrong: half of the threads update one place through a null pointer.
//@ array p int 16 zero
//@ launch null_half<<<1, 32>>>(p, 0)
//@found null null-half
__global__ void null_half(int *p, int *none)
{
    int *mine = threadIdx.x < 16 ? p + threadIdx.x : none;
    *mine += 1; // null-half
}
EOF
run_file "$tmp/outside.cu" "outside of all arrays, by $compiler"

# Messages drawn from a seed, by fences, atomics and flags of all scopes.
is "$(CUDALAB=$CUDALAB SEED=1 sh "$top_srcdir/tests/fuzz/scopes")" 'scopes: up to seed 1' \
    'messages between threads are judged as they were made'

# An exchange is a store too, where nobody looks at what it found.
cat > "$tmp/e.cu" <<'EOF'
__global__ void begin(int *y)
{
    __shared__ int s;
    atomicExch(&s, 5);
    __syncthreads();
    y[threadIdx.x] = atomicAdd(&s, 1);
}
__global__ void look(int *y)
{
    __shared__ int s;
    y[threadIdx.x] = atomicExch(&s, 5);
}
__global__ void add(int *y)
{
    __shared__ int s;
    atomicAdd(&s, 5);
    __syncthreads();
    y[threadIdx.x] = s;
}
EOF
say_json "load $tmp/e.cu; array y int 64; launch begin<<<1, 64>>>(y)"
json_is 3:.status ok 'an exchange may begin a variable'
say_json "load $tmp/e.cu; array y int 64; launch look<<<1, 64>>>(y); launch add<<<1, 64>>>(y)"
json_is 3:.faults[0].kind uninitialized 'unless its result is used'
json_is 4:.faults[0].kind uninitialized 'and a sum may not'

# What `launch --check` keeps and leaves off, and what it says of a word that it doesn't know.
cat > "$tmp/k.cu" <<'EOF'
__global__ void all_one(int *y) { y[0] = 1; }
__global__ void copy(const int *z, int *y) { y[threadIdx.x] = z[threadIdx.x]; }
__global__ void count(int *y) { y[0] += 1; }
EOF
ready="load $tmp/k.cu; array y int 64; array z int 64"
say_json "$ready; launch all_one<<<1, 64>>>(y); launch all_one<<<1, 64>>>(y) --check race:strict"
json_is 4:.status ok 'writes of the same value are let pass'
json_is 5:.faults[0].kind race-global 'and are found by race:strict'
copy='launch copy<<<1, 64>>>(z, y)'
say_json "$ready; $copy; $copy --check race,memory,sync"
json_is 4:.faults[0].kind uninitialized 'an array without a fill is unwritten'
json_is 5:.status ok 'nobody minds where uninit is left off'
count='launch count<<<1, 64>>>(y)'
say_json "$ready; fill y zero; $count --check none; $count --check all"
json_is 5:.status ok 'with none, a race is no finding'
json_is 6:.faults[0].kind race-global 'with all it is'
say "$ready; $count --check rase"
status_is 1 'an unknown checker is an error'
err_like 'there is no checker .rase.; did you mean .race.' 'that offers the nearest'
say 'complete "launch k<<<1, 1>>>() --check me"'
out_has memory 'checkers are completed'

# Arrays go with the student from device to device, and so does what was written of them.
there="set device sim:a100; load $tmp/k.cu"
reads='launch copy<<<1, 32>>>(z, y); launch copy<<<1, 33>>>(z, y)'
say_json "$ready; fill z[0..31] zero; $there; $reads"
json_is 7:.status ok 'what was written is so on the next device'
json_is 8:.faults[0].index 32 'what was not is not'

# Lanes of one warp that wait for each other: since 7.0 each goes its own way and the launch ends;
# before, all go one way at a time, and the lane that could help stands where they will meet.
cat > "$tmp/w.cu" <<'EOF'
__global__ void lock(int *held, int *sum)
{
    while (atomicCAS(held, 0, 1) != 0)
        ;
    __threadfence();
    *sum += threadIdx.x;
    __threadfence();
    atomicExch(held, 0);
}
__global__ void flags(int *left, int *right)
{
    if (threadIdx.x < 16) {
        atomicExch(left, 1);
        while (atomicAdd(right, 0) == 0)
            ;
    } else {
        atomicExch(right, 1);
        while (atomicAdd(left, 0) == 0)
            ;
    }
}
EOF
ready="set compiler $compiler; load $tmp/w.cu; array a int 1 zero; array b int 1 zero"
for kernel in lock flags; do
    launch="$ready; launch $kernel<<<1, 32>>>(a, b); print b"
    for device in t4 h100; do
        for schedule in lockstep independent; do
            say_json "$launch" --device "sim:$device" --schedule $schedule
            json_is 5:.status ok "$kernel in one warp ends on sim:$device, $schedule"
            test $kernel != lock || json_is 6:.result.values '[496]' 'and each lane had its turn'
        done
    done
    for device in gtx970 gk20a; do
        say_json "set step-limit 10^7; $launch" --device "sim:$device"
        json_is '6:.faults[0].kind' timeout "$kernel in one warp never ends on sim:$device"
    done
done
done_testing
