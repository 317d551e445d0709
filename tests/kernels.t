#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# What the compilers must have left standing in the kernels' PTX.
#
# A lab that shows a bug needs the bug to survive optimisation, and one that counts accesses needs
# them neither split nor merged.  PTXDIR names the folders to look in, separated by colons, one a
# compiler (default: kernels/ptx).  What isn't there is skipped.

PTXDIR=${PTXDIR:-kernels/ptx}
trap_kernels='atomic shuffle shared block_shuffle block_1024 block_shared two_barriers samebank
    gridstride race private init_race norange noscale partial lockstep zerofill nobarrier reuse'
number=0

# report TRUTH NAME: one line of TAP; TRUTH is 0 for success.
report() {
    number=$((number + 1))
    if [ "$1" -eq 0 ]; then
        echo "ok $number - $2"
    else
        echo "not ok $number - $2"
    fi
}

skip() {
    number=$((number + 1))
    echo "ok $number # SKIP $1"
}

# code KERNEL: its instructions, without line information and comments.
code() {
    sed -n "/\.entry $1(/,/^}/p" "$ptx" | sed -e 's|//.*||' -e '/^[[:space:]]*\.loc/d'
}

# count KERNEL REGEX: how many lines of the kernel match.
count() {
    code "$1" | grep -c -E -e "$2"
}

# expect KERNEL REGEX OPERATOR NUMBER WHY, as in
# expect trap_race 'atom' -eq 0 "..."
expect() {
    found=$(count "$1" "$2")
    if test "$found" "$3" "$4"; then
        report 0 "$name: $1: $5"
    else
        report 1 "$name: $1: $5"
        echo "# $found lines match $2, wanted $3 $4"
    fi
}

# same KERNEL1 KERNEL2 REGEX DIFFERENCE WHY: KERNEL1 has DIFFERENCE more of them.
same() {
    test "$(count "$1" "$3")" -eq $(($(count "$2" "$3") + $4))
    report $? "$name: $1: $5"
}

check_trap() {
    for k in $trap_kernels; do
        expect "trap_$k" 'ret;' -ge 1 'is there'
    done
    for k in atomic shuffle shared block_shuffle block_1024 block_shared two_barriers samebank \
        gridstride init_race norange noscale partial lockstep zerofill nobarrier reuse; do
        expect "trap_$k" 'atom\.global\.add\.f32|red\.global\.add\.f32' -eq 1 'adds atomically once'
    done

    expect trap_race 'atom|red\.' -eq 0 'no atomic'
    expect trap_race 'ld\.global\.f32' -eq 1 'a plain load'
    expect trap_race 'st\.global\.f32' -eq 1 'a plain store'

    expect trap_private 'atom|red\.' -eq 0 'no atomic'
    expect trap_private '%SP.*\],|st\..*local.*\],' -ge 3 "stores to each thread's own trap"
    expect trap_private 'st\.global\.f32' -eq 1 'only thread 0 stores a result'

    expect trap_init_race 'st\.global\.f32' -eq 1 'a plain store beside the atomics'
    expect trap_norange 'bra|setp' -eq 0 'no test of the index'
    same trap_noscale trap_shuffle ';' 0 'the same code as shuffle'
    expect trap_partial 'shfl\.sync\.down\.b32' -eq 5 'five shuffles'
    expect trap_partial '[[:space:]]-1;' -ge 1 'whose mask promises 32 lanes'

    expect trap_shared 'bar\.warp\.sync' -ge 10 'warp barriers'
    expect trap_lockstep 'bar\.' -eq 0 'no barrier of any kind'
    expect trap_lockstep 'shfl' -eq 0 'no shuffle that would act as one'
    expect trap_lockstep 'ld\.volatile\.shared' -eq 11 'two loads a step, and the result'
    expect trap_lockstep 'st\.volatile\.shared' -eq 6 'one store a step, and the start'

    expect trap_zerofill 'bar\.sync' -eq 1 'one barrier'
    expect trap_zerofill 'st\.volatile\.shared' -eq 7 'the warp sum, the zeros, one store a step'

    expect trap_block_shuffle 'bar\.sync' -eq 1 'one barrier'
    same trap_nobarrier trap_block_shuffle 'bar\.sync' -1 'one barrier fewer than block-shuffle'
    expect trap_nobarrier 'st\.shared' -eq 1 'the store of a warp sum'
    expect trap_nobarrier 'ld\.shared' -eq 1 'the load of the warp sums'
    expect trap_two_barriers 'bar\.sync' -eq 2 'two barriers'
    same trap_reuse trap_two_barriers 'bar\.sync' -1 'one barrier fewer than two-barriers'
    same trap_reuse trap_two_barriers 'st\.shared' 0 'the same stores as two-barriers'
    expect trap_samebank 'bar\.sync' -eq 1 'one barrier'
}

