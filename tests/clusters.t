# SPDX-License-Identifier: GPL-3.0-or-later
#
# Kernels with clusters, as nvcc compiles cooperative groups for 9.0: right ones come to the right
# numbers under every schedule and nothing is found in them; wrong ones are named.
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"

case $KERNELS_BY in clang) skip_all 'clang makes no PTX for 9.0' ;; esac
can_load nvrtc || can_load nvcc || skip_all 'clusters need the compilers of the CUDA Toolkit'

cat >"$tmp/k.cu" <<'END'
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

/* Each thread takes what the one that is t from the end of its cluster left. */
#define REVERSE(name, dims, begin, end)                                                  \
    extern "C" __global__ void __cluster_dims__ dims name(int *out)                      \
    {                                                                                    \
        __shared__ int mine[64];                                                         \
        cg::cluster_group c = cg::this_cluster();                                        \
        int me = (blockIdx.y * gridDim.x + blockIdx.x) * 64 + threadIdx.x;               \
        mine[threadIdx.x] = c.thread_rank();                                             \
        begin;                                                                           \
        out[me] = c.map_shared_rank(mine, c.num_blocks() - 1 - c.block_rank())[63 - threadIdx.x]; \
        end;                                                                             \
    }
REVERSE(two, (2, 1, 1), c.sync(), c.sync())
REVERSE(four, (4, 1, 1), c.sync(), c.sync())
REVERSE(eight, (8, 1, 1), c.sync(), c.sync())
REVERSE(square, (2, 2, 1), c.sync(), c.sync())
REVERSE(tall, (1, 4, 1), c.sync(), c.sync())
REVERSE(split, (4, 1, 1), c.barrier_arrive(); out[me] = mine[threadIdx.x]; c.barrier_wait(), c.sync())
REVERSE(nobegin, (4, 1, 1), __syncthreads(), c.sync())
REVERSE(noend, (4, 1, 1), c.sync(), )
REVERSE(nowait, (4, 1, 1), c.barrier_arrive(), c.barrier_wait())
REVERSE(some, (4, 1, 1), if (threadIdx.x < 40) c.sync(); else __syncthreads(), c.sync())
REVERSE(nobody, (4, 1, 1), if (c.block_rank() == 2) return; c.sync(), c.sync())

/* Each block writes a sum to global memory; after the cluster's barrier block 0 alone counts the
 * cluster, behind a fence, and the last cluster to be counted adds all up. */
extern "C" __global__ void __cluster_dims__(4, 1, 1) last(int *sums, int *count, int *total)
{
    __shared__ int is_last;
    cg::cluster_group c = cg::this_cluster();
    if (threadIdx.x == 0)
        sums[blockIdx.x] = blockIdx.x + 1;
    c.sync();
    if (c.block_rank() == 0 && threadIdx.x == 0) {
        __threadfence();
        int before = atomicAdd(count, 1);
        __threadfence();
        for (int i = 0; i < 4; i++)
            *c.map_shared_rank(&is_last, i) = before == gridDim.x / 4 - 1;
    }
    c.sync();
    if (is_last && c.block_rank() == 3 && threadIdx.x == 0)
        for (int i = 0; i < gridDim.x; i++)
            *total += sums[i];
}

/* A value and then a flag into the next block, which looks at its flag. */
extern "C" __global__ void __cluster_dims__(2, 1, 1) flag(int *out)
{
    __shared__ int value;
    __shared__ int ready;
    volatile int *mine = &ready;
    cg::cluster_group c = cg::this_cluster();
    if (threadIdx.x == 0)
        ready = 0;
    c.sync();
    if (c.block_rank() == 0 && threadIdx.x == 0) {
        *c.map_shared_rank(&value, 1) = 4711;
        __threadfence();
        *(volatile int *)c.map_shared_rank(&ready, 1) = 1;
    }
    if (c.block_rank() == 1 && threadIdx.x == 0) {
        while (!*mine)
            ;
        __threadfence();
        out[blockIdx.x / 2] = value;
    }
    c.sync();
}

