# SPDX-License-Identifier: GPL-3.0-or-later
#
# `sum` and `dot` by cuBLAS, on the fakes of a driver and of that library in tests/fake: right
# answers, and every way in which the library can be missing or say no. Of the real one `make
# check-gpu` tells.
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"

with_fake_gpu libcublas.so.13

with_cublas() { # with_cublas HOW: "" is one that works
    FAKE_CUBLAS=$1
    export FAKE_CUBLAS
}

# ---- it works -----------------------------------------------------------------------------

with_cublas ''
say_json 'sum --variant cublas; sum --variant cublas; sum' --device gpu
for k in 1 2; do
    json_is $k:.status ok "sum, call $k"
    json_is $k:.kernel cublasSdot "call $k: by the library"
    json_absent $k:.grid "call $k: whose grids are its own"
    json_is $k:.result.variant cublas "call $k: named"
    json_is $k:.result.sum 1000000 "call $k: a million ones"
    json_is $k:.result.ok true "call $k: checked itself"
    json_absent $k:.result.chain "call $k: of its order nothing is known"
    json_absent $k:.result.blocks "call $k: nor of its blocks"
done
json_is 3:.result.sum 1000000 'kernels run after it'
for n in 1 2 31 1000 70001; do
    say_json "sum --fill iota --variant cublas -n $n; dot -a iota -b value:2 --variant cublas -n $n
dot -a value:2 -b iota --variant cublas -n $n" --device gpu
    json_is 1:.result.ok true "sum, n $n: within its bound"
    json_near 1:.result.sum $((n * (n - 1) / 2)) $((n * n / 10000000)) "sum, n $n: 0 + 1 + ..."
    json_is 2:.result.ok true "dot, n $n: within its bound"
    json_near 2:.result.dot $((n * (n - 1))) $((n * n / 5000000)) "dot, n $n: twice that"
    json_is 3:.result.dot "$(json 2:.result.dot)" "dot, n $n: the other way round"
done
say_json 'sum --fill random --variant cublas; sum --fill random --variant best' --device gpu
json_near 1:.result.sum "$(json 2:.result.sum)" 1 'random: as other variants have it'
say_json 'dot --variant cublas; dot --variant partials' --device gpu
json_near 1:.result.dot "$(json 2:.result.dot)" 1 'dot too'
say 'sum --variant cublas' --device gpu
out_like '^  check +right: .* additions in any order have an error of at most *$' 'the bound is of any order'
out_has 'a vector of ones' 'why it is a sum'
say 'dot -a random:-1:1 --variant cublas --trace --blocks 3 --threads 7' --device gpu
status_is 0 'what only kernels have does no harm'
say_json 'sum --variant cublas --counters' --device gpu
json_absent .counters 'nothing of it can be counted'

# Time, as that of kernels is taken.
say_json 'sum --variant cublas; set volatile on; sum --variant cublas --repeat 7
sum -n 1 --variant cublas --repeat 3' \
    --device gpu
json_absent 1:.time 'no time unless it is asked for'
json_like 3:.time.median_s '^[0-9.e-]+$' '--repeat: the median'
json_is 3:.time.runs 7 '--repeat: how often'
json_is 4:.result.sum 1 'one element, all in a row'
say 'set volatile on; dot --variant cublas --repeat 3' --device gpu
out_has 'the median of 3 runs' '--repeat on the screen'
out_has '3 with the same bits' 'and what came of each'

say_json 'sum -n 1e4 --variant all; set volatile on; dot -n 1e4 --variant all --repeat 3' \
    --device gpu
json_is 1:.status ok 'sum --variant all'
json_is '1:.variants[8].variant' cublas 'it is the last of the right ones'
json_is '1:.variants[8].sum' 10000 'it ran'
json_is '1:.variants[8].ok' true 'it is right'
json_absent '1:.variants[8].not_run' 'and nothing says that it did not'
json_is 3:.status ok 'dot --variant all'
json_is '3:.variants[8].time.runs' 3 'with its time'
say 'sum --variant cublas --calls; dot --variant cublas --calls' --device gpu
status_is 0 '--calls'
out_has 'cublasSdot(handle, n, data, 1, one, 0, sum)' 'sum: a stride of 0'
out_has 'cublasSdot(handle, n, a, 1, b, 1, &result)' 'dot: two steps of 1'
say_json 'sum --variant cublas' --device gpu --schedule random:1..3
json_is .status ok 'a range of seeds is for what can be simulated'
json_absent .result.range 'and nothing is said of it'

# ---- where it is not ----------------------------------------------------------------------

