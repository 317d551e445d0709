# SPDX-License-Identifier: GPL-3.0-or-later
#
# atomics: every operation by every way; what each thread found explains an order; what load,
# change and store lose, step by step; since when each operation is.
#
# Each variant and option, as tests/data/labs.txt explains:
#: atomics                                       | right
#: atomics --variant all                         | right
#: atomics --variant atomic                      | right
#: atomics --variant cas-loop                    | right
#: atomics --variant f64                         | right
#: atomics --variant f64-cas                     | right
#: atomics --variant plain                       | fault race-global | luck lanes apart may lose nothing
#: atomics sub                                   | right
#: atomics min                                   | right
#: atomics max                                   | right
#: atomics and                                   | right
#: atomics or                                    | right
#: atomics xor                                   | right
#: atomics exch                                  | right
#: atomics cas                                   | right
#: atomics inc                                   | right
#: atomics dec                                   | right
#: atomics add --threads 1000                    | right
#: atomics min --values 7,-3,7,1 --threads 40    | right
#: atomics xor --variant cas-loop --threads 65   | right
#: atomics add --variant f64 --values 5,6,7 --start -9 | right
#: atomics exch --variant plain --threads 3      | fault race-global | luck lanes apart may lose nothing
#: atomics --list                                | told
#: atomics or --calls                            | told
#
# What it refuses, as tests/data/refused.txt explains:
#! atomics mul                                | it takes add
#! atomics --threads 0                        | at least 1
#! atomics --threads 1025                     | at most 1024
#! atomics --threads -8                       | at least 1
#! atomics --values 1,,2                      | is not a list
#! atomics max --variant f64                  | --variant f64
#! atomics --variant f64                      | f64-cas does it | gk20a
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"

say 'atomics'
status_is 0 'atomics runs'
out_has '8 threads, each x += v with v = 1, by atomicAdd; x = 0 at first' 'what is done'
out_like '^  x +8$' 'x is 8'
out_like '^  order +a possible order of the threads' 'an order is shown'
out_like '^  turn  thread  x before  v  x after$' 'with x before and after'
out_like '^ +3 +2 +2 +1 +3$' 'the third finds 2 and leaves 3'
out_like 'atomics +8, all at one address' 'eight atomics'
out_like 'plain +x = 1 with three steps instead of one: 7 of 8 changes lost' 'and what three steps lose'
out_has 'Why' 'why'

say_json 'atomics'
json_is .status ok 'JSON: ok'
json_is .result.op add 'op'
json_is .result.x 8 'x'
json_is .result.ok true 'checked itself'
json_is .result.old '[0,1,2,3,4,5,6,7]' 'what each found'
json_is .result.order.# 8 'an order of eight'
json_is .result.plain_x 1 'without: x'
json_is .result.plain_lost 7 'without: lost'
json_is .counters.global_atomics 8 'eight atomics counted'

# op OP X 'OPTIONS': all four ways agree where there is only one answer.
op() {
    for v in atomic cas-loop; do
        say_json "atomics $1 --variant $v $3"
        json_is .result.ok true "$1 $v $3: an order explains it"
        json_is .result.x "$2" "$1 $v $3: x"
    done
}
op add 8 ''
op add -6 '--values -1,1,-2,-4 --threads 4'
op add -2147483648 '--start 2147483647 --threads 1'
op sub 0 ''
op sub 92 '--start 100'
op min 2 ''
op min -7 '--values 3,-7,5'
op max 89 ''
op max 100 '--start 100'
op and 0 ''
op and 8 '--values 12,10 --start -1'
op or 255 ''
op xor 255 ''
op xor 0 '--threads 16'
op inc 2 ''
op inc 0 '--threads 6'
op dec 3 ''
op dec 5 '--threads 6'
say_json 'atomics exch'
json_is .result.ok true 'exch: handed on'
json_is .result.old '[0,1,2,3,4,5,6,7]' 'exch: each takes what the one before it left'
json_absent .result.expected 'exch: no x is the only right one'
json_like .explain 'x is 8, the value that the last thread stored\.' 'exch: and the reason says so'
say 'atomics exch'
out_like '^  x +8, the v of the last thread; another order can give another x$' 'exch: whose value is left'
out_has 'a possible order of the threads' 'exch: an order that fits'
say 'atomics exch --variant plain'
out_has '; x should be the v of' 'exch: what a wrong one should be'
out_lacks 'should be 8' 'exch: and not 8'
say_json 'atomics exch --variant plain'
json_absent .result.expected 'exch: nor in JSON'
say_json 'atomics exch --values 3'
json_is .result.expected 3 'exch of one value by all: there is one answer'
say 'atomics inc --values 5,1'
out_has 'another order can give another x' 'so it is with inc of different v'
say 'atomics inc'
out_lacks 'another order can give' 'not with inc of one v'
say_json 'atomics cas'
json_is .result.x 1 'cas: one is chosen'
json_is .result.old '[0,1,1,1,1,1,1,1]' 'cas: all others find it'
say_json 'atomics min --seed 7' && first=$(json .result.in)
say_json 'atomics min --seed 8'
ok 'another seed draws others' test "$(json .result.in)" != "$first"

for v in f64 f64-cas; do
    say_json "atomics add --variant $v --values 5,2,3"
    json_is .result.x 27 "$v: the sum"
    json_is .result.ok true "$v: an order explains it"
