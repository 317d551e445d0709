# SPDX-License-Identifier: GPL-3.0-or-later
#
# sum: every variant on sizes that fit nothing, its counts, what rounds, what gets stuck.
#
# Each variant and option, as tests/data/labs.txt explains:
#: sum                                           | right
#: sum --variant all                             | right
#: sum --variant serial                          | right
#: sum --variant atomic                          | right
#: sum --variant thread0                         | right
#: sum --variant shared0                         | right
#: sum --variant tree                            | right
#: sum --variant shuffle                         | right
#: sum --variant vector                          | right
#: sum --variant best                            | right
#: sum --variant cublas                          | library
#: sum --variant race                            | fault race-global
#: sum --variant nobarrier2                      | fault race-shared uninitialized | luck its warps may happen to run in step
#: sum --variant nobarrier                       | fault race-shared uninitialized | luck thread 0 may come last
#: sum -n 1                                      | right
#: sum -n 997 --variant vector                   | right
#: sum -n 1000003 --variant shuffle              | right
#: sum -n 65537 --variant best                   | right
#: sum -n 65537 --variant thread0 --threads 32   | right
#: sum -n 1.7e7 --variant best                   | right | bound
#: sum -n 1000 --fill iota                       | right
#: sum -n 10007 --fill random --variant tree     | right | bound
#: sum --calls                                   | told
#
# What it refuses, as tests/data/refused.txt explains:
#! sum -n 0                                   | at least 1
#! sum -n -1                                  | at least 1
#! sum -n 2^29                                | at most 268435456
#! sum --threads 0                            | at least 1
#! sum --threads 1025                         | at most 1024
#! sum --fill zebra                           | expr:2*i+1 or file:PATH
#! sum --variant treee                        | did you mean tree
#! sum -n 2^28                                | take a smaller n | quadro600
#! sum --variant shuffle                      | needs compute capability 3.0 | c2050
#! sum -n 70000 --threads 1                   | at most 65,535 | c2050
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"

# right VARIANT ATOMICS LOADS
right() {
    say_json "sum --variant $1"
    status_is 0 "$1 runs"
    json_is .result.ok true "$1: checked itself"
    json_is .result.variant "$1" "$1: is named"
    json_is .result.sum 1000000 "$1: a million ones"
    json_is .result.exact 1000000 "$1: exact"
    json_is .result.n 1000000 "$1: n"
    test -z "$2" || json_is .counters.global_atomics "$2" "$1: $2 atomics"
    test -z "$3" || json_is .counters.global_load_requests "$3" "$1: $3 loads"
}
right serial '' ''
right atomic 1000000 31250
right thread0 7813 1000000
right shared0 7813 31250
right tree 7813 31250
right shuffle 7813 31250
right vector 1954 7813
right best 62 ''

say_json 'sum'
json_is .result.variant tree 'tree is the default'
json_is .result.threads 128 "in the slides' blocks"
json_is .counters.barriers 218764 'seven waits for each of four warps of a block'
say_json 'sum --variant shared0'
json_is .counters.barriers 31252 'where shared0 has one'

# Sizes that fit nothing: fewer elements than threads, odd blocks, rests of a load by fours.
for more in '-n 1' '-n 2' '-n 3' '-n 7 --threads 1' '-n 31' '-n 1000 --threads 40' \
    '-n 1001 --threads 1' '-n 1023 --threads 100' '-n 4099 --threads 1024' '-n 130 --threads 33'; do
    for v in atomic thread0 shared0 tree shuffle vector best; do
        say_json "sum --fill iota --variant $v $more"
        n=$(json .result.n)
        json_is .result.ok true "$v $more"
        json_is .result.exact $((n * (n - 1) / 2)) "$v $more: 0 + 1 + ... "
        json_near .result.sum $((n * (n - 1) / 2)) 1 "$v $more: summed"
    done
done
say_json 'sum --variant best -n 1000 --blocks 1 --threads 1'
json_is .result.sum 1000 'one thread alone can do it'

# Rounding: a chain loses digits that blocks keep.
say_json 'sum --fill random --variant serial; sum --fill random --variant atomic
sum --fill random --variant best'
json_is 1:.result.ok true 'random, serial: within its bound'
json_is 2:.result.sum "$(json 1:.result.sum)" 'atomics in order give the bits of the host'
is "$(json 3:.result.in_order)" "$(json 1:.result.sum)" 'all know the host sum'
awk -v a="$(json 1:.result.error)" -v b="$(json 3:.result.error)" \
    'BEGIN { a = a < 0 ? -a : a; b = b < 0 ? -b : b; exit !(b < a) }'
verdict $? 'few blocks round less than one chain'
say_json 'sum --fill random --seed 1; sum --fill random --seed 2'
ok 'another seed, another sum' test "$(json 1:.result.sum)" != "$(json 2:.result.sum)"

