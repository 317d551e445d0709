# SPDX-License-Identifier: GPL-3.0-or-later
#
# oddeven: every network sorts any n; how many steps, comparisons and exchanges it has; the two ways
# in which steps do not wait.
#
# Each variant and option, as tests/data/labs.txt explains:
#: oddeven                                       | right
#: oddeven --variant all                         | right
#: oddeven --variant launches                    | right
#: oddeven --variant qsort                       | right
#: oddeven --variant coop                        | right
#: oddeven --variant coop-stride                 | right
#: oddeven --variant coop-stride --blocks 3 --threads 40 | right
#: oddeven --variant chunks                      | right
#: oddeven --variant chunks --threads 32 -n 999  | right
#: oddeven --variant bitonic                     | right
#: oddeven --variant batcher                     | right
#: oddeven --variant coop-badlaunch              | fault trap | luck its blocks may all be on the card at once
#: oddeven --variant blocksync                   | fault race-global | luck its blocks may happen to run in step
#: oddeven -n 8                                  | right
#: oddeven -n 8 --variant bitonic -x list:8,7,6,5,4,3,2,1 | right
#: oddeven -n 100000 --variant batcher -x random:-5:5 | right
#: oddeven --calls                               | told
#
# What it refuses, as tests/data/refused.txt explains:
#! oddeven -n 0                                  | at least 1
#! oddeven -n 2^21                               | at most 1048576
#! oddeven --threads 1025                        | at most 1024
#! oddeven --blocks 1                            | it needs --blocks 4
#! oddeven --variant chunks --threads 100        | for example 128
#! oddeven --variant coop -n 2^20                | --variant coop-stride sorts any n
#! oddeven --variant coop-stride --blocks 100000 | can run at the same time here
#! oddeven --variant coop                        | --variant launches needs no such barrier | c2050
#! oddeven --variant blocksync -n 2              | take a larger n
#! oddeven -x zebra                              | expr:2*i+1 or file:PATH
#! oddeven -n 2 -x list:1,2,3                    | there are 2 elements
#! oddeven --variant bitonc                      | did you mean bitonic
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"

for n in 1 2 3 5 8 31 64 97 256 257 1000; do
    for v in launches coop coop-stride chunks bitonic batcher; do
        echo "oddeven -n $n --variant $v --threads 32"
    done
    echo "oddeven -n $n --variant coop-stride --threads 3 --blocks 2 -x expr:i%3-1"
done >"$tmp/any.lab"
lab --json "$tmp/any.lab" </dev/null
status_is 0 'every network sorts any n'
is "$(grep -c '"ok":true' "$out")" 77 'and each says so'
is "$(grep -c '"status":"fault"' "$out")" 0 'no checker finds anything in them'

# steps VARIANT N STEPS COMPARISONS
steps() {
    say_json "oddeven --variant $1 -n $2 -x expr:$2-i"
    json_is .result.steps "$3" "$1, $2: steps"
    json_is .result.comparisons "$4" "$1, $2: comparisons"
}
steps launches 8 8 28
json_is .result.exchanges 28 'falling order: each comparison exchanges'
json_is .result.launches 8 'a launch for each step'
json_is .result.rows[0][0] 7 'the array after the first step'
json_is .result.rows[7][7] 8 'and after the last'
steps coop 8 8 28
json_is .result.launches 1 'coop: one launch'
steps bitonic 8 6 24
steps batcher 8 6 19
steps batcher 16 10 63
steps bitonic 1024 55 28160
steps batcher 1000 55 23521
say_json 'oddeven -x iota'
json_is .result.exchanges 0 'nothing to do'
say_json 'oddeven -x value:3 --variant batcher'
json_is .result.exchanges 0 'nor among equals'

# The counts that are predicted, at sizes that fit no warp.
for v in launches chunks bitonic batcher; do
    for more in '-n 1' '-n 37 --threads 8' '-n 500 --threads 64' '-n 1030 --threads 128'; do
        say_json "oddeven --variant all $more"
        predicted=$(sed -n "s/.*\"variant\":\"$v\",[^}]*\"predicted\":\([0-9]*\).*/\1/p" "$out")
        say_json "oddeven --variant $v $more --counters"
        loads=$(json .counters.global_load_requests)
        case $more:$v in
        '-n 1:chunks') is "$loads" 1 "$v $more: its one load" ;;
        '-n 1:'*) is "$predicted$loads" '(absent)' "$v $more: no launch" ;;
        *) is "$predicted" "$loads" "$v $more: loads as predicted" ;;
        esac
    done
done
say_json 'oddeven --variant chunks'
json_is .result.launches 8 'chunks: a launch for each round'
say_json 'oddeven --variant chunks -n 200'
json_is .result.launches 1 'of two chunks: one launch sorts them'

say_json 'oddeven --variant coop-badlaunch'
json_like .error.message 'coop fixes it' 'a plain launch: what fixes it'
say_json 'oddeven --variant blocksync'
json_is .faults[0].kind race-global 'blocks that do not wait for each other race'
say_json 'oddeven --variant blocksync -n 20'
json_is .status fault 'also of few elements, in smaller blocks'
say_json 'oddeven --variant launches' --schedule random:1..5
json_is .result.range.ok 5 'right in any order of the blocks'

say_json 'oddeven --variant all'
status_is 0 'all: as documented'
json_is .variants.# 9 'all: nine rows'
say_json 'oddeven --variant all -n 3'
json_is .status ok 'all, of three'
say_json 'oddeven --variant all -n 1'
json_is .status ok 'all, of one'
say 'oddeven --variant all' --device sim:gk20a
status_is 0 'all on a card of 3.2'
out_has 'not run: blocks can wait for each other since' 'which has no cooperative launch'
say 'oddeven -n 8'
out_like '^ +1 +0\.67A +0\.89A' 'the picture has the exchanges'
say 'set plain on; oddeven -n 3'
out_like 'step 1' 'and in sentences'
say 'set projector on; oddeven --variant all; oddeven -n 8; oddeven --variant blocksync'
ok '72 columns are enough' test "$(awk 'length > 72' "$out" | wc -l)" -eq 0

every_try oddeven
done_testing
