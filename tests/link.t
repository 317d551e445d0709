#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Several files that are linked: `load a.cu b.cu`.
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"
needs_compiler
cp "$top_srcdir"/tests/link/* "$tmp"
cd "$tmp" || exit 99

compilers=
for each in nvrtc nvcc clang; do
    can_load "$each" && compilers="$compilers $each"
done

# ---- functions and variables of the other file --------------------------------------------

for each in $compilers; do
    begin="set compiler $each; load main.cu other.cu; array o i32 8; array f f32 4"
    gives "$begin; launch sums<<<1,8>>>(o); print o" \
        '[102,207,312,417,122,227,332,437]' "$each: functions, a table, statics of both files"
    gives "$begin; launch sums<<<1,8>>>(o); print calls" '[8]' "$each: a variable by its address"
    gives "$begin; launch lengths<<<1,4>>>(f); print f" '[4,5,8,13]' "$each: a struct by value"
    say "$begin; launch says<<<1,1>>>(); launch other_says<<<1,1>>>()"
    out_has 'main 5' "$each: printf in one file"
    out_has 'other 40 6' "$each: and in the other, with a text of its own"
    gives "$begin; fill o iota; launch reverse_shared<<<1,8,32>>>(o); print o" \
        '[7,6,5,4,3,2,1,0]' "$each: extern __shared__ in one file"
    gives "$begin; fill f iota; launch other_shared<<<1,4,16>>>(f); print f" '[2,1,4,3]' \
        "$each: and in the other"
    gives "set compiler $each; load other.cu main.cu; array o i32 8; launch sums<<<1,8>>>(o);
           print o" '[102,207,312,417,122,227,332,437]' "$each: in the other order"
    say "set compiler $each; load caller.cu fault.cu; array o i32 32; launch past<<<1,4>>>(o)"
    out_like 'fault\.cu:5' "$each: a fault names the file that it is in"
    out_has 'o[i] = 1;' "$each: and its line"
done

# ---- what is said -------------------------------------------------------------------------

say_json 'load main.cu other.cu; kernels; ptx sums'
json_is 1:.status ok 'load of two files'
json_is 1:.result.file main.cu 'the first'
json_is '1:.result.files' '["main.cu","other.cu"]' 'all'
json_is '1:.result.kernels.#' 6 'the kernels of all'
json_is '1:.result.kernels[0].file' main.cu 'each with its file'
json_is '1:.result.kernels[5].file' other.cu 'the other one too'
json_is '2:.result.kernels.#' 6 'kernels'
json_is 3:.status ok 'ptx'
say 'load main.cu other.cu'
is "$(grep -c 'variables:' "$out")" 1 'variables are listed once'
out_like '^main\.cu: 4 kernels' 'a head for each file'
out_like '^other\.cu: 2 kernels' 'and for the other'
out_lacks '__nv_static' 'no name of the compiler'
if command -v ptxas >/dev/null && test -n "$compilers"; then
    say 'load main.cu other.cu'
    is "$(grep -c 'registers per thread .ptxas' "$out")" 6 'ptxas takes the linked PTX'
fi

# ---- again, elsewhere ---------------------------------------------------------------------

run='array o i32 8; launch sums<<<1,8>>>(o); print o'
gives "load main.cu other.cu; set device sim:t4; $run" '[102,207,312,417,122,227,332,437]' \
    'set device'
gives "load main.cu other.cu; load other.cu; $run" '[102,207,312,417,122,227,332,437]' \
    'one of them again: with the others'
gives "load main.cu other.cu; reload; $run" '[102,207,312,417,122,227,332,437]' 'reload'
gives "load other.cu; load main.cu other.cu; $run" '[102,207,312,417,122,227,332,437]' \
    'a file that was loaded alone before'
say_json 'load main.cu other.cu; load caller.cu fault.cu; kernels'
json_is '3:.result.kernels.#' 7 'two groups'

# ---- mistakes -----------------------------------------------------------------------------

cp other.cu again.cu
refused 'load other.cu again.cu' 'is defined in .other\.cu. and again in .again\.cu.' \
    'two definitions'
refused 'load main.cu main.cu' 'named twice' 'the same file twice'
refused 'load main.cu names.txt' 'names\.txt' 'no such kind of file'
refused 'load main.cu nosuch.cu' 'nosuch\.cu' 'a file that is not there'
refused 'load main.cu' 'main\.cu:[0-9]+: twice\(int\) is called' 'alone: what is missing, by its name'
printf '__global__ void k(int *o) { o[0] = wrong; }\n' >bad.cu
refused 'load main.cu bad.cu' 'bad\.cu' 'an error in the second file'
say_json 'load caller.cu fault.cu; load main.cu bad.cu; kernels'
json_is '3:.result.kernels.#' 1 'after an error all is as it was'
cat >only.cu <<'EOF'
__device__ int one() { return 1; }
EOF
cat >uses.cu <<'EOF'
__device__ int one();
__global__ void k(int *o) { o[0] = one(); }
EOF
gives 'load uses.cu only.cu; array o i32 1; launch k<<<1,1>>>(o); print o' '[1]' \
    'a file without a kernel'
refused 'load only.cu fault.cu' 'no kernel' 'no kernel in any of them'
done_testing
