# SPDX-License-Identifier: GPL-3.0-or-later
#
# findings: what was found, once more; and launches under a range of seeds, whose results are
# compared.
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"

needs_compiler
cat >"$tmp/k.cu" <<'END'
__global__ void lost(int *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[0] = x[0] + 1;
}
__global__ void counted(int *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(x, 1);
}
/* The block that comes last by chance writes its number: no race, but chance all the same. */
__global__ void last(int *x)
{
    if (threadIdx.x == 0 && atomicAdd(&x[1], 1) == gridDim.x - 1)
        x[0] = blockIdx.x;
}
/* Right only if block 1 comes before block 0. */
__global__ void sometimes(int *x)
{
    if (threadIdx.x)
        return;
    if (blockIdx.x == 1)
        atomicExch(&x[1], 1);
    else if (atomicAdd(&x[1], 0) == 0)
        __trap();
}
__global__ void many(int *x)
{
    volatile __shared__ int s[8];
    int i = threadIdx.x;
    x[i] += s[0];
    x[i] += s[1];
    x[i] += s[2];
    x[i] += s[3];
    x[i] += s[4];
    x[i] += s[5];
    x[i] += s[6];
}
__global__ void first_said(int *x)
{
    if (threadIdx.x == 0 && atomicAdd(x, 1) == 0)
        printf("block %d\n", blockIdx.x);
}
END
sed -i '1i #include <cstdio>' "$tmp/k.cu"
load="load $tmp/k.cu; array x i32 64 zero"

# ---- findings -----------------------------------------------------------------------------

say 'findings'
status_is 1 'findings before anything was launched'
err_has 'no kernel was launched yet' 'says so'

say "$load; launch many<<<1,32>>>(x); echo here; findings; echo there; findings --all"
is "$(grep -c '^found' "$out")" 17 'five of seven are shown, shown again, and then all'
is "$(grep -c 'and 2 more; `findings --all` shows them' "$out")" 2 'and where the others are'
sed -n '/^here/,/^there/p' "$out" >"$tmp/again"
ok 'the lines are quoted again' grep -q '^ *[0-9][0-9]*  x\[i\] += s\[3\];' "$tmp/again"
say_json "$load; launch many<<<1,32>>>(x); findings"
json_is 3:.faults.# 7 'JSON has all with the launch'
json_is 4:.faults.# 7 'and with findings'
json_is 4:.status ok 'which itself is ok'
json_is 4:.result.count 7 'it counts them'
json_is 4:.result.of 'launch many<<<1,32>>>(x)' 'and says of what'
say "$load; launch many<<<1,32>>>(x); launch counted<<<1,32>>>(x, 32); findings"
out_has 'counted<<<1,32>>>(x, 32): nothing was found' 'of the last launch, not an earlier one'
say 'trap --variant lockstep; findings'
is "$(grep -c '^found *race-shared' "$out")" 4 'of a lab too'
say "$load; launch counted<<<1,2000>>>(x, 8); findings"
out_like '^fault +bad-launch' 'of a launch that could not be, too'

# ---- bounds -------------------------------------------------------------------------------

if test -z "$CUDALAB_WRAPPER" && test "$BUILD_KIND" = plain; then
    cat >"$tmp/wide.cu" <<'END'
__global__ void wide(int *x)
{
    x[(blockIdx.x * blockDim.x + threadIdx.x) * 1024ull] = 1;
}
END
    say_json "load $tmp/wide.cu; array x i32 2^28; launch wide<<<1024,256>>>(x)"
    json_is 3:.status ok 'more memory than the race checker has notes for'
    json_is 3:.result.partly_checked true 'it says so'
    say_json "load $tmp/wide.cu; array x i32 2^28; launch wide<<<16,256>>>(x)"
    json_absent 3:.result.partly_checked 'it has room for less'
fi