check_inlined() {
    for k in $trap_kernels; do
        expect "trap_$k" 'call' -eq 0 'f is inlined'
    done
}

check_called() {
    grep -q '\.func *(\.param \.b32 func_retval0) trap_f($' "$ptx"
    report $? "$name: trap_f returns through .param .b32 func_retval0"
    grep -q '^[[:space:]]*\.param \.b32 trap_f_param_0$' "$ptx"
    report $? "$name: trap_f takes a .param .b32"
    for k in $trap_kernels; do
        expect "trap_$k" '^[[:space:]]*trap_f,' -ge 1 'f is called'
    done
}

check_sumtree() {
    for k in linear noguard tree shuffle dissemination butterfly; do
        expect "sumtree_$k" 'atom\.global\.add\.f32|red\.global\.add\.f32' -ge 1 'adds atomically'
    done
    for k in shuffle:down butterfly:bfly; do
        expect "sumtree_${k%:*}" "shfl\.sync\.${k#*:}\.b32" -ge 1 'its shuffle'
        expect "sumtree_${k%:*}" 'shared' -eq 0 'no shared memory'
    done
    for k in tree dissemination; do
        expect "sumtree_$k" 'shfl' -eq 0 'no shuffle'
        expect "sumtree_$k" 'bar\.' -ge 1 'barriers'
    done
    same sumtree_linear sumtree_noguard 'setp' 1 'noguard lacks one test'
}

check_sum() {
    for k in atomic thread0 shared0 tree shuffle vector best nobarrier nobarrier2; do
        expect "sum_$k" 'atom\.global\.add\.f32|red\.global\.add\.f32' -eq 1 'adds atomically once'
    done
    expect sum_race 'atom|red\.' -eq 0 'no atomic'
    expect sum_race 'ld\.global\.f32' -eq 2 'plain loads of an element and the sum'
    expect sum_race 'st\.global\.f32' -eq 1 'a plain store'
    for k in vector best; do
        expect "sum_$k" 'ld\.global(\.nc)?\.v4\.[fbu]32' -ge 1 'loads of 16 bytes'
    done
    expect sum_shared0 'bar\.sync' -eq 1 'one barrier'
    expect sum_nobarrier 'bar\.' -eq 0 'no barrier'
    expect sum_nobarrier 'st\.shared' -eq 1 'the store that nobody waits for'
    expect sum_nobarrier2 'bar\.' -eq 1 'the first barrier alone'
    expect sum_nobarrier2 'ld\.shared' -ge 2 'each step reads what others stored'
}

check_dot() {
    for k in atomic shared_atomic shuffle_atomic gridstride best nonpow2; do
        expect "dot_$k" 'atom\.global\.add\.f32|red\.global\.add\.f32' -eq 1 'adds atomically once'
    done
    for k in partials finish; do
        expect "dot_$k" 'atom\.|[[:space:]]red\.' -eq 0 'no atomic'
        expect "dot_$k" 'st\.global\.f32' -eq 1 'one store'
    done
    expect dot_best 'ld\.global.*\.v4\.f32' -ge 2 'loads four elements of each array'
    expect dot_nonpow2 'bar\.sync' -ge 1 'its barrier'
}

check_hello() {
    expect hello 'vprintf,' -eq 1 'prints once'
    expect hello3d 'vprintf,' -eq 1 'prints once'
}

# Its function is where the student's formula goes.
check_grid() {
    grep -q '\.func *(\.param \.b32 func_retval0) grid_index()' "$ptx"
    report $? "$name: grid_index returns through .param .b32 func_retval0"
    expect grid '^[[:space:]]*grid_index,' -ge 1 'calls it'
    expect grid 'atom\.global\.add\.u32|red\.global\.add\.u32' -eq 1 'counts atomically'
}

check_relaunch() {
    expect relaunch_loop 'ld\.global\.f32' -eq 2 'two loads'
    expect relaunch_loop 'st\.global\.f32' -eq 1 'one store'
    expect relaunch_loop '@.* bra' -ge 2 'in a loop'
    ! code relaunch_loop | awk '/^[$A-Z_0-9a-z]*:/ { inside++ }
        /(ld|st)\.global/ && !inside { found = 1 }
        END { exit !found }'
    report $? "$name: relaunch_loop: neither before the loop"
}

check_return() {
    for k in pointer global; do
        expect "return_$k" 'st\.global\.u32' -eq 1 'stores its result'
    done
    grep -q '\.global \.align 4 \.u32 sum' "$ptx"
    report $? "$name: sum is a variable under its own name"
}

