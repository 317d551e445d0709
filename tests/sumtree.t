# SPDX-License-Identifier: GPL-3.0-or-later
#
# sumtree: the steps of each way against figures worked out by hand; orders, fills, odd sizes.
#
# Each variant and option, as tests/data/labs.txt explains:
#: sumtree                                       | right
#: sumtree --variant all                         | right
#: sumtree --variant linear                      | right
#: sumtree --variant tree                        | right
#: sumtree --variant shuffle                     | right
#: sumtree --variant dissemination               | right
#: sumtree --variant butterfly                   | right
#: sumtree --variant noguard                     | wrong
#: sumtree 8 --order 5,2,3,7,4,6,0,1             | right
#: sumtree 8 --order 0,1,2                       | right
#: sumtree 12 --variant tree                     | right
#: sumtree 16 --variant shuffle                  | right
#: sumtree 16 --variant dissemination            | right
#: sumtree 32 --variant butterfly --fill random  | right
#: sumtree 32 --variant tree --fill iota         | right
#: sumtree 31 --variant linear --seed 4          | right
#: sumtree 5 --fill list:1,2,3,4,5               | right
#: sumtree 8 --calls                             | told
#
# What it refuses, as tests/data/refused.txt explains:
#! sumtree 0                                  | at least 2
#! sumtree 1                                  | at least 2
#! sumtree -8                                 | at least 2
#! sumtree 33                                 | at most 32
#! sumtree 12 --variant shuffle               | it takes 2
#! sumtree --order 8                          | is no thread 8; 8 threads are 0 to 7
#! sumtree --fill zebra                       | expr:2*i+1 or file:PATH
#! sumtree --variant shuffle                  | needs compute capability 3.0 | c2050
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"

# The textbook's table 6.6, as it should be and as it stands there.
say_json 'sumtree'
status_is 0 'linear runs'
json_is .result.variant linear 'and is the default'
json_is .result.ok true 'it checked itself'
json_is .result.sum 72 'the integral of 2x + 1 from 0 to 8'
json_is .result.start 9 'which starts with half of both ends'
json_is .result.in_a_row 8 'eight additions wait for one another'
json_is .result.turns.# 8 'eight turns'
json_is .result.turns[0].thread 5 "the textbook's order"
json_is .result.turns[0].total 20 'its first total'
json_is .result.turns[5].total 69 'and its sixth'
json_is .result.turns[6].thread 0 'thread 0'
json_is .result.turns[6].adds 0 'has nothing to add'
json_is .counters.global_atomics 8 'eight atomics'
say_json 'sumtree --variant noguard'
status_is 1 'noguard is wrong'
json_is .result.ok false 'and found to be'
json_is .result.sum 73 "the textbook's 73"
json_is .result.turns[6].adds 1 'thread 0 adds f(0)'
json_like .error.message 'linear fixes it' 'and what fixes it'
say 'sumtree --variant noguard'
out_like '^ +7 +0 +1 +70$' 'its table is drawn'

# way VARIANT STEP THREAD READS VALUE ...: of eight threads
way() {
    say_json "sumtree --variant $1"
    json_is .status ok "$1: ok"
    json_is .result.ok true "$1: as plain C has it"
    json_is .result.sum 72 "$1: the sum"
    json_is .result.in_a_row 4 "$1: log2 8 + 1 in a row"
    json_is .result.steps.# 4 "$1: the start and three steps"
    json_is .counters.global_atomics 1 "$1: one atomic"
    variant=$1
    shift
    while test $# -gt 0; do
        json_is ".result.steps[$1].reads[$2]" "$3" "$variant: in step $1 thread $2 reads $3"
        json_is ".result.steps[$1].values[$2]" "$4" "$variant: and has $4"
        shift 4
    done
}
way tree 0 0 null 0  0 7 null 15  1 0 4 9  1 3 7 22  1 4 null 9  2 1 3 36  3 0 1 63
json_is .result.in_all 8 'tree: eight additions in all'
way shuffle 1 0 4 9  1 4 4 18  1 7 7 30  2 3 5 44  2 7 7 60  3 0 1 63  3 7 7 120
json_is .result.in_all 25 'shuffle: all lanes add in all steps'
json_is .counters.shuffles 3 'shuffle: three shuffles'
way dissemination 1 0 4 9  1 7 3 22  2 6 0 27  3 0 1 63  3 7 0 63
way butterfly 1 0 4 9  1 7 3 22  2 6 4 27  3 0 1 63  3 7 6 63
json_is .counters.shuffles 3 'butterfly: three shuffles'