echo '__global__ void beyond(int *x) { x[threadIdx.x] = 1; }' >"$tmp/beyond.cu"
for list in race none; do
    say_json "load $tmp/beyond.cu; array x i32 8; launch --check $list beyond<<<1,9>>>(x)"
    json_is '3:.faults[0].kind' out-of-bounds "--check $list: what ends a launch is told all the same"
done

say "load $tmp/beyond.cu; array x i32 9; launch --check none beyond<<<1,9>>>(x); findings"
out_has 'no checker was on' 'without a checker, nothing is said to be right'
out_lacks 'nothing was found' 'by findings'

# ---- much work ----------------------------------------------------------------------------

echo '__global__ void much(int *x) { x[threadIdx.x] = 1; }' >"$tmp/much.cu"
say "load $tmp/much.cu; array x i32 32 zero; set step-limit 50000; launch much<<<10000,32>>>(x)"
out_has '10,000 blocks have ended' 'a launch that is only long: how many blocks have ended'
like "$(tr '\n' ' ' <"$out" | tr -s ' ')" 'only have a lot of work. Raise the limit' 'so its lesson fits'

# ---- a range of seeds ---------------------------------------------------------------------

say_json "$load; launch --schedule random:1..20 counted<<<4,64>>>(x, 200); print x[0]"
json_is 3:.result.range.runs 20 'twenty runs'
json_is 3:.result.range.ok 20 'all worked'
json_is 3:.result.range.results 1 'alike'
json_is 4:.result.values[0] 200 'each from the same bytes'

say_json "$load; launch --schedule random:1..20 lost<<<4,64>>>(x, 200)"
json_is 3:.status fault 'a race'
json_is 3:.result.range.ok 0 'is found in all of them'
say_json "$load; set schedule random:1..20; launch last<<<8,32>>>(x)"
json_is 4:.status ok 'chance without a race'
json_is 4:.result.range.ok 20 'works'
json_like 4:.result.range.results '^[2-8]$' 'with several results'
json_like 4:.result.range.groups[1].difference '^x\[0\] is [0-7]; under random:1 it is [0-7]$' \
    'where, and what: neither is called right'
