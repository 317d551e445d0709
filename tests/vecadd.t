# SPDX-License-Identifier: GPL-3.0-or-later
#
# vecadd: each way of giving elements to threads, the two that are wrong on purpose, the four
# kinds of memory, own numbers, threads of the host, bad input.
#
# Each variant and option, as tests/data/labs.txt explains:
#: vecadd                                        | right
#: vecadd --variant all                          | right
#: vecadd --variant both                         | right
#: vecadd --variant blocks                       | right
#: vecadd --variant threads                      | right
#: vecadd --variant gridstride                   | right
#: vecadd --variant noguard                      | fault out-of-bounds | luck a card sees no overrun within its mapped memory
#: vecadd --variant nosync                       | wrong | luck the kernel may be done before the host looks
#: vecadd --mem copy                             | right
#: vecadd --mem managed                          | right
#: vecadd --mem pinned                           | right
#: vecadd --mem mapped                           | right
#: vecadd -n 1                                   | right
#: vecadd -n 31                                  | right
#: vecadd -n 1024 --threads 100                  | right
#: vecadd -n 65537                               | right
#: vecadd -n 70001 --variant gridstride --blocks 3 --threads 96 | right
#: vecadd -n 1000003 --mem pinned                | right
#: vecadd -x 1,2,3 -y 10,20,30.5                 | right
#: vecadd -x 3e38,1 -y 3e38,2                    | right
#: vecadd -n 500 --host-threads 3                | right
#: vecadd -n 50 --seed 7                         | right
#: vecadd --calls --mem mapped                   | told
#
# What it refuses, as tests/data/refused.txt explains:
#! vecadd -n 0                                | at least 1
#! vecadd -n -3                               | at least 1
#! vecadd -n 1e12                             | at most 67108864
#! vecadd --threads 1025                      | at most 1024
#! vecadd --threads 0                         | at least 1
#! vecadd --blocks 3                          | at least 4
#! vecadd --variant threads -n 1025           | at most 1,024
#! vecadd --mem shared                        | it takes managed
#! vecadd -x 1,,2                             | is not a list
#! vecadd --host-threads 0                    | at least 1
#! vecadd --variant blocks -n 70000           | at most 65,535 blocks | c2050
#! vecadd -n 70000 --threads 1                | at most 65,535 | c2050
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"

say vecadd
status_is 0 'vecadd runs'
out_has '4 x 256 threads' 'on 4 x 256 threads'
out_like 'right: all 997' 'all 997 are right'
out_like '27 of them idle' '27 threads are left over'
out_like 'moved +7,976 bytes to the device, 3,988 back' 'it says what moves which way'

# right VARIANT BLOCKS THREADS IDLE LOADS
right() {
    say_json "vecadd --counters --variant $1"
    json_is .status ok "$1: ok"
    json_is .result.ok true "$1: checked itself"
    json_is .result.norm 0 "$1: two-norm"
    json_is .result.wrong 0 "$1: no element wrong"
    json_is .result.n 997 "$1: n"
    json_is .result.blocks "$2" "$1: blocks"
    json_is .result.threads "$3" "$1: threads"
    json_is .result.idle "$4" "$1: idle threads"
    json_is .counters.global_load_requests "$5" "$1: loads"
}
right both 4 256 27 64
right blocks 997 1 0 1994
right threads 1 997 0 64
right gridstride 2 256 0 64

for more in '-n 1' '-n 31' '-n 33' '-n 1024' '-n 1025 --threads 100' '-n 70000 --threads 1024' \
    '-n 997 --blocks 9' '-n 5000 --blocks 3 --variant gridstride' '--seed 7 -n 50' \
    '--variant threads -n 1024' '--variant blocks -n 5 --blocks 8'; do
    say_json "vecadd $more"
    json_is .result.ok true "vecadd $more"
done

# Own numbers.
say_json 'vecadd -x 1,2,3 -y 10,20,30.5'
json_is .result.n 3 'as many elements as typed'
json_is .result.z[2] 33.5 'the last of them'
json_is .result.x.# 3 'small vectors are told whole'
say_json 'vecadd -x 1,-2.5'
json_is .result.n 2 'one typed, the other random'
json_is .result.x[1] -2.5 'negative numbers too'
say_json 'vecadd -n 3 -x 3e38,1,1 -y 3e38,2,3'
json_is .result.z[0] inf 'what overflows does so on both sides'
json_is .result.ok true 'and is right'
say_json 'vecadd -n 4 --seed 1'
one=$(json .result.x[0])
say_json 'vecadd -n 4 --seed 1'
json_is .result.x[0] "$one" 'the same seed, the same numbers'
say_json 'vecadd -n 4 --seed 2'
ok 'another seed, others' test "$(json .result.x[0])" != "$one"
ok 'y is not x' test "$(json .result.y[0])" != "$(json .result.x[0])"