# Each coefficient is one load from the memory of its variant; nothing merges or drops one.
check_normcdf() {
    expect normcdf_registers 'ld\.(shared|const|local)' -eq 0 'the coefficients need no load'
    expect normcdf_shared 'ld\.shared\.f32' -eq 7 '7 loads from shared memory'
    expect normcdf_nobarrier 'ld\.shared\.f32' -eq 7 '7 loads from shared memory'
    expect normcdf_constant 'ld\.const\.f32' -eq 7 '7 loads from constant memory'
    expect normcdf_paren 'ld\.const\.f32' -eq 7 '7 loads from constant memory'
    expect normcdf_global 'ld\.global(\.nc)?\.f32' -eq 8 'x and 7 loads from global memory'
    for k in registers constant library paren cancel; do
        expect "normcdf_$k" 'ld\.global' -eq 1 'only x is in global memory'
    done
    expect normcdf_shared 'bar\.sync' -eq 1 'one barrier'
    expect normcdf_nobarrier 'bar\.' -eq 0 'no barrier'
    same normcdf_cancel normcdf_registers 'ld\.|st\.' 0 'the same accesses as registers'
}

check_stencil() {
    expect stencil_global 'shared' -eq 0 'no tile'
    expect stencil_vector 'ld\.global.*\.v4\.' -ge 1 'loads of four elements'
    expect stencil_vector 'st\.global.*\.v4\.' -eq 1 'a store of four sums'
    expect stencil_vector 'shared|local' -eq 0 'no tile, and sums in registers'
    expect stencil_shared 'bar\.sync' -eq 1 'one barrier'
    expect stencil_nobarrier 'bar\.' -eq 0 'no barrier'
    for k in shared nobarrier noleft noright; do
        expect "stencil_$k" 'st\.shared' -ge 1 'stores its tile'
        expect "stencil_$k" 'ld\.global.*\.v[24]' -eq 0 'loads one element at a time'
    done
    same stencil_nobarrier stencil_shared 'st\.shared' 0 'the same stores as shared'
}

check_laplace() {
    expect laplace_global 'ld\.global.*\.f32' -eq 5 'the point, or four neighbours'
    expect laplace_noguard 'ld\.global.*\.f32' -eq 5 'the same loads'
    expect laplace_global 'f64' -eq 0 'no double'
    expect laplace_shared 'bar\.sync' -eq 1 'one barrier'
    expect laplace_vector 'ld\.global.*\.v4\.f32' -eq 3 'loads three rows by fours'
    expect laplace_vector 'st\.global.*\.v4\.f32' -eq 1 'and stores four points'
    for k in global shared vector noguard; do
        expect "laplace_$k" 'fma' -eq 0 'rounds each operation'
    done
}

check_heat() {
    for k in global vector texture shared; do
        expect "heat_$k" 'fma' -eq 0 'rounds each operation'
    done
    expect heat_vector 'ld\.global.*\.v4\.f32' -eq 4 'loads three rows and the heaters by fours'
    expect heat_vector 'st\.global.*\.v4\.f32' -eq 1 'and stores four cells'
    for k in global texture shared; do
        expect "heat_$k" 'mul\.rn\.f32' -eq 1 'a product that is not fused'
    done
    expect heat_global 'ld\.global.*\.f32' -eq 6 'the cell, its heater, four neighbours'
    expect heat_texture 'tex\.2d' -eq 5 'five reads of the texture'
    expect heat_texture 'ld\.global.*\.f32' -eq 1 'the heater alone is loaded'
    expect heat_shared 'bar\.sync' -eq 1 'one barrier'
}

check_laws() {
    expect laws_work 'st\.global\.u32' -ge 1 'it stores the result of each item'
    expect laws_work '@.* bra' -ge 2 'loops over items and rounds'
}

check_scale() {
    for k in trap sum add; do
        expect "scale_$k" 'st\.global\.f32' -eq 1 'thread 0 stores the sum of its block'
        expect "scale_$k" 'shfl\.sync' -ge 5 'warps add by shuffle'
    done
}

check_vecadd() {
    for k in both blocks threads gridstride noguard; do
        expect "vecadd_$k" 'st\.global\.f32' -ge 1 'stores'
        expect "vecadd_$k" 'ld\.global.*\.v[24]' -eq 0 'loads one element at a time'
    done
    expect vecadd_noguard 'setp|bra' -eq 0 'no test of the index'
    expect vecadd_noguard 'ld\.global(\.nc)?\.f32' -eq 2 'two loads'
    expect vecadd_both 'setp' -eq 1 'one test of the index'
}

check_shuffles() {
    for pair in down:down up:up xor:bfly idx:idx; do
        k=shfl_${pair%:*}
        expect "$k" "shfl\.sync\.${pair#*:}\.b32" -eq 1 'one shuffle of its kind'
        expect "$k" 'shfl\.' -eq 1 'no other'
        expect "$k" '@.* bra' -ge 1 'in a branch'
    done
}