# absent WHY NAME: alone an error that says why; among all a row that was not run, the others are.
absent() {
    say_json 'sum --variant cublas; dot --variant cublas; sum -n 1e4 --variant all
dot -n 1e4 --variant all; sum -n 1e4' \
        --device gpu
    json_is 1:.status error "$2: sum"
    json_like 1:.error.message "^cublas can't run: $1" "$2: sum says why"
    json_absent 1:.result.sum "$2: there is no sum"
    json_like 2:.error.message "^cublas can't run: $1" "$2: dot says why"
    json_is 3:.status ok "$2: all others are right"
    json_is '3:.variants[8].variant' cublas "$2: it has its row"
    json_is '3:.variants[8].not_run' true "$2: not run"
    json_like '3:.variants[8].why' "^$1" "$2: and why"
    json_is '4:.variants[8].not_run' true "$2: dot likewise"
    json_is 5:.result.ok true "$2: the next command works"
    say 'sum --variant cublas' --device gpu
    status_is 1 "$2: exit status"
    is "$(wc -l <"$err")" 1 "$2: one sentence"
    say 'dot -n 1e4 --variant all' --device gpu
    status_is 0 "$2: exit status of all"
}

# A file of the name that can't be opened hides the libraries that this computer may have.
mkdir "$tmp/none" "$tmp/lacks"
cp "$fake/libcuda.so.1" "$tmp/none"
for name in libcublas.so libcublas.so.12 libcublas.so.13; do
    : >"$tmp/none/$name"
done
LD_LIBRARY_PATH=$tmp/none
absent 'there is no cuBLAS here .no libcublas\.so\.13 or libcublas\.so\.12.' 'no library'
cp "$fake/libcublas.so.13" "$tmp/none/libcublas.so.12"
say_json 'sum --variant cublas' --device gpu
json_is .result.sum 1000000 'an older name will do'
cp "$fake/libcuda.so.1" "$tmp/lacks"
cp "$fake/libcuda.so.1" "$tmp/lacks/libcublas.so.13"
LD_LIBRARY_PATH=$tmp/lacks
absent 'the cuBLAS here, libcublas\.so\.13, has no cublasCreate_v2; ' 'no such function'
LD_LIBRARY_PATH=$fake
with_cublas unready
absent 'cublasCreate of cuBLAS failed: CUBLAS_STATUS_NOT_INITIALIZED, ' 'no handle'
with_cublas deaf
absent 'cublasSetStream of cuBLAS failed: CUBLAS_STATUS_INTERNAL_ERROR, ' 'no stream'
with_cublas refuses
absent 'cublasSdot of cuBLAS failed: CUBLAS_STATUS_NOT_SUPPORTED, ' 'a refusal'
with_cublas fails
absent 'cublasSdot of cuBLAS failed: status 99' 'a status that nobody knows'
with_cublas ''
say_json 'sum --variant cublas; set device gpu; sum --variant cublas' --device sim
json_like 1:.error.message "can't run: .* this is the simulator" 'the simulator has none'
json_is 3:.result.ok true 'and the GPU has'
say 'sum --variant cublas -n 2^31' --device gpu
err_like 'at most' 'more elements than an int counts'

# ---- what ends it -------------------------------------------------------------------------

# ends HOW KIND MESSAGE: a fault as of a launch, and all is there afterwards.
ends() {
    with_cublas "$1"
    say_json 'array x i32 4 iota; set seed 7; sum --variant cublas; print x; show seed; sum' \
        --device gpu --time-limit 1
    json_is 3:.status fault "$1: status"
    json_is '3:.faults[0].kind' "$2" "$1: kind"
    json_like '3:.faults[0].message' "$3" "$1: in words"
    json_is 4:.result.values '[0,1,2,3]' "$1: arrays are there"
    json_is 5:.result.value 7 "$1: settings are"
    json_is 6:.result.ok true "$1: and kernels run"
}
ends hangs timeout '^no end after 1 s$'
ends dies device-lost '^the process that works with the GPU was ended \(signal 9\) during'
with_cublas wrong
say_json 'sum --variant cublas; sum -n 1e4 --variant all' --device gpu
json_is 1:.status error 'a wrong answer is found out'
json_is 1:.result.sum 2000000 'and shown'
json_is 2:.status error 'among all too'
json_like 2:.error.message '^cublas should be right, and is not$' 'and says so'
with_cublas dies
say_json 'dot -n 1e4 --variant all' --device gpu
json_is '.variants[8].fault' device-lost 'one that dies among all'
json_is '.variants[9].variant' nonpow2 'the rest goes on'

done_testing