for n in 2 4 16 32; do
    for v in linear tree shuffle dissemination butterfly; do
        say_json "sumtree $n --variant $v"
        json_is .result.ok true "sumtree $n, $v"
        json_is .result.sum $((n * n + n)) "sumtree $n, $v: n^2 + n"
    done
done
for n in 3 5 12 31; do
    say_json "sumtree $n --variant tree"
    json_is .result.ok true "tree takes $n threads"
    json_is .result.sum $((n * n + n)) "tree: n^2 + n for $n"
done
say_json 'sumtree 5 --variant tree'
json_is .result.in_a_row 4 'five threads: three steps and an atomic'
json_is .result.steps[1].values[2] 5 'who reads nobody keeps the value'

# Orders.
say_json 'sumtree --order 3,1'
json_is .result.turns[0].thread 3 '--order: the first'
json_is .result.turns[1].thread 1 'the second'
json_is .result.turns[2].thread 0 'then as they are numbered'
json_is .result.turns[7].thread 7 'to the last'
json_is .result.sum 72 'the sum is the same'
say_json 'sumtree --seed 1; sumtree --seed 2; sumtree --seed 1'
json_is 1:.result.ok true '--seed draws an order'
first=$(json 1:.result.turns) second=$(json 2:.result.turns)
ok 'another seed another order' test "$first" != "$second"
is "$(json 3:.result.turns)" "$first" 'the same seed the same'

# Fills.
say_json 'sumtree 4 --fill list:1,2,4,8 --variant tree'
json_is .result.sum 15 'values of a list'
json_is .result.start 0 'start at 0'
say_json 'sumtree 4 --fill list:16777216,1,1,1 --order 0,1,2,3
sumtree 4 --fill list:16777216,1,1,1 --order 3,2,1,0'
json_is 1:.result.sum 16777216 'small after large: lost'
json_is 2:.result.sum 16777220 'small ones first: less is'
json_is 1:.result.ok true 'within the rounding bound'
say_json 'sumtree 16 --fill random --variant butterfly --seed 5'
json_is .result.ok true 'random values'
json_is .result.steps[4].values[15] "$(json .result.steps[4].values[0])" \
    'and all lanes get the same bits'

say_json 'sumtree --variant all'
status_is 0 'all'
json_is .variants.# 6 'all: six rows'
json_is .variants[0].variant linear 'linear first: most atomics'
json_is .variants[5].variant noguard 'the wrong one last'
say_json 'sumtree 12 --variant all'
json_is .status ok 'all of 12 threads'
json_is .variants[4].not_run true 'what needs a power of two is not run'
say 'sumtree --variant all --repeat 2' --device sim:gk20a
status_is 0 'all on a card of 3.2'
say 'sumtree 12 --variant all'
out_has 'not run: ' 'and says why'
out_like '^variant +in a row' 'with what waits for one another'

say 'sumtree --variant shuffle'
out_like '^reads +4 +5 +6 +7 self self self self$' 'doubled lanes read themselves'
out_like '^step 3 +63 ' 'and lane 0 has the sum'
say 'sumtree --variant tree --trace --counters --repeat 3'
out_has '3 with the same bits' '--repeat'
out_has 'ld.shared' '--trace'
out_like 'warp instructions +[0-9]' '--counters'
say 'sumtree --variant tree --calls'
out_has 'sumtree_tree<<<1, 8>>>' '--calls'
say 'set plain on; sumtree --variant tree'
out_has 'step 3: 63 in thread 0' 'it reads aloud'
say 'set projector on; sumtree 32 --variant shuffle'
ok '72 columns are enough' test "$(awk 'length > 72' "$out" | wc -l)" -eq 0

bad 'sumtree 1' 'at least 2'
bad 'sumtree 33' 'at most 32'
bad 'sumtree 0' 'at least 2'
bad 'sumtree -8' 'at least 2'
bad 'sumtree eight' 'number'
bad 'sumtree 12 --variant shuffle' '`tree` takes any number'
bad 'sumtree 6 --variant butterfly' '2, 4, 8, 16 or 32'
bad 'sumtree --order 8' '0 to 7'
bad 'sumtree --order 1,1' 'twice'
bad 'sumtree --order 1,x' '1,x|number'
bad 'sumtree --order 1 --variant tree' 'linear'
bad 'sumtree --fill file:x' 'array'
bad 'sumtree --fill value:1e30' '1e18'
bad 'sumtree --fill list:1,2,3,4,5,6,7,8,9' '8 elements'
bad 'sumtree --fill zebra' 'fill'
bad 'sumtree --variant shuffel' 'shuffle'

every_try sumtree
done_testing