# The pattern is one access of full width; the others are a word a lane.
check_banks() {
    expect banks4 'ld\.shared' -eq 1 'one load'
    expect banks8 'ld\.shared' -eq 1 'one load'
    expect banks8 'ld\.shared\.v2\.[fbu]32|ld\.shared\.[fbu]64' -eq 1 'of 8 bytes'
    expect banks16 'ld\.shared' -eq 1 'one load'
    expect banks16 'ld\.shared\.v4\.[fbu]32|ld\.shared\.v2\.[fbu]64' -eq 1 'of 16 bytes'
    expect banks4_store 'st\.shared' -eq 2 'one store beside that of the filling'
    expect banks8_store 'st\.shared' -eq 2 'one store beside that of the filling'
    expect banks8_store 'st\.shared\.v2\.[fbu]32|st\.shared\.[fbu]64' -eq 1 'of 8 bytes'
    expect banks16_store 'st\.shared' -eq 2 'one store beside that of the filling'
    expect banks16_store 'st\.shared\.v4\.[fbu]32|st\.shared\.v2\.[fbu]64' -eq 1 'of 16 bytes'
    for k in banks4 banks8 banks16; do
        expect "$k" 'st\.shared\.[fbu]32' -eq 1 'filled a word a lane'
    done
}

# A load is neither split nor repeated: its pattern is what is counted.
check_coalesce() {
    expect coalesce1 'ld\.global(\.nc)?\.[us]8' -eq 1 'one load of a byte'
    expect coalesce2 'ld\.global(\.nc)?\.[us]16' -eq 1 'one load of two bytes'
    expect coalesce8 'ld\.global(\.nc)?\.(v2\.[fbu]32|[fbu]64)' -eq 1 'one load of 8 bytes'
    for k in coalesce16 coalesce_vector; do
        expect "$k" 'ld\.global(\.nc)?\.(v4\.[fbu]32|v2\.[fbu]64)' -eq 1 'one load of 16 bytes'
    done
    for k in coalesce1 coalesce2 coalesce4 coalesce8 coalesce16 coalesce_aos coalesce_soa coalesce_aosoa \
        coalesce_vector coalesce_staged coalesce_nobarrier; do
        expect "$k" 'ld\.global' -eq 1 'one load from global memory'
    done
    expect coalesce_random 'ld\.global' -eq 2 'the index, and the element'
    expect coalesce_staged 'bar(rier)?(\.cta)?\.sync' -eq 1 'one barrier'
    same coalesce_nobarrier coalesce_staged 'bar(rier)?(\.cta)?\.sync' -1 'one barrier fewer than staged'
    same coalesce_nobarrier coalesce_staged '[ls][dt]\.shared' 0 'the same loads and stores as staged'
}

# Each element is loaded once from global memory, and `best` and `copy` have a path by fours.
check_transpose() {
    for k in naive_read naive_write tiled padded swizzled nobarrier sameplace; do
        expect "transpose_$k" 'ld\.global(\.nc)?\.[fbu]32' -eq 1 'one load from global memory'
        expect "transpose_$k" 'st\.global\.[fbu]32' -eq 1 'one store to global memory'
    done
    expect transpose_rows4 'ld\.global(\.nc)?\.[fbu]32' -eq 4 'four loads from global memory'
    for k in best copy; do
        expect "transpose_$k" 'ld\.global(\.nc)?\.v4' -eq 4 'four loads of 16 bytes'
        expect "transpose_$k" 'st\.global\.v4' -eq 4 'four stores of 16 bytes'
        expect "transpose_$k" 'local' -eq 0 'the elements of a thread are in registers'
    done
    for k in tiled padded swizzled rows4 best sameplace; do
        expect "transpose_$k" 'bar(rier)?(\.cta)?\.sync' -eq 1 'one barrier'
    done
    expect transpose_copy 'shared' -eq 0 'no tile'
    same transpose_nobarrier transpose_padded 'bar(rier)?(\.cta)?\.sync' -1 'one barrier fewer than padded'
    same transpose_nobarrier transpose_padded '[ls][dt]\.(shared|global)' 0 'the same loads and stores as padded'
}

# The branches stay where a lab shows them, and none is where it shows none.
check_diverge() {
    for k in lane data return meet nosync; do
        expect "diverge_$k" '@.* bra' -ge 2 'the test of the index, and the branch'
    done
    expect diverge_select '@.* bra' -eq 1 'only the test of the index'
    expect diverge_select 'selp' -ge 1 'a selection'
    expect diverge_switch '@.* bra|brx' -ge 2 'branches to the cases'
    expect diverge_switch 'st\.volatile' -ge 8 'a store in each case'
    expect diverge_lane 'st\.volatile' -eq 2 'a store on each side'
    expect diverge_data 'st\.volatile' -eq 2 'a store on each side'
    expect diverge_loop '@.* bra' -ge 2 'a loop'
    for k in meet nosync; do
        expect "diverge_$k" 'st\.volatile.*shared|st\.shared' -eq 2 'a store on each side'
    done
    expect diverge_meet 'bar\.warp\.sync' -eq 1 'one barrier of the warp'
    expect diverge_nosync 'bar' -eq 0 'no barrier'
}