done
say_json 'atomics --variant f64-cas --threads 16'
json_is .result.tries 136 'sixteen in step: 16 + 15 + ... + 1 tries'
json_is .counters.global_atomics 136 'each is an atomic'
say 'atomics max --variant f64'
status_is 1 'doubles are added only'
err_has 'doubles are added here' 'and says so'
for schedule in random:3 independent:3 independent:4; do
    for op in add sub min max and or xor exch cas inc dec; do
        say_json "atomics $op --variant all --threads 40 --values 7,3,7,1" --schedule $schedule
        json_is .status ok "$op, $schedule: as documented"
    done
done

# What three steps lose.
say_json 'atomics --variant plain'
status_is 1 'plain alone ends with 1'
json_is .status fault 'a fault'
json_is .faults[0].kind race-global 'a race'
json_is .result.x 1 'x is 1'
json_is .result.expected 8 'and should be 8'
json_is .result.old '[0,0,0,0,0,0,0,0]' 'all found 0'
json_absent .result.order 'no order explains that'
json_like .error.message '--variant atomic fixes it' 'what fixes it'
say 'atomics --variant plain'
out_like '^ +load +0 +0 +0 +0 +0 +0 +0 +0 +0$' 'all load 0'
out_like '^ +store +1 +1 +1 +1 +1 +1 +1 +1 +1$' 'all store 1'
out_has '1 of 8 changes is in x; 7 were stored over' 'seven are lost'
out_like 'lanes apart, independent:[0-9]+' 'and lanes apart'
out_like '2 of 8 changes are in x' 'lose less'
say 'atomics exch --variant plain --threads 3'
out_like '^ +store +1 +2 +3 +1$' 'of stores at once the picture has the one that stayed'
say_json 'atomics exch --variant plain --threads 3'
json_is .result.x 1 'as the memory has it'
say 'atomics --variant plain' --device sim:gk20a
out_lacks 'lanes apart' 'before 7.0 lanes stay together'
say 'atomics --variant plain --threads 40'
out_has 'accesses to global memory' 'more than a warp: its trace'
say 'atomics --variant plain --threads 1'
err_has 'one thread alone loses nothing' 'one thread loses nothing'

# Since when.
say 'atomics --list' --device sim:gk20a
status_is 0 '--list'
out_like 'atomicAdd +1\.1 +1\.2 +1\.2 +2\.0 +6\.0 no' 'double came with 6.0, and is not in 3.2'
out_like 'atomicMin +1\.1 +1\.2 +3\.2 +- +-' '64-bit min with 3.2, as the header says'
say_json 'atomics --list'
json_is .result.ops.# 11 'eleven of them'
json_is '.result.ops[0].double' 6.0 'since when, as text'
say_json 'atomics --variant all' --device sim:gk20a
json_is .status ok 'all on an older card'
json_is .variants[3].not_run true 'leaves out the double'
json_like .variants[3].why '6\.0, and this card has 3\.2' 'and says why'
say 'atomics --variant f64' --device sim:gk20a
status_is 1 'f64 alone is refused there'
err_has 'f64-cas does it' 'and what would do'
say_json 'atomics --variant f64' --device sim:t4
json_is .result.ok true 'on a T4 it runs'

bad 'atomics mul' 'add'
bad 'atomics --threads 0' 'at least 1'
bad 'atomics --threads 1025' 'at most 1024'
bad 'atomics --values 1.5' 'whole number'
bad 'atomics --values 1,,2' 'not a list'
bad 'atomics --values 3000000000' '2147483647'
bad 'atomics --start x' 'number'
bad 'atomics inc --values -1' 'without a sign'
bad 'atomics --variant plane' 'plain'
bad 'atomics --variant f64 --values 2147483647' '2\^31'

say 'atomics or --calls'
out_has 'atomics_or<<<1, 8>>>(x, in, old)' '--calls'
say 'atomics --repeat 3'
out_has '3 runs, 3 with the same bits' '--repeat'
say 'atomics --trace'
out_has 'atom.' '--trace'
say 'set projector on; atomics; atomics max --variant plain; atomics --variant all; atomics --list
atomics --calls'
ok 'a projector: 72 columns' test "$(awk 'length > 72' "$out" | wc -l)" -eq 0
say 'set plain on; atomics --variant plain'
out_has 'load' 'plain: the steps in words'
say atomics --device sim:h100 --charset ascii
same_as golden/atomics.txt 'the whole screen is as it was'

every_try atomics
say 'atomics --variant plain'
out_has '; x should be 8' 'what it should be'
schedules='lockstep, random:1, random:2, independent:1, independent:2'
case $(cat "$top_builddir/kernels/ptx/compiler") in
nvcc*) out_has "tried: $schedules" 'which schedules agree' ;;
*) # its kernel does not lose the same changes in each: a row for each schedule
    is "$(sed -n 's/^ *\([a-z]*:*[0-9]*\)  *[0-9].*WRONG.*/\1/p' "$out" | paste -sd, | sed 's/,/, /g')" \
        "$schedules" 'which schedules were tried'
    ;;
esac
out_like 'under lockstep, x is 1|lockstep, x is 1' 'and under which x is what the text says'
say 'set schedule independent:7; atomics --variant plain'
out_like '^ *independent:7 +2 ' 'the schedule that is set is tried too'

done_testing