# A float that counts by ones stops at 2^24.
say_json 'sum -n 1.7e7 --variant serial'
status_is 0 'more than 2^24 ones in one float: the kernel did as it should'
json_is .result.ok true 'which is no failure'
json_is .result.rounded_away true 'but of no use, and it says so'
json_is .result.sum 16777216 'it stops at 2^24'
json_is .result.stuck_after 16777216 'after as many terms'
json_is .result.exact 17000000 'the exact sum is known'
say 'sum -n 1.7e7 --variant serial'
out_has 'stays at 16,777,216' 'the screen shows where'
out_has 'check      rounded away: ' 'and has a word for it'
say 'sum -n 1.7e7 --variant best'
status_is 0 'few blocks count on'
out_like '^  sum +17,000,000 ' 'to the end'
out_like '^  stuck +after 16,777,216 terms' 'and show where a chain would stop'
say_json 'sum -n 16777216 --variant serial'
json_is .result.ok true '2^24 ones are right'
json_absent .result.rounded_away 'to the last'
json_absent .result.stuck_after 'nothing is stuck yet'

# Wrong on purpose.
for v in race nobarrier nobarrier2; do
    say_json "sum --variant $v"
    status_is 1 "$v alone ends with 1"
    json_is .result.ok false "$v: is found out"
    json_is .result.n 1000 "$v: with few elements"
    json_is .status fault "$v: a fault"
    json_like .error.message 'fixes it' "$v: and what fixes it"
done
say_json 'sum --variant race'
json_is .faults[0].kind race-global 'race: its race'
json_like .faults[0].source 'sum.cu:[0-9]+$' 'at its line'
say_json 'sum --variant nobarrier'
json_like .result.schedules[0].fault 'race-shared|uninitialized' 'nobarrier: in lock step too'
say_json 'sum --variant nobarrier2'
json_is .result.schedules[0].fault race-shared 'nobarrier2: likewise'

# All, and what the slides measured.
say_json 'sum --variant all'
status_is 0 'all: as documented'
json_is .variants.# 12 'all: twelve rows'
json_is .variants[0].variant serial 'the slowest first'
json_is .variants[8].variant cublas 'then what is not run'
json_is .variants[8].not_run true 'is not run'
json_like .variants[8].why 'NVIDIA' 'and says why'
json_is .variants[9].wrong_on_purpose true 'then the wrong ones'
order=$(for i in 1 2 3 4 5 6 7; do json ".variants[$i].variant"; done | tr '\n' ' ')
is "$order" 'atomic thread0 shared0 tree shuffle vector best ' 'the slowest first, by modelled time'
say 'sum --variant all'
out_like '^thread0 +0\.9872 ' "the slides' time of thread0"
out_like '^tree +0\.8909 ' 'of tree'
out_like '^shared0 +0\.6389 ' 'of shared0'
out_like '^cublas +0\.2590' 'and of cuBLAS'
out_has '2023' 'with the year'
say_json 'sum --variant all -n 3'
json_is .status ok 'all, of three elements'
say 'sum --variant all -n 4096' --device sim:gk20a
status_is 0 'all on a card of 3.2'
say 'set projector on; sum --variant all; sum; sum --variant nobarrier'
ok '72 columns are enough' test "$(awk 'length > 72' "$out" | wc -l)" -eq 0
say 'sum'
out_like 'slides +0\.8909 ms on a Tesla T4 in 2023' 'card and year'
out_has '218,764 times' 'why it was slower, in this run'

say 'sum --variant cublas'
status_is 1 'cublas is absent'
err_like 'NVIDIA' 'and it says why'
say 'sum --variant cublas --calls'
status_is 0 'its calls can be seen'
out_has 'cublasSdot(handle, n, data, 1, one, 0, sum)' 'with the stride of 0'
say 'ptx sum --variant cublas; occupancy sum --variant cublas'
status_is 1 'of PTX it has none'
err_has 'sum cublas has no kernel of its own: it calls cublasSdot of a library' 'and says whose it is'
say 'sum --calls'
out_has 'sum_tree<<<7813, 128, 512>>>' '--calls'
say 'code sum --variant cublas; code sum --variant tree'
out_has 'cublasSdot' 'code tells of cublas'
out_has '`code sum --variant cublas --host` shows the call' 'and where the call is'
out_like '^ +[0-9]+  .*float Tree_sum' 'and shows what tree uses'
say 'sum --repeat 3 --counters --trace'
out_has '3 with the same bits' '--repeat'
out_like 'warp instructions +[0-9]' '--counters'
out_has 'ld.global' '--trace'

bad 'sum -n 0' 'at least 1'
bad 'sum -n -1' 'at least 1'
bad 'sum -n 2^29' 'at most'
bad 'sum -n 1e99' '[0-9]'
bad 'sum --threads 0' 'at least 1'
bad 'sum --threads 1025' '1024'
bad 'sum --blocks 10' '7,813 blocks'
bad 'sum --variant vector --blocks 10' '1,954 blocks'
bad 'sum --blocks 2147483647 --threads 1024 --variant best' 'fewer blocks'
bad 'sum --fill file:x' 'array'
bad 'sum --fill 1' 'value:1'
bad 'sum --fill value:1e30' '1e18'
bad 'sum -n 2 --fill list:1,2,3' '2 elements'
bad 'sum --variant treee' 'tree'
say 'sum -n 2^28' --device sim:quadro600
status_is 1 'more than the card has'
err_like '1,073,741,824 bytes, and this device has' 'said before anything is made'

say 'sum --variant all' --step-limit 1000
err_like 'timeout' 'a step limit that strikes is called a timeout'

every_try sum
done_testing