# Each wrong barrier stands where it is wrong, and none was merged with another.
check_barriers() {
    barrier='bar(rier)?(\.cta)?\.sync'
    for k in block outside branch return named miscount; do
        expect "barrier_$k" "$barrier" -eq 1 'one barrier'
    done
    expect barrier_later "$barrier" -eq 2 'a barrier in the branch, one behind it'
    expect barrier_sides "$barrier" -eq 2 'a barrier in each side'
    expect barrier_fullmask "$barrier" -eq 1 'a barrier of the block'
    expect barrier_fullmask 'bar\.warp\.sync[[:space:]]+-1' -eq 1 'and one of all 32 lanes'
    expect barrier_tiles 'bar\.warp\.sync[[:space:]]+%r' -eq 1 'a barrier of lanes, by a mask'
    expect barrier_miscount 'mov\.u32.*%ntid' -ge 1 'which asks how large the block is'
    expect barrier_grid 'envreg[12]' -ge 1 'it asks for the grid to wait in'
    expect barrier_grid 'trap;' -ge 1 'and traps where there is none'
    expect barrier_flag 'ld\.volatile' -ge 1 'the counter is read anew'
}

# Each way to have shared memory stays what it is, and the wrong ones keep what makes them wrong.
# An exchange loads both elements and stores both; what does not wait for the grid waits for a block.
check_oddeven() {
    for k in step coop coop_stride bitonic batcher blocksync; do
        expect "oddeven_$k" 'ld\.global' -ge 2 'loads both elements'
        expect "oddeven_$k" 'st\.global' -ge 2 'and stores both'
    done
    expect oddeven_coop 'trap;' -ge 1 'it traps where there is no grid to wait for'
    expect oddeven_blocksync 'trap;|envreg' -eq 0 'it asks for no grid'
    expect oddeven_blocksync 'bar(rier)?(\.cta)?\.sync' -ge 1 'only for the block'
    expect oddeven_chunks 'bar(rier)?(\.cta)?\.sync' -ge 2 'a barrier in the loop, one after it'
}

# Accesses of the solver are neither merged nor made wider: the passes that are counted are its own.
check_ldlt() {
    for k in shared padded staged noguard; do
        expect "ldlt_$k" 'ld\.shared\.v|st\.shared\.v' -eq 0 'no wide access to shared memory'
        expect "ldlt_$k" 'ld\.shared' -ge 8 'it works in shared memory'
        expect "ldlt_$k" 'ld\.local|st\.local' -eq 0 'and not in local memory'
    done
    expect ldlt_staged 'bar(rier)?(\.cta)?\.sync' -eq 2 'two barriers'
    expect ldlt_padded 'bar(rier)?(\.cta)?\.sync' -eq 0 'no barrier'
    expect ldlt_global 'shared' -eq 0 'no shared memory'
    same ldlt_noguard ldlt_shared 'setp.*' -1 'one test fewer'
}

# The wrong kernels leave out a store, or the number of the thread.
check_pi() {
    for k in sequence seeds own saved oneseed unsaved; do
        expect "pi_$k" 'atom\.global\.add\.u64|red\.global\.add\.u64' -eq 1 'adds its hits once'
    done
    expect pi_normal 'atom\.global\.add\.u64|red\.global\.add\.u64' -eq 3 'counts to three bounds'
    expect pi_unsaved 'ld\.global' -ge 3 'loads the state'
    expect pi_unsaved 'st\.global' -le 2 'and stores only the first point'
    expect pi_saved 'st\.global' -ge 3 'stores the state too'
    expect pi_own 'st\.global|ld\.local' -le 2 'no state at all'
}

# It is for 9.0, each kernel says how large its clusters are, and the wrong ones lack one barrier.
check_clusters() {
    grep -q '^\.target sm_90' "$ptx"
    report $? "$name: is for 9.0"
    for k in cluster cluster_nosync cluster_noend; do
        expect "barrier_$k" '\.reqnctapercluster[[:space:]]+4, 1, 1' -eq 1 'four blocks a cluster'
        expect "barrier_$k" 'mapa\.u64' -eq 1 "another block's shared memory"
    done
    for half in arrive wait; do
        expect barrier_cluster "barrier\.cluster\.$half" -eq 2 'two barriers of the cluster'
        expect barrier_cluster_nosync "barrier\.cluster\.$half" -eq 1 'one of the cluster'
        expect barrier_cluster_noend "barrier\.cluster\.$half" -eq 1 'one of the cluster'
    done
    expect barrier_cluster_nosync 'bar(rier)?(\.cta)?\.sync' -eq 1 'and one of the block'
}