/* Two that count without atomics. */
extern "C" __global__ void __cluster_dims__(2, 1, 1) adds(int *out)
{
    __shared__ int sum;
    cg::cluster_group c = cg::this_cluster();
    if (threadIdx.x == 0)
        sum = 0;
    c.sync();
    if (threadIdx.x == 0)
        *c.map_shared_rank(&sum, 0) += 1;
    c.sync();
    out[0] = sum;
}

extern "C" __global__ void __cluster_dims__(2, 1, 1) unset(int *out)
{
    __shared__ int mine[64];
    cg::cluster_group c = cg::this_cluster();
    c.sync();
    out[threadIdx.x] = c.map_shared_rank(mine, 1 - c.block_rank())[threadIdx.x];
    c.sync();
}

extern "C" __global__ void __cluster_dims__(4, 1, 1) beyond(int *out)
{
    __shared__ int mine[64];
    cg::cluster_group c = cg::this_cluster();
    c.sync();
    *c.map_shared_rank(mine, 4) = 1;
}
END

numbers() { # numbers KERNEL: what it left, one a line
    od -An -v -t d4 "$tmp/$1.raw" | tr -s ' ' '\n' | sed '/^$/d'
}

# ---- right ones ---------------------------------------------------------------------------

for schedule in lockstep random:1 random:7 independent:1 independent:5; do
    {
        echo "set schedule $schedule; load $tmp/k.cu; array out i32 1024"
        for each in 'two 16' 'four 16' 'eight 16' 'split 16' 'square (4,4)' 'tall (2,8)'; do
            echo "launch ${each% *}<<<${each#* },64>>>(out)"
            echo "save out $tmp/${each% *}.raw"
        done
        echo 'array sums i32 16; array count i32 1 zero; array total i32 1 zero'
        echo 'launch last<<<16,32>>>(sums, count, total); print total'
        echo 'array got i32 8; launch flag<<<16,32>>>(got); print got'
    } >"$tmp/right.lab"
    lab "$tmp/right.lab"
    status_is 0 "$schedule: all run, and nothing is found"
    out_like '0: +136$' "$schedule: clusters that count themselves add all up"
    out_like '0: +4711 +4711 +4711 +4711 +4711 +4711 +4711 +4711' "$schedule: a flag in another block"
    # N threads a cluster, whose blocks are next to each other only in 1D: each value comes once a
    # cluster, and at a block's first thread it is the last of a block.
    for each in 'two 128' 'four 256' 'eight 512' 'split 256' 'square 256' 'tall 256'; do
        wanted=$(seq 0 1023 | awk -v n="${each#* }" '{ print $1 % n }' | sort -n | cksum)
        is "$(numbers "${each% *}" | sort -n | cksum)" \
            "$wanted" "$schedule: ${each% *}: each number once a cluster"
    done
    is "$(numbers four | sed -n '1p;65p;257p' | tr '\n' ' ')" \
        '255 191 255 ' "$schedule: four: turned round within the cluster"
done

# ---- wrong ones ---------------------------------------------------------------------------

# wrong KERNEL GRID SCHEDULE KIND SAYS
wrong() {
    say_json "set schedule $3; load $tmp/k.cu; array out i32 1024; launch $1<<<$2,64>>>(out)"
    status_is 1 "$1, $3: fails"
    is "$(sed -n "s/.*\"kind\":\"\($4\)\".*/\1/p" "$out" | head -1)" "$4" "$1, $3: $4"
    err_has "$5" "$1, $3: and why"
}
for schedule in lockstep random:3 independent:2; do
    wrong nobegin 8 $schedule race-shared 'and nothing orders the two'
    wrong noend 8 $schedule use-after-free 'which has ended: its shared memory is gone'
    wrong nowait 8 $schedule race-shared 'of block'
    wrong some 8 $schedule deadlock "at the cluster's barrier"
    wrong nobody 8 $schedule use-after-free 'of block 2 of its cluster, which has ended'
    wrong adds 2 $schedule race-shared 'and nothing orders the two'
    wrong unset 2 $schedule uninitialized 'which no thread of its cluster has written'
    wrong beyond 4 $schedule out-of-bounds 'of block 4 of its cluster, whose last one is block 3'
    wrong four 6 $schedule bad-launch 'must be a multiple'