groups=$(json 4:.result.range.groups.#) sum=0 i=0
while [ "$i" -lt "$groups" ]; do
    sum=$((sum + $(json "4:.result.range.groups[$i].runs")))
    i=$((i + 1))
done
is "$sum" 20 'the groups are the runs'

say "$load; launch --schedule random:1..20 last<<<8,32>>>(x)"
out_has 'no mistake was found in 20 of 20 schedules, but the' 'that is no "it worked"'
out_lacks 'worked' 'anywhere'

say_json "$load; launch --schedule random:1..20 sometimes<<<2,32>>>(x)"
worked=$(json 3:.result.range.ok)
like "$worked" '^([1-9]|1[0-9])$' 'what works sometimes'
json_is 3:.faults[0].kind trap 'and how it fails'
json_like 3:.faults[0].count '^[0-9]+$' 'counted'
is "$(json 3:.faults[0].count)" $((20 - worked)) 'as often as it did not work'
say "$load; launch --schedule random:1..20 sometimes<<<2,32>>>(x)"
out_has "random:1..20: it worked in $worked of 20 schedules" 'the screen says so'
say "$load; launch --schedule random:1..20 sometimes<<<2,32>>>(x)"
cp "$out" "$tmp/first"
say "$load; launch --schedule random:1..20 sometimes<<<2,32>>>(x)"
ok 'the same each time' cmp -s "$tmp/first" "$out"

say_json "$load; launch --schedule random:1..20 first_said<<<8,32>>>(x)"
json_like 3:.result.range.results '^[2-8]$' 'lines printed are results as well'
say_json "$load; array u i32 4; launch --schedule random:1..3 lost<<<1,32>>>(u, 1)"
json_is 4:.result.range.groups[0].runs 3 'what nobody wrote is unwritten again in each run'
json_is 4:.result.range.groups[0].fault uninitialized 'and found in each'

say "$load; launch --schedule random:1..x lost<<<1,1>>>(x, 1)"
err_has 'a range of seeds as in random:1..20' 'a broken range'
say "$load; launch --schedule independent:1..3 lost<<<1,64>>>(x, 64)" --device sim:gk20a
err_has "can't run independently" 'not on a card before 7.0'
say "$load; launch --schedule random:1..3 counted<<<1,64>>>(x, 64)" --device sim:gk20a
status_is 0 'blocks in any order are'
# ---- what fixes it ------------------------------------------------------------------------

cat >"$tmp/cure.cu" <<'END'
__global__ void sum(int *x) { x[0] += 1; }
__global__ void bins(int *x) { x[x[threadIdx.x + 100] % 4] -= 2; }
__global__ void no_block(int *x) { x[threadIdx.x] += 1; }
__global__ void scaled(int *x) { x[0] = x[0] * 2 + 1; }
__global__ void reversed(int *x)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = t;
    x[t] = s[63 - t];
}
__global__ void swapped(int *x)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = t;
    x[t] = s[t ^ 1];
}
__global__ void tree(int *x)
{
    __shared__ int s[128];
    int t = threadIdx.x;
    s[t] = t;
    __syncthreads();
    for (int k = 64; k; k /= 2)
        if (t < k)
            s[t] += s[t + k];
    __syncthreads();
    x[t] = s[0];
}
__global__ void across(int *x)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    x[i] = i;
    x[i + 128] = x[127 - i];
}
__global__ void one(int *x) { x[0] = threadIdx.x; }
__global__ void lock(int *x)
{
    if (threadIdx.x == 0) {
        while (atomicCAS(&x[1], 0, 1)) {
        }
        x[0] += 1;
        atomicExch(&x[1], 0);
    }
}
__global__ void past(int *x) { x[threadIdx.x + 512] = 1; }
__global__ void unset(int *x, int *z) { x[threadIdx.x] = z[threadIdx.x]; }
__global__ void leaks(int *x)
{
    volatile int *p = (int *)malloc(8); // else clang makes a register of it
    *p = x[0];
    x[1] = *p;
}
__global__ void short_shared(int *x)
{
    extern __shared__ int d[];
    d[threadIdx.x] = 1;
    __syncthreads();
    x[threadIdx.x] = d[0];
}
__global__ void stops(int *x) { if (x) __trap(); }
END
# cure WANTED LAUNCH WHAT: of the first fault; - where none is known
cure() {
    say_json "load $tmp/cure.cu; array x int 256 zero; array z int 64; launch $2"
    json_like '4:.faults[0].kind' '^[a-z]' "$3: it is found"
    got=$(sed -n 's/.*"faults":\[{"kind":"[^"]*","message":"[^"]*","cure":"\([^"]*\)".*/\1/p' "$out")
    is "${got:--}" "$1" "$3"
}
cure atomic 'sum<<<4, 64>>>(x)' 'all add to one element: an atomic'
cure atomic 'bins<<<1, 64>>>(x)' 'and so for those that add to a few'
cure index 'no_block<<<2, 64>>>(x)' 'two blocks that take the same elements need another index'
cure - 'scaled<<<1, 64>>>(x)' 'there is no atomic that multiplies'
cure syncthreads 'reversed<<<1, 64>>>(x)' 'warps of one block: a barrier'
cure syncwarp 'swapped<<<1, 64>>>(x)' 'lanes of one warp: their barrier'
cure syncthreads 'tree<<<1, 128>>>(x)' 'a line where both occur: a barrier of the block'
say_json "set arch 80; load $top_srcdir/tests/checks/async.cu; array x int 256 iota; \
array y int 256 zero; launch async_no_wait<<<1, 64>>>(x, y)"
json_is '5:.faults[0].cure' copy-wait 'a copy that nobody waits for'
say_json "set arch 80; load $top_srcdir/tests/checks/async.cu; array x int 256 iota; \
array y int 256 zero; launch async_wait_only<<<1, 64>>>(x, y)"
json_is '5:.faults[0].cure' syncthreads 'copies of other threads that these have waited for: a barrier'
cure grid-sync 'across<<<2, 64>>>(x)' 'two blocks: a second kernel or a barrier of the grid'
cure index 'one<<<1, 64>>>(x)' 'all store at once: an element for each'
cure fence 'lock<<<4, 32>>>(x)' 'a lock without fences: fences'
cure bounds 'past<<<1, 64>>>(x)' 'past the end of an array: its bounds'
cure shared-bytes 'short_shared<<<1, 64, 16>>>(x)' 'the launch may have given too little shared memory'
cure initialize 'unset<<<1, 64>>>(x, z)' 'what nobody has written'
cure free 'leaks<<<1, 1>>>(x)' 'what was never freed'
json_like 4:.explain 'Call free or delete' 'and its lesson is that of a leak'
cure - 'stops<<<1, 1>>>(x)' 'a trap says nothing of its cure'

