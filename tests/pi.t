# SPDX-License-Identifier: GPL-3.0-or-later
#
# pi: each way to give threads random numbers of their own, with each generator; the hits are those
# of plain C; points that come again are noticed, however good the estimate is.
#
# Each variant and option, as tests/data/labs.txt explains:
#: pi                                            | right
#: pi --variant all                              | right
#: pi --variant sequence                         | right
#: pi --variant seeds                            | right
#: pi --variant own                              | right
#: pi --variant saved                            | right
#: pi --variant host                             | library
#: pi --variant normal                           | right
#: pi --variant oneseed                          | wrong
#: pi --variant unsaved                          | wrong
#: pi --rng xorwow                               | right
#: pi --rng mrg --variant seeds                  | right
#: pi --rng xorwow --variant saved --launches 3  | right
#: pi --trials 1                                 | right
#: pi --trials 100003 --blocks 3 --threads 77    | right
#: pi --points                                   | right
#: pi --curve --trials 2^14                      | right
#: pi --calls                                    | told
#
# What it refuses, as tests/data/refused.txt explains:
#! pi --trials 0                                 | at least 1
#! pi --trials 2^27                              | at most 67108864
#! pi --threads 1025                             | at most 1024
#! pi --trials 10 --threads 11                   | take at least as many --trials
#! pi --variant saved --launches 100             | take at least 102400 --trials
#! pi --variant own --rng mrg                    | take this generator
#! pi --rng mersenne                             | xorwow
#! pi --variant oneseed --trials 1               | take more --threads
#! pi --variant unsaved --launches 1             | take more --launches
#! pi --variant seqence                          | did you mean sequence
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"

# hits VARIANT HITS [OPTION...]: the same whoever compiled, since whole numbers and uniform ones are
hits() {
    variant=$1 wanted=$2
    shift 2
    say_json "pi --variant $variant $*"
    json_is .status ok "$variant $*: runs, and no checker finds anything"
    json_is .result.ok true "$variant $*: no point came twice, and the estimate can be"
    json_is .result.hits "$wanted" "$variant $*: hits"
}
hits sequence 51605
json_is .result.plain 51605 'as many as plain C counts'
json_is .result.n 65536 'of 2^16 points'
json_is .result.points 1024 'a first point of each thread'
json_is .result.distinct 1024 'and no two are the same'
hits own 51605
hits saved 51605
hits saved 51605 --launches 8
hits seeds 51640
json_is .result.plain 51640 'seeds: as in plain C'
hits sequence 51502 --rng xorwow
hits saved 51502 --rng xorwow
hits sequence 51508 --rng mrg
hits saved 51508 --rng mrg --launches 2
for n in 1 2 255 257 1025 4099; do
    for v in sequence seeds own saved normal; do
        echo "pi --variant $v --trials $n"
    done
    echo "pi --trials $n --blocks 1 --threads 1 --variant own"
done >"$tmp/any.lab"
lab --json "$tmp/any.lab" </dev/null
status_is 0 'any number of trials'
is "$(grep -c '"ok":true' "$out")" 36 'and each is right'

for rng in xorwow philox mrg; do
    say_json "pi --variant normal --rng $rng"
    json_is .result.ok true "normal, $rng: pi"
    json_near .result.within_1 0.6827 0.01 "normal, $rng: up to 1"
    json_near .result.within_2 0.9545 0.005 "normal, $rng: up to 2"
    json_near .result.within_3 0.9973 0.002 "normal, $rng: up to 3"
    say_json "pi --variant oneseed --rng $rng"
    json_is .status error "oneseed, $rng: no checker finds it"
    json_is .result.distinct 1 "oneseed, $rng: one point, again and again"
    json_like .error.message 'sequence fixes it' "oneseed, $rng: what fixes it"
    say_json "pi --variant unsaved --rng $rng"
    json_is .result.distinct 1024 "unsaved, $rng: the points of one launch"
    json_is .result.points 4096 "unsaved, $rng: in four launches"
    json_like .error.message 'saved fixes it' "unsaved, $rng: what fixes it"
done
say_json 'pi --variant sequence --rng xorwow --counters; pi --variant seeds --rng xorwow --counters'
first=$(json 1:.counters.warp_instructions)
ok 'XORWOW jumps to a sequence' test "$first" -gt "$(json 2:.counters.warp_instructions)"

say_json 'pi --curve'
json_is .result.curve.# 4 'the error at four sizes'
json_is .result.curve[3].trials 65536 'the last is this one'
for k in 0 1 2 3; do
    json_near ".result.curve[$k].scaled" 1.64 1.2 "row $k: the error goes with 1 / sqrt(n)"
done
json_is .result.n 65536 'the rest of the screen is of the run itself'
say 'pi --points; pi --variant oneseed --points' --charset ascii
out_like 'A the circle +B in the quarter circle +C outside' 'points, inside and outside'
out_has '1       0  0.8902591  0.8946847' 'the first point of thread 0'
say 'set plain on; pi --points --trials 8; pi --curve'
out_has 'first points of 8 threads' 'in sentences'
say 'set projector on; pi --variant all; pi --points; pi --curve; pi --variant unsaved'
ok '72 columns are enough' test "$(awk 'length > 72' "$out" | wc -l)" -eq 0

say_json 'pi --variant all'
status_is 0 'all: as documented'
json_is .variants.# 8 'all: eight rows'
for rng in xorwow mrg; do
    say_json "pi --variant all --rng $rng"
    json_is .status ok "all, $rng"
done
say_json 'pi --variant all --trials 3'
json_is .status ok 'all, of three points'
say 'pi --variant all' --device sim:c2050
status_is 0 'all on a card of 2.0'
say_json 'pi --variant sequence' --schedule random:1..5
json_is .result.range.same 5 'whole numbers: the same in any order'

every_try pi
done_testing