done
# Even where all blocks happen to be there still.
say "load $tmp/k.cu; array out i32 1024; launch nowait<<<4,64>>>(out)"
err_has 'may have ended by then: no barrier of the cluster keeps it' 'a block that could end too early'

say_json "load $tmp/k.cu; array out i32 1024; launch nobegin<<<8,64>>>(out)"
json_is '3:.faults[0].cure' cluster-sync 'two blocks of a cluster: its barrier'

# ---- the size by the launch ---------------------------------------------------------------

cat >"$tmp/free.cu" <<'END'
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
extern "C" __global__ void ring(int *out) // each block takes what the next one of its cluster left
{
    __shared__ int mine;
    cg::cluster_group c = cg::this_cluster();
    int block = blockIdx.y * gridDim.x + blockIdx.x;
    mine = 10 * block;
    c.sync();
    out[block] = 1000 * c.num_blocks() + *c.map_shared_rank(&mine, (c.block_rank() + 1) % c.num_blocks());
    c.sync();
}
extern "C" __global__ void __cluster_dims__(2, 1, 1) fixed(int *out)
{
    out[blockIdx.x] = cg::this_cluster().num_blocks();
}
END
free="load $tmp/free.cu; array out i32 8"
gives "$free; launch ring<<<8,1>>>(out) --cluster 4; print out" \
    '[4010,4020,4030,4000,4050,4060,4070,4040]' 'clusters of four'
gives "$free; launch ring<<<8,1>>>(out) --cluster 4; launch; print out" \
    '[4010,4020,4030,4000,4050,4060,4070,4040]' 'launch alone keeps the size'
gives "$free; launch ring<<<8,1>>>(out) --cluster 4; launch ring<<<8,1>>>(out); print out" \
    '[1000,1010,1020,1030,1040,1050,1060,1070]' 'another launch does not'
gives "$free; launch ring<<<4x2,1>>>(out) --cluster 2x2; print out" \
    '[4010,4040,4030,4060,4050,4000,4070,4020]' 'clusters of two by two'
gives "$free; launch fixed<<<8,1>>>(out) --cluster 2; print out" '[2,2,2,2,2,2,2,2]' \
    "the kernel's own size may be said again"
say_json "$free; launch ring<<<8,1>>>(out) --cluster 2"
json_is 3:.result.cluster '[2,1,1]' 'JSON has the size'
say "$free; launch ring<<<8,1>>>(out) --cluster 2"
out_like 'clusters +2 blocks in each' 'and so does the screen'

# bad LAUNCH SAYS
bad() {
    say_json "$free; launch $1"
    json_is '3:.faults[0].kind' bad-launch "$1: bad-launch"
    err_has "$2" "$1: and why"
}
bad 'fixed<<<8,1>>>(out) --cluster 4' "by __cluster_dims__, and a launch can't change that"
bad 'ring<<<8,1>>>(out) --cluster 3' 'must be a multiple'
bad 'ring<<<32,1>>>(out) --cluster 16' '16 blocks in a cluster: at most 8'
say_json "set device sim:a100; load help:load; array y f32 4 value:1; launch scale<<<4,1>>>(y, 4) --cluster 2"
json_is '4:.faults[0].kind' bad-launch 'an A100 takes no such launch'

say "load $tmp/k.cu; array out i32 1024; launch four<<<8,64>>>(out)" --device sim:a100
err_has 'a cluster of blocks needs compute capability 9.0; this device has 8.0' 'an A100 has none'
done_testing