# Memory.
for mem in managed copy pinned mapped; do
    say_json "vecadd -n 50 --mem $mem"
    json_is .result.ok true "--mem $mem: the same sum"
    json_is .result.mem $mem "--mem $mem: named"
    json_is .result.bytes_to_device 400 "--mem $mem: bytes there"
    json_is .result.bytes_to_host 200 "--mem $mem: and back"
done
calls() { # calls MEM WANTED UNWANTED
    say_json "vecadd --mem $1 --calls"
    grep -o '"call":"[^"]*"' "$out" >"$tmp/calls"
    ok "--mem $1 --calls has $2" grep -Fq "$2" "$tmp/calls"
    ! grep -Fq "$3" "$tmp/calls"
    verdict $? "but no $3"
}
calls managed cudaMallocManaged cudaMemcpy
calls managed cudaDeviceSynchronize ' malloc'
calls copy cudaMemcpyDeviceToHost cudaDeviceSynchronize
calls pinned cudaMallocHost cudaMallocManaged
calls mapped cudaHostGetDevicePointer cudaMemcpy
say_json 'vecadd --mem copy --calls'
json_is .result.calls[4].call 'vecadd_both<<<4, 256>>>(dx, dy, dz, n)' 'the launch is among them'
json_is .result.calls[2].moves '3,988 bytes to the device' 'with bytes and direction'
json_like .result.calls[5].waits 'waits for the kernel' 'and who waits'
say 'vecadd' --device sim:c2050
status_is 0 'copies work on every card'
say 'vecadd --mem managed' --device sim:c2050
err_has 'needs compute capability 3.0' 'managed memory does not'
say 'vecadd --variant blocks -n 70000' --device sim:c2050
err_has '65,535 blocks' 'nor 70,000 blocks'

# Threads of the host.
for threads in 1 3 256; do
    say_json "vecadd -n 100 --host-threads $threads"
    json_is .result.host_threads $threads "$threads threads of the host"
    json_is .result.host_same true 'the same bits'
    json_absent .result.host_one_s 'no times unless asked for'
done
say_json 'set volatile on; vecadd -n 100000 --host-threads 2'
json_like 2:.result.host_one_s '^[0-9.e-]+$' 'times with set volatile on'

# Wrong on purpose.
say_json 'vecadd --variant noguard'
status_is 1 'noguard ends with 1'
json_is .status fault 'noguard: a fault'
json_is .faults[0].kind out-of-bounds 'noguard: out of bounds'
json_is .faults[0].index 997 'noguard: at the first element past the end'
json_like .error.message '--variant both fixes it' 'noguard: what fixes it'
json_is .result.idle 27 'noguard: 27 threads too many'
say_json 'vecadd --variant noguard -n 1024'
json_is .result.blocks 5 'noguard: one thread too many where they would fit'
json_is .faults[0].index 1024 'noguard: and it shows'
say_json 'vecadd --variant nosync'
status_is 1 'nosync ends with 1'
json_is .status error 'nosync: an error'
json_is .result.schedules[0].schedule lockstep 'nosync: in lock step'
json_is .result.schedules[0].wrong 997 'nosync: the host reads before any block has run'
json_is .result.blocks_done 0 'nosync: so none is done'
json_is .result.wrong 997 'nosync: as the result says'
json_is .result.z.# '(absent)' 'nosync: 997 are not told whole'
json_is .result.mem managed 'nosync: in managed memory'
json_like .error.message '--variant both fixes it' 'nosync: what fixes it'
say_json 'vecadd --variant nosync -n 4 -x 1,2,3,4'
json_is .result.z[3] 0 'nosync: what was read is what was there before'
say_json 'vecadd --variant nosync -n 2560' --schedule random:1..40
wrong=
for i in $(seq 0 39); do
    wrong="$wrong $(json ".result.schedules[$i].wrong")"
done
ok 'nosync: several schedules, several outcomes' \
    test "$(echo "$wrong" | tr ' ' '\n' | sort -u | wc -l)" -gt 4
is "$(for w in $wrong; do echo $((w % 256)); done | sort -u | tr '\n' ' ')" '0 ' \
    'nosync: whole blocks are missing'