# ---- one mistake, one finding ------------------------------------------------------------

# one KERNEL SIZES COUNT CURE WHERE: the race is the only finding. This is so even if threads then
# read bytes that no thread has written, and if either of the two lines may come first.
one() {
    say_json "load $tmp/one.cu; array x i32 1024 iota; array y i32 1024; launch $1<<<$2>>>(x, y)"
    json_is 4:.faults.# 1 "$1: one finding"
    json_like '4:.faults[0].kind' '^race-' "$1: the race"
    json_like '4:.faults[0].count' "^$3$" "$1: all of it is counted"
    json_is '4:.faults[0].cure' "$4" "$1: its cure"
    say "load $tmp/one.cu; array x i32 1024 iota; array y i32 1024; launch $1<<<$2>>>(x, y)"
    is "$(tr -s ' \n' '  ' <"$out" | grep -c "$5")" 1 "$1: $5"
}
cat >"$tmp/one.cu" <<'END'
__global__ void mirror(int *x, int *y)
{
    __shared__ int s[64];
    int i = threadIdx.x;
    s[i] = x[i];
    x[i] = s[63 - i];
}
__global__ void halo(int *x, int *y)
{
    __shared__ int s[130];
    int i = threadIdx.x;
    s[i + 1] = x[i];
    x[i] = s[i] + s[i + 1] + s[i + 2];
}
__global__ void shift(int *x, int *y)
{
    __shared__ int s[128];
    int i = threadIdx.x;
    s[i] = x[i];
    __syncthreads();
    for (int k = 0; k < 3; k++) {
        int v = s[(i + 1) % 128];
        s[i] = v + 1;
    }
    x[i] = s[i];
}
__global__ void between(int *x, int *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = i;
    x[i] = y[(i + blockDim.x) % (gridDim.x * blockDim.x)];
}
__global__ void lanes(int *x, int *y)
{
    __shared__ volatile int s[32];
    int i = threadIdx.x;
    s[i] = i;
    x[i] = s[31 - i];
}
__global__ void collect(int *x, int *y)
{
    __shared__ int part[64];
    part[threadIdx.x] = x[threadIdx.x];
    if (threadIdx.x == 0)
        for (int k = 0; k < 64; k++)
            x[0] += part[k];
}
__global__ void line(int *x, int *y)
{
    __shared__ int s[64]; int i = threadIdx.x; s[i] = x[i]; x[i] = s[63 - i];
}
END
one mirror 1,64 64 syncthreads 'between line 5 and line 6'
one halo 1,128 '[0-9]*' syncthreads 'between line 12 and line 13'
one shift 1,128 '[0-9]*' syncthreads 'line 23, and again at the end of the loop'
one between 4,64 256 grid-sync 'into a second kernel'
one lanes 1,32 32 syncwarp 'Put __syncwarp() between line 37 and line 38'
one collect 1,64 63 syncthreads 'between line 43 and line 46'
one line 1,64 64 syncthreads 'between the two accesses on line 50'

done_testing