check_shared() {
    for k in extern two big overlap nobarrier; do
        expect "mirror_$k" '\.shared \.align .*tile\[[0-9]' -eq 0 'no array of fixed size'
    done
    expect mirror_static 'bar\.sync|barrier\.sync' -eq 1 'one barrier'
    grep -q '\.shared .*mirror_static.*tile\[4096\]' "$ptx"
    report $? "$name: mirror_static: has 4,096 bytes of its own"
    grep -q '\.extern \.shared .*tile\[\]' "$ptx"
    report $? "$name: the launch's array has no size"
    for k in static extern nobarrier; do
        expect "mirror_$k" 'st\.shared' -eq 1 'one store'
        expect "mirror_$k" 'ld\.shared' -eq 1 'one load'
    done
    expect mirror_nobarrier 'bar\.' -eq 0 'no barrier'
    for k in two overlap; do
        expect "mirror_$k" 'st\.shared' -eq 2 'two stores'
        expect "mirror_$k" 'ld\.shared' -eq 2 'two loads'
    done
}

# One atomic each, whose old value is kept; the wrong one has a load and a store.
check_atomics() {
    for pair in add:add sub:add min:min max:max and:and or:or xor:xor exch:exch cas:cas \
        inc:inc dec:dec; do
        expect "atomics_${pair%:*}" "atom(\\.global)?\\.${pair#*:}\\." -eq 1 'one atomic'
    done
    expect atomics_f64 'atom\.global\.add\.f64' -eq 1 'one atomic, of doubles'
    expect atomics_f64_cas 'atom\.global\.cas\.b64' -ge 1 'compare and swap'
    expect atomics_cas_loop 'atom\.global\.cas\.b32' -ge 1 'compare and swap'
    expect atomics_plain 'atom\.|red\.' -eq 0 'no atomic'
    expect atomics_plain 'ld\.volatile\.global' -eq 1 'one load of x'
    expect atomics_plain 'st\.volatile\.global' -eq 1 'one store'
}

check_errors() {
    expect twice 'st\.global' -eq 1 'one store'
    expect twice_trap '^[^a-z]*(@%p[0-9]+ )?trap;' -ge 1 'a trap'
    expect twice_assert '__assertfail' -ge 1 'an assertion'
}

check_timing() {
    expect work 'bra' -ge 2 'a loop that stays one'
    expect work 'ld\.global' -eq 1 'one load'
    expect work 'st\.global' -eq 1 'one store'
}

check_devquery() {
    for register in nsmid smid nwarpid warpid laneid total_smem_size; do
        expect device_says "%$register;" -eq 1 "reads %$register"
    done
}

# Each memory is touched where the lab says so, and nowhere else.
check_memory() {
    expect touch_each 'ld\.local' -eq 1 'one load from local memory'
    expect touch_each 'ld\.const' -eq 1 'one from constant memory'
    expect touch_each 'ld\.shared' -eq 1 'one from shared memory'
    expect touch_each 'ld\.global' -eq 1 'one from global memory'
    expect through_symbols 'ld\.const' -eq 1 'the loop over the terms stays one'
    expect through_symbols '\[where\]' -eq 1 'the pointer is read from its variable'
    expect bins_in_registers 'local' -eq 0 'nothing local'
    expect bins_in_registers 'ld\.global' -eq 1 'the loop over the keys stays one'
    expect bins_in_local 'ld\.local' -eq 2 'a load for a key, another for a bin'
    expect bins_in_local 'st\.local' -eq 2 'as many stores'
    expect bins_in_local '[ls][dt]\.local\.v' -eq 0 'none of them merged'
    expect bins_in_shared 'local' -eq 0 'nothing local'
    expect fill_shared 'ld\.shared' -eq 1 'a word at a time'
}

# A chase is one load in its loop, of the kind it is named for, between two readings of the clock.
check_latency() {
    for k in register shared l1 l2 constant; do
        expect "chase_$k" 'clock64' -eq 2 'the clock is read twice'
    done
    expect chase_register 'fma\.rn\.f32' -ge 33 'a chain of multiply-adds'
    expect chase_register 'ld\.(global|shared|const|local)' -eq 0 'and no load'
    expect chase_shared 'ld\.volatile\.shared' -eq 2 'a load in each loop'
    expect chase_l1 'ld\.global\.ca\.u64' -eq 2 'a load in each loop'
    expect chase_l2 'ld\.global\.cg\.u64' -eq 2 'a load in each loop'
    expect chase_constant 'ld\.const\.u32' -eq 2 'a load in each loop'
}

# The loads that mapped memory is about, and loops that the compiler keeps.
check_hostmem() {
    expect hostmem_work 'ld\.volatile(\.global)?\.u?b?32' -eq 1 'a load in each pass'
    expect hostmem_work 'bra' -ge 2 'and the loop of the passes'
    expect hostmem_set 'ld\.(volatile\.)?global' -eq 0 'the kernel of the notes reads nothing'
}
check_streams() {
    expect streams_add 'bra' -ge 2 'the loop of the rounds'
    expect streams_add '(mad|mul)\.lo' -ge 1 'and the multiplication of a round'
}