say 'vecadd --variant nosync --mem mapped'
err_has 'both fixes it' 'nosync: mapped memory does not wait either'
say 'vecadd --variant nosync --calls'
out_has 'may not have started' 'nosync: its calls'
sed '/^Why/,$d' "$out" >"$tmp/calls"
ok 'have no wait' test "$(grep -c cudaDeviceSynchronize "$tmp/calls")" -eq 0
say 'vecadd --variant nosync' --device sim:titanx
out_has 'before 6.0' 'nosync: and what old cards do'

say_json 'vecadd --variant all'
status_is 0 'all: each as documented'
json_is .variants.# 6 'six rows'
json_is .variants[3].variant blocks 'a warp an element is slowest but one'
json_is .variants[4].wrong_on_purpose true 'then the wrong ones'
json_is .variants[4].norm "$(json .variants[4].norm)" 'with their norm'
json_is .variants[5].wrong 997 'and elements that are wrong'
say_json 'vecadd --variant all -n 1024'
status_is 0 'all: also where no thread is left over'
say_json 'vecadd --variant all -n 5000'
status_is 0 'all: also where one block ends'
json_is .variants[3].not_run true 'which is said, below what ran'
json_like .variants[3].why '1,024 threads' 'with its limit'
say 'vecadd --variant all'
out_has 'wrong on purpose' 'wrong ones are marked'

bad 'vecadd -n 0' '1'
bad 'vecadd -n -3' '1'
bad 'vecadd -n 1e12' '67108864'
bad 'vecadd --variant threads -n 1025' 'at most 1,024 threads.*both'
bad 'vecadd --variant threads --threads 10' 'at least 997 threads'
bad 'vecadd --variant threads --blocks 2' 'leave --blocks out'
bad 'vecadd --variant blocks --threads 2' 'leave --threads out'
bad 'vecadd --variant blocks --blocks 10' 'at least 997 blocks'
bad 'vecadd --blocks 3' 'at least 4 blocks; or --variant gridstride'
bad 'vecadd --threads 1025' '1024'
bad 'vecadd -x 1,2 -y 1' 'same length'
bad 'vecadd -x 1,2 -n 5' 'leave -n out'
bad 'vecadd -x 1,,2' 'list'
bad 'vecadd -x 1e39' '3.4e38|f32|float'
bad 'vecadd --mem shared' 'managed'
bad 'vecadd --host-threads 0' '1'
bad 'vecadd --variant nosync --mem copy' '--mem managed'

say 'set projector on; vecadd; vecadd --variant all; vecadd --variant nosync; vecadd --calls'
is "$(awk 'length > 72' "$out")" '' 'all of it in 72 columns'
say 'set plain on; vecadd; vecadd --variant all; vecadd --variant nosync'
out_lacks '###' 'and without pictures'

say vecadd --device sim:h100 --charset ascii
same_as golden/vecadd.txt 'the whole screen is as it was'

every_try vecadd
# What is typed without its option is offered with it.
say 'vecadd 1000'
err_has 'did you mean -n 1000?' 'a number alone is n'
say 'vecadd blocks'
err_has 'did you mean --variant blocks?' 'a name alone is a variant'
say 'vecadd block'
err_like 'one word too many: usage is' 'any other word is neither'
# The table says what its rows go by, at each width.
for width in 60 80; do
    say "set width $width; vecadd --variant all"
    sed '/^wrong/,$d' "$out" |
        awk '$1 ~ /^(threads|gridstride|both|blocks)$/ && $2 ~ /^[0-9]+$/ { print $2 }' \
            >"$tmp/order"
    ok "$width columns: four rows" test "$(wc -l <"$tmp/order")" = 4
    sort -nr "$tmp/order" | cmp -s - "$tmp/order"
    verdict $? "$width columns: the order can be seen" "$(cat "$tmp/order")"
done
say 'vecadd --variant noguard'
out_lacks 'warp 0 under' 'a warp that did nothing wrong is not shown'
say 'trap --variant race'
out_has 'accesses to global memory' 'and of one that did it is said which memory'
say 'vecadd --trace -n 20'
out_like '@%p[0-9]+ bra .* 0-31 +taken by 20-31' 'the trace shows a branch, and the lanes that take it'
out_like ' ret; +0-31' 'and the end'
say 'vecadd --trace -n 20; set width 50; vecadd --trace -n 20'
out_like 'ld.param.u64 %rd[0-9]+, .*[.][.][.] ' 'an instruction that is cut has a mark'

say 'set width 72; vecadd'
out_like '^ +error 0$' 'the last line of a fact is not a number alone'
out_like '# without the test i < n$' 'nor that of a remark the end of an expression'

done_testing
