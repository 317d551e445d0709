# SPDX-License-Identifier: GPL-3.0-or-later
#
# What outside scripts rely on when a student's kernel goes wrong: the kinds of faults, what
# each object says, and that nothing else is lost. As tests/contract.t, written from the
# published rules, whose words stand in the comments.
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"


cp "$top_srcdir"/tests/contract/* "$tmp"
cd "$tmp" || exit 99
compiler=$(can_load && echo yes)

# "unsupported-instruction"; loading succeeds all the same
say_json 'load unsupported.ptx; array o i32 1 value:1; launch odd<<<1,1>>>(o)
launch fine<<<1,1>>>(o)
print o'
json_is 1:.status ok 'an unknown instruction: loading succeeds'
json_is 3:.status fault 'an unknown instruction: a fault'
json_is '3:.faults[0].kind' unsupported-instruction 'unsupported-instruction'
json_like '3:.faults[0].message' frobnicate 'says which'
json_is '3:.faults[0].ptx_line' "$(grep -n frobnicate unsupported.ptx | cut -d: -f1)" 'and where'
json_absent '3:.faults[0].source' '"line 0 means none": PTX by hand has no source'
json_is '4:.status' ok 'the other kernel runs'

# A pointer gone wrong in PTX by hand, without a compiler.
say_json 'load unsupported.ptx; array o i32 1 value:1; launch fine<<<(2,2),(3,2)>>>(o+1); print o'
json_is '3:.faults[0].kind' out-of-bounds 'out-of-bounds in PTX'
json_is '3:.faults[0].array' o 'out-of-bounds: array'
json_is '3:.faults[0].index' 1 'out-of-bounds: index'
json_is '3:.faults[0].block' '[0,0,0]' 'out-of-bounds: block'
json_is '3:.faults[0].thread' '[0,0,0]' 'out-of-bounds: thread'
json_like '3:.faults[0].ptx_line' '^[1-9]' 'out-of-bounds: ptx_line'
json_like '3:.faults[0].count' '^[1-9]' 'out-of-bounds: count'
json_absent '3:.faults[0].address' 'out-of-bounds: the address is volatile'
json_absent '3:.faults[0].source' 'out-of-bounds: no source in PTX'
json_absent '3:.faults[0].other' 'out-of-bounds: no other'
json_is 4:.result.values '[1]' 'out-of-bounds: as it was'

if test -z "$compiler"; then
    skip 'there is no compiler of CUDA C' 'faults in .cu files'
    done_testing
fi

# ---- each kind that ends a launch ---------------------------------------------------------

line_at() { # line_at FILE TAG: the line that says "// at TAG"
    grep -n "// at $2\$" "$1" | cut -d: -f1
}

# ends KIND TAG CALL [BEFORE]: CALL gives KIND at the line of faults.cu tagged TAG (-: no line),
# and "after a fault that ends the launch, all arrays and module variables hold their bytes from
# before it", "and the next command works".
ends() {
    say_json "load faults.cu; array o i32 4 iota; array p i32 4 value:2; array f i32 1 zero
fill seen value:6; ${4:-show seed}
launch $3
print o; print p; print seen; launch fine<<<1,1>>>(o); print o[0]" --step-limit 100000
    at=$(($(wc -l <"$out") - 5))
    json_is $at:.status fault "$1: status"
    json_is "$at:.faults[0].kind" "$1" "$1: kind"
    json_is $at:.faults.# 1 "$1: one fault"
    json_like "$at:.faults[0].message" '[a-z] [a-z]' "$1: message"
    json_like "$at:.faults[0].count" '^[1-9][0-9]*$' "$1: count"
    if test "$2" = -; then
        json_absent "$at:.faults[0].source" "$1: no source"
    else
        json_is "$at:.faults[0].source" "faults.cu:$(line_at faults.cu "$2")" "$1: source"
        json_like "$at:.faults[0].ptx_line" '^[1-9]' "$1: ptx_line"
        json_like "$at:.faults[0].block" '^\[0,0,0\]$' "$1: block"
        json_like "$at:.faults[0].thread" '^\[[0-9]+,0,0\]$' "$1: thread"
    fi
    json_absent $at:.error "$1: a fault, no error"
    json_is $((at + 1)):.result.values '[0,1,2,3]' "$1: the array is as it was"
    json_is $((at + 2)):.result.values '[2,2,2,2]' "$1: the other array too"
    json_is $((at + 3)):.result.values '[6]' "$1: the module variable too"
    json_is $((at + 4)):.status ok "$1: the next launch works"
    json_is $((at + 5)):.result.values '[50]' "$1: and has its result"
    status_is 1 "$1: status 1"
    err_like "^-c:3: $1: " "$1: on stderr, with the line of the script"
}
ends out-of-bounds store 'store<<<1,1>>>(o, p, 4)'
ends out-of-bounds load 'load<<<1,1>>>(o, p, -1)'
ends use-after-free use_kept 'use_kept<<<1,1>>>(o)' 'array g i32 4; launch keep<<<1,1>>>(g); free g'
ends use-after-free freed 'freed<<<1,1>>>(o, 4)'
ends host-pointer store 'store<<<1,1>>>(o, 0x7ffe12345678, 0)'
ends misaligned store 'store<<<1,1>>>(o, 0x10000002, 0)'
ends null store 'store<<<1,1>>>(o, null, 0)'
ends deadlock two_barriers 'two_barriers<<<1,64>>>(o)'
ends timeout spins 'spin<<<1,1>>>(o, f)'
ends trap traps 'traps<<<1,64>>>(o, 40)'
ends assert asserts 'asserts<<<1,1>>>(o, 5)'
ends stack-overflow overflows 'overflows<<<1,1>>>(o, 100000)'
ends bad-launch - 'store<<<1,1025>>>(o, p, 0)'
ends bad-launch - 'store<<<1,(1,1,65)>>>(o, p, 0)'
ends bad-launch - 'store<<<(1,65536),1>>>(o, p, 0)'
ends bad-launch - 'store<<<1,1,232449>>>(o, p, 0)'

# What the fields of one say.
say_json 'load faults.cu; array o i32 4; array p i32 4; launch store<<<(2,2),(8,2)>>>(o, p, 6)
set volatile on; launch store<<<1,1>>>(o, p, 6); launch load<<<1,1>>>(o, p+1, -2)
launch traps<<<3,64>>>(o, 40); launch asserts<<<1,4>>>(o, 5)'
json_is '4:.faults[0].array' p 'the array'
json_is '4:.faults[0].index' 6 'the index, in elements'
json_is '4:.faults[0].block' '[0,0,0]' 'the first block'
json_is '4:.faults[0].thread' '[0,0,0]' 'the first thread'
json_absent '4:.faults[0].address' 'addresses are volatile'
json_like '6:.faults[0].address' '^0x[0-9a-f]+$' 'set volatile on: the address'
json_is '7:.faults[0].index' -1 'an index before the start'
json_is '8:.faults[0].thread' '[40,0,0]' 'the thread that trapped'
json_like '9:.faults[0].message' 'n < 4' 'assert: the condition'
json_like 9:.output '^\["before"' 'what was printed before a fault is there'
say_json 'load faults.cu; array o i32 4; launch overflows<<<1,1>>>(o, 100000)'
json_like '3:.faults[0].message' 'calls of deep\(int' \
    'stack-overflow: the function as it is written'
say 'load faults.cu; array o i32 4; array p i32 4; launch store<<<1,1>>>(o, p, 6)'
err_like '^-c:1: out-of-bounds: .*p\[6\].*faults\.cu:[1-9]' 'stderr: kind, array, file and line'

# "`source` is the innermost line in the student's file, the path as given to `load`"
mkdir -p 'in a folder/deep'
cp faults.cu helper.h 'in a folder/deep'
n=$(line_at faults.cu store)
for path in faults.cu ./faults.cu "$tmp/faults.cu" 'in a folder/deep/faults.cu' \
    "$tmp/in a folder/deep/faults.cu" 'in a folder/../faults.cu'; do
    say_json "load '$path'; array o i32 4; launch store<<<1,1>>>(o, o, 6)"
    json_is '3:.faults[0].source' "$path:$n" "source: $path"
done
printf 'load faults.cu\narray o i32 4\nlaunch store<<<1,1>>>(o, o, 6)\n' >'in a folder/deep/x.lab'
say_json "source 'in a folder/deep/x.lab'"
json_like '3:.faults[0].source' "faults\\.cu:$n\$" 'source: of a script elsewhere'
json_like '3:.command' '^launch' 'its command'
err_like '^in a folder/deep/x\.lab:3: out-of-bounds' 'stderr: that script and its line'
h=$(line_at helper.h store_here)
mkdir -p include
echo '__device__ void own(int *p, int i) { p[i] = 1; }' >include/own.h
cat >below.cu <<'EOF'
#include "include/own.h"
__global__ void below(int *p, int i) { own(p, i); }
EOF
for each in nvrtc nvcc clang; do
    if ! can_load "$each"; then
        skip "$each isn't here" "$each: an inlined function in the student's header"
        continue
    fi
    say_json "set compiler $each; load faults.cu; array o i32 4; launch by_helper<<<1,1>>>(o, o, 6)
launch store<<<1,1>>>(o, o, 6)"
    json_like '4:.faults[0].source' "^helper\\.h:$h\$" \
        "$each: an inlined function in the student's header"
    json_is '5:.faults[0].source' "faults.cu:$n" "$each: his own line"
    say_json "set compiler $each; load below.cu; array o i32 4; launch below<<<1,1>>>(o, 6)"
    json_is '4:.faults[0].source' include/own.h:1 "$each: his header in a folder named include"
done

# ---- findings -----------------------------------------------------------------------------

# "printf-overflow and leak alone leave `ok`"
say_json 'load faults.cu; load findings.cu; launch leaks<<<1,1>>>(8); launch prints<<<200,32>>>(20)'
json_is 3:.status ok 'leak: status ok'
json_is '3:.faults[0].kind' leak 'leak'
json_is 4:.status ok 'printf-overflow: status ok'
json_is '4:.faults[0].kind' printf-overflow 'printf-overflow'
json_is '4:.output[0]' '0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0' \
    'printf-overflow: what fitted is there'
status_is 0 'both: status 0'
err_empty 'both: nothing on stderr'

# finds KIND CALL VALUES [CHECK]: a finding lets the launch finish, and its results stay
finds() {
    say_json "load findings.cu; array o i32 64 value:3; array in i32 64; launch $2 ${4:-}
print o[0..1]"
    json_is 4:.status fault "$1: status"
    json_is '4:.faults[0].kind' "$1" "$1: kind"
    json_like '4:.faults[0].source' '^findings\.cu:[1-9]' "$1: source"
    json_like '4:.faults[0].count' '^[1-9]' "$1: count"
    json_like 4:.counters.warp_instructions '^[1-9]' "$1: its counters"
    json_like 5:.result.values "$3" "$1: the results stay"
    status_is 1 "$1: status 1"
    err_like "^-c:1: $1: " "$1: on stderr"
}
finds invalid-shuffle 'part_shuffle<<<1,32>>>(o)' '^\[[^3]'
finds barrier-divergence 'uneven_barrier<<<1,64>>>(o, 40)' '^\[2,2'
finds race-shared 'shared_race<<<1,32>>>(o)' '^\[31,30'
json_is '4:.faults[0].source' "findings.cu:$(line_at findings.cu 'race, later')" \
    'race-shared: the later access'
json_is '4:.faults[0].other.source' "findings.cu:$(line_at findings.cu 'race, earlier')" \
    'race-shared: the earlier one'
json_like '4:.faults[0].other.thread' '^\[[0-9]+,0,0\]$' 'race-shared: its thread'
json_like '4:.faults[0].other.block' '^\[0,0,0\]$' 'race-shared: its block'
json_is 4:.faults.# 1 '"one fault for each kind and pair of source lines, with a count"'
finds uninitialized 'reads<<<1,64>>>(o, in)' '^\[1,1'
json_is '4:.faults[0].source' "findings.cu:$(line_at findings.cu reads)" 'uninitialized: line'
# checked LIST CALL WANTED: with launch --check LIST the kinds are those
checked() {
    say_json "load findings.cu; array o i32 64 value:3; array in i32 64
launch $2 --check $1"
    kinds=$(json 4:.faults | grep -o '"kind":"[^"]*"' | cut -d'"' -f4 | sort -u | tr '\n' ' ')
    is "$kinds" "$3" "--check $1: $2"
}
checked none 'shared_race<<<1,32>>>(o)' ''
checked race 'shared_race<<<1,32>>>(o)' 'race-shared '
checked memory 'shared_race<<<1,32>>>(o)' ''
checked uninit 'reads<<<1,64>>>(o, in)' 'uninitialized '
checked race,sync 'reads<<<1,64>>>(o, in)' ''
checked race,uninit 'reads<<<1,64>>>(o, in)' 'uninitialized '
checked race 'global_race<<<2,4>>>(o)' 'race-global '
checked race 'same_value<<<1,64>>>(o)' ''
checked race:strict 'same_value<<<1,64>>>(o)' 'race-global '
checked sync 'uneven_barrier<<<1,64>>>(o, 40)' 'barrier-divergence '
say 'load findings.cu; array o i32 64; launch same_value<<<1,64>>>(o) --check rcae'
status_is 1 '--check rcae: status 1'
err_like 'race' '--check rcae: offers race'
# "NAME without a fill counts as never written", a fill or a kernel's write as written
say_json 'load findings.cu; array o i32 64; array in i32 64 zero; launch reads<<<1,64>>>(o, in)
launch reads<<<1,64>>>(in, o)'
json_is 4:.status ok 'zero counts as written'
json_is 5:.status ok 'what a kernel wrote counts as written'

# "Settings and history are always still there": and aliases, arrays, modules
say_json 'set seed 5; alias z echo still; load faults.cu; array o i32 4
launch traps<<<1,1>>>(o, 0); show seed; z; kernels; arrays'
json_is 6:.result.value 5 'settings are still there'
json_is '7:.result.text[0]' still 'aliases too'
json_like 8:.result.kernels.# '^[1-9]' 'what was loaded too'
json_like 9:.result.arrays.# '^[1-9]' 'arrays too'
say 'load faults.cu; array o i32 4; launch traps<<<1,1>>>(o, 0); echo reached' --bail
status_is 1 '--bail: status 1'
out_lacks reached '--bail: stops at a fault'
say 'load faults.cu; array o i32 4; launch traps<<<1,1>>>(o, 0); quit 3'
status_is 3 'quit 3 gives 3'

done_testing