# Each round has its forced accesses, one of each kind, and the rounds are not taken together.
check_memspeed() {
    expect memspeed_registers '(ld|st)\.(volatile\.)?(shared|const|local)' -eq 0 'nothing but x and y'
    expect memspeed_registers '(mad|mul)\.lo' -ge 2 'the multiplication of a round'
    expect memspeed_registers 'bra' -ge 2 'and its loop'
    for k in shared short; do
        expect "memspeed_$k" 'ld\.volatile\.shared' -eq 1 'a load in its round'
        expect "memspeed_$k" 'st\.volatile\.shared' -eq 1 'a store in its round'
    done
    for k in global sameplace; do
        expect "memspeed_$k" 'ld\.volatile(\.global)?\.u?b?32' -eq 1 'a load in its round'
        expect "memspeed_$k" 'st\.volatile(\.global)?\.u?b?32' -eq 1 'a store in its round'
    done
    expect memspeed_constant 'ld\.const' -eq 1 'a word in its round'
    expect memspeed_table 'ld\.volatile' -eq 1 'a word in its round'
    for k in registers shared global; do
        expect "memspeed_${k}_written" 'ld\.(shared|local)' -eq 0 'its loads are gone'
        expect "memspeed_${k}_written" '(ld|st)\.volatile' -eq 0 'nothing is forced'
    done
}

# A turn is 32 of the kind in question, neither merged nor narrowed.
check_throughput() {
    expect run_f32 'fma\.rn\.f32' -eq 32 '32 float multiply-adds'
    expect run_f32 'f64' -eq 0 'and no double'
    expect run_f64 'fma\.rn\.f64' -eq 32 '32 double multiply-adds'
    expect run_promoted 'add(\.rn)?\.f64' -eq 32 'each sum is a double'
    expect run_promoted 'cvt\.rn\.f32\.f64' -eq 32 'and converted back'
    expect run_f16 'fma\.rn\.f16x2' -eq 32 '32 of two halves'
    expect run_int_add 'add\.u32' -eq 32 '32 additions'
    expect run_int_mul 'mad\.lo\.u32' -eq 32 '32 multiply-adds'
    for f in rcp rsqrt lg2 ex2 sin cos; do
        expect "run_$f" "$f\.approx\.ftz\.f32" -eq 32 '32 of its function'
    done
    for k in f32 f64 promoted f16 int_add int_mul rcp; do
        expect "run_$k" 'clock64' -eq 2 'the clock is read twice'
    done
}

check_waves() {
    for register in globaltimer smid; do
        expect waves_blocks "%$register;" -ge 1 "reads %$register"
    done
    expect waves_blocks 'bar\.sync' -eq 1 'its end is that of all its warps'
    expect waves_blocks 'mad\.lo|mul\.lo' -ge 1 'the chain of steps is there'
    expect waves_warps '%clock64;' -eq 2 'reads the clock before and after'
    expect waves_warps 'ld\.global\.(nc\.)?[bu]32' -ge 1 'the load is there'
}

# The loads are those that the lab predicts, and the sums of a tile stay in registers.
check_matmul() {
    for k in oneblock naive naive_rowx tiled16 tiled32 regtile regtile8 wide double nobarrier1 \
        nobarrier2; do
        expect "matmul_$k" 'local' -eq 0 'nothing local'
        expect "matmul_$k" 'fma\.rn\.f32' -ge 1 'fused multiply-adds'
    done
    for k in tiled16 tiled32 regtile regtile8 wide double; do
        expect "matmul_$k" 'bar\.sync' -eq 2 'two barriers'
    done
    for k in nobarrier1 nobarrier2; do
        expect "matmul_$k" 'bar\.sync' -eq 1 'one barrier'
        same "matmul_$k" matmul_tiled16 '(ld|st)\.(shared|global)' 0 'the same accesses as tiled16'
    done
    for pair in tiled16:32 nobarrier1:32 nobarrier2:32 regtile:128 regtile8:128; do
        expect "matmul_${pair%:*}" 'ld\.shared\.f32' -eq "${pair#*:}" 'loads of one float'
        expect "matmul_${pair%:*}" 'ld\.(shared|global)\.v' -eq 0 'and no wide ones'
    done
    expect matmul_regtile 'fma\.rn\.f32' -eq 256 '16 products of 16 elements'
    expect matmul_regtile8 'fma\.rn\.f32' -eq 512 '8 products of 64 elements'
    for k in wide double; do
        expect "matmul_$k" 'ld\.shared\.v4\.f32' -eq 32 'loads of 16 bytes from shared memory'
        expect "matmul_$k" 'ld\.global\.v4\.f32' -ge 2 'and from global memory'
    done
    for pair in warptile:2 warptile64:4 warptile32:4; do
        expect "matmul_${pair%:*}" 'local' -eq 0 'nothing local'
        expect "matmul_${pair%:*}" 'bar\.sync' -eq "${pair#*:}" 'two barriers, and two with tests'
    done
    expect matmul_warptile 'ld\.shared\.v4\.f32' -eq 32 'loads of 16 bytes'
    expect matmul_warptile 'ld\.global.*\.f32' -eq 4 'loads of four elements, without tests'
    expect matmul_warptile 'fma\.rn\.f32' -eq 512 '8 products of 64 elements'
    expect matmul_wmma 'wmma\.mma\.sync' -eq 4 'four products of tensor cores'
    expect matmul_wmma 'local' -eq 0 'nothing local'
}

# It is for 8.0: copies of 16 bytes, or of 4 where rows are not aligned.
check_matmul_async() {
    grep -q '^\.target sm_80' "$ptx"
    report $? "$name: is for 8.0"
    expect matmul_async 'cp\.async\.ca\.shared\.global.* 16,' -eq 4 'copies of 16 bytes'
    expect matmul_async 'cp\.async\.ca\.shared\.global.* 4,' -eq 16 'copies of 4 bytes'
    expect matmul_async 'cp\.async\.wait_all' -eq 1 'one wait'
    expect matmul_async 'bar\.sync' -eq 1 'one barrier'
    expect matmul_async 'ld\.shared\.v4\.f32' -eq 32 'loads of 16 bytes'
    expect matmul_async 'local' -eq 0 'nothing local'
}

# Its copies are asynchronous only where all tiles fit.
check_matmul_mma() {
    grep -q '^\.target sm_80' "$ptx"
    report $? "$name: is for 8.0"
    expect matmul_mma 'cp\.async\.cg\.shared\.global.* 16' -eq 36 'copies of 16 bytes: three times 12'
    expect matmul_mma 'mma\.sync' -eq 256 '4 times 32 products, with tests of the size and without'
    expect matmul_mma 'ldmatrix' -eq 80 'fragments of 16 columns: 8 loads, five times, twice'
    expect matmul_mma 'local' -eq 0 'nothing local'
}

# One load of each matrix, one store.
check_matadd() {
    for k in colx rowx flat rowblocks nopitch bytepitch; do
        expect "matadd_$k" 'ld\.global\.f32' -eq 2 'two loads'
        expect "matadd_$k" 'st\.global\.f32' -eq 1 'one store'
    done
}

check_paths() {
    ! grep -q '\.file[[:space:]].*"/' "$ptx"
    report $? "$name: no path of the building machine"
}

# with FILE CHECK...: run the checks on FILE in this folder, or skip them.
with() {
    ptx=$folder/$1
    name=$(basename "$folder")/$1
    shift
    if [ ! -r "$ptx" ]; then
        skip "$ptx isn't built"
        return
    fi
    check_paths
    for check; do
        $check
    done
}

IFS_before=$IFS
IFS=:
set -- $PTXDIR
IFS=$IFS_before
for folder; do
    with trap.ptx check_trap check_inlined
    with trap-f.ptx check_trap check_called
    with hello.ptx check_hello
    with grid.ptx check_grid
    with relaunch.ptx check_relaunch
    with return.ptx check_return
    with vecadd.ptx check_vecadd
    with normcdf.ptx check_normcdf
    with stencil.ptx check_stencil
    with laplace.ptx check_laplace
    with heat.ptx check_heat
    with laws.ptx check_laws
    with scale.ptx check_scale
    with sumtree.ptx check_sumtree
    with sum.ptx check_sum
    with dot.ptx check_dot
    with shfl-trace.ptx check_shuffles
    with banks.ptx check_banks
    with coalesce.ptx check_coalesce
    with transpose.ptx check_transpose
    with devquery.ptx check_devquery
    with memory.ptx check_memory
    with latency.ptx check_latency
    with memspeed.ptx check_memspeed
    with hostmem.ptx check_hostmem
    with streams.ptx check_streams
    with throughput.ptx check_throughput
    with waves.ptx check_waves
    with diverge.ptx check_diverge
    with barrier.ptx check_barriers
    with barrier-cluster.ptx check_clusters
    with oddeven.ptx check_oddeven
    with ldlt.ptx check_ldlt
    with pi.ptx check_pi
    with pi-xorwow.ptx check_pi
    with pi-mrg.ptx check_pi
    with shared.ptx check_shared
    with atomics.ptx check_atomics
    with errors.ptx check_errors
    with timing.ptx check_timing
    with matadd.ptx check_matadd
    with matmul.ptx check_matmul
    with matmul-async.ptx check_matmul_async
    with matmul-mma.ptx check_matmul_mma
done
echo "1..$number"
