# SPDX-License-Identifier: GPL-3.0-or-later
#
# trap: every variant, right or wrong on purpose; its counts; functions typed in; bad input.
#
# Each variant and option, as tests/data/labs.txt explains:
#: trap                                          | right | bound
#: trap --variant all                            | right | bound
#: trap --variant serial                         | right
#: trap --variant atomic                         | right | bound
#: trap --variant shuffle                        | right | bound
#: trap --variant shared                         | right | bound
#: trap --variant block-shuffle                  | right | bound
#: trap --variant block-1024                     | right | bound
#: trap --variant block-shared                   | right | bound
#: trap --variant two-barriers                   | right | bound
#: trap --variant samebank                       | right | bound
#: trap --variant gridstride                     | right | bound
#: trap --variant race                           | fault race-global
#: trap --variant private                        | wrong
#: trap --variant init-race                      | fault race-global | luck thread 0 may come first
#: trap --variant norange                        | wrong
#: trap --variant noscale                        | wrong
#: trap --variant partial                        | fault invalid-shuffle | luck what a lane reads from one that has ended may be right
#: trap --variant lockstep                       | fault race-shared uninitialized | luck lanes of a warp mostly run in step
#: trap --variant zerofill                       | fault race-shared uninitialized | luck lanes of a warp mostly run in step
#: trap --variant nobarrier                      | fault race-shared uninitialized | luck warp 0 may come last
#: trap --variant reuse                          | fault race-shared | luck warp 0 may be first
#: trap --table                                  | right | bound
#: trap -n 1                                     | right | bound
#: trap -n 2                                     | right | bound
#: trap -n 31 --variant shuffle                  | right | bound
#: trap -n 997 --variant block-shared --threads 96 | right | bound
#: trap -n 1000 --threads 40 --variant block-shared | right | bound
#: trap -n 1000 --threads 1 --variant two-barriers | right | bound
#: trap -n 1000003 --variant gridstride          | right | bound
#: trap -n 2^24 --variant block-shuffle          | right | bound
#: trap -n 2^24 --variant gridstride             | right | bound
#: trap -a 3 -b -3 -n 1000 --variant block-shuffle | right | bound
#: trap -a 2 -b 2 -n 100                         | right | bound
#: trap -f 'sin(x)' -a 0 -b 3.14159265 -n 65536 --variant block-shuffle | right | bound
#: trap -f '1/(1+x^2)' -a 0 -b 1 -n 65536 --variant shuffle | right | bound
#: trap -n 4096 --variant shuffle --repeat 3     | right | bound
#: trap --calls                                  | told
#
# What it refuses, as tests/data/refused.txt explains:
#! trap --variant shuffle --threads 40        | a multiple of 32
#! trap -f 1/x -n 64                          | choose another interval or n
#! trap --variant shuffle                     | needs compute capability 3.0 | c2050
#! trap -n 70000 --threads 1                  | at most 65,535 | c2050
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"

say 'trap -a -3 -b 3 -n 1048576 --variant shuffle'
status_is 0 'shuffle runs'
out_like 'area +(24|23\.999[0-9]*)' 'the area is near 24'
out_like 'atomics +32,768' '32,768 atomics'
out_like 'shuffles +163,840' 'five shuffles a warp'
out_like 'error +-?[0-9.e-]+' 'it tells its error'
out_has 'Why' 'and why'
out_has 'Try' 'and what to try'

# right VARIANT TOLERANCE ATOMICS
right() {
    say_json "trap --variant $1"
    json_is .status ok "$1: ok"
    json_near .result.area 24 "$2" "$1: area"
    json_is .result.ok true "$1: checked itself"
    json_is .result.variant "$1" "$1: is named"
    json_is .result.n 1048576 "$1: n"
    json_is .result.exact 24 "$1: exact"
    test -z "$3" || json_is .counters.global_atomics "$3" "$1: $3 atomics"
}
right serial 0.02 ''
right atomic 0.02 1048575
right shuffle 1e-4 32768
right shared 1e-4 32768
right block-shuffle 1e-4 4096
right block-shared 1e-4 4096
right two-barriers 1e-4 4096
right samebank 1e-4 4096
right block-1024 1e-4 1024
right gridstride 1e-4 264

say_json 'trap --variant serial'
serial=$(json .result.area)
like "$serial" '^23\.99' 'a float chain of 2^20 loses two digits'
say_json 'trap --variant atomic'
json_is .result.area "$serial" 'atomics in order give the same bits as the host'

for v in race private init-race norange noscale partial lockstep zerofill nobarrier reuse; do
    say_json "trap --variant $v"
    status_is 1 "$v alone ends with 1"
    json_like .status '^(error|fault)$' "$v: error or fault"
    json_is .result.ok false "$v: some schedule brings it out"
    json_like .error.message 'fixes it' "$v: and says what fixes it"
    json_is .result.n 1000 "$v: with few terms"
    say "trap --variant $v"
    err_like "fixes it|fault" "$v: what fixes it is named"
done
say_json 'trap --variant lockstep'
json_is .result.schedules[0].ok false 'lockstep gives a race away in lock step as well'
json_is .result.schedules[0].right true 'though its sum is right there'
json_is .result.schedules[0].fault race-shared 'and the race is named'
json_is .status fault 'it is a fault'
json_is .faults[0].kind race-shared 'told in full'
json_like .faults[0].source 'trap.cu:[0-9]+$' 'at its line'
json_like .error.message 'by luck.*--variant shared fixes it' 'by luck, and what fixes it'
say 'trap --variant lockstep'
out_like 'lockstep .*right, by luck; race-shared' 'the screen says so too'
out_like '^ +[0-9]+  shared_vals\[my_lane\] \+=' 'and quotes the line'
say 'trap --variant init-race' --schedule random:1..20
out_like '^  random:1 +[0-9]+ ' 'a range of seeds: a row an outcome, with its runs'
err_like 'right in [0-9]+ of 20 schedules|under 20 of 20' 'in so many of 20'
say_json 'trap --variant reuse' --schedule random:1..20
json_is .result.range.runs 20 'twenty runs'
json_is .result.schedules.# 20 'each is told'
json_is .result.schedules[19].schedule random:20 'by its seed'
say_json 'trap --variant atomic -n 1000' --schedule random:1..20
json_is .result.range.ok 20 'a right one is right in 20 of 20'
say 'trap --variant shared -n 1000' --schedule independent --device sim:gk20a
err_has "can't run independently" 'lanes of a card before 7.0 refuse to drift'
status_is 1 'that is an error'
say_json 'trap --variant init-race'
json_is .result.schedules[0].ok false 'and so does init-race'
say_json 'trap --variant zerofill'
json_is .result.schedules[0].right true 'zeros without a warp barrier: right in lock step'
json_is .faults[0].kind race-shared 'and a race'
say_json 'trap --variant zerofill --threads 40'
json_is .result.schedules[0].right false 'a last warp that is not full is lost in lock step too'

say_json 'trap --variant all -n 65536'
status_is 0 'all: every variant as documented'
json_is .status ok 'all: ok'
json_is .variants.# 20 'all: 20 rows'
json_is .variants[0].variant serial 'the slowest first'
json_is .variants[1].variant atomic 'then an atomic a thread'
json_is .variants[9].wrong_on_purpose false 'ten right ones'
json_is .variants[10].wrong_on_purpose true 'then the wrong ones'
say 'trap --variant all -n 65536'
out_has 'wrong on purpose' 'marked so'

say_json 'trap --table'
json_is .status ok '--table runs the textbook launches'
json_is .variants.# 6 'six of them'
json_is .variants[0].global_atomics 1048575 'the first with an atomic a thread'
say 'trap --calls'
out_has 'cudaMemcpyDeviceToHost' '--calls names the copy that waits'

# typed F A B AREA TOLERANCE
typed() {
    say_json "trap -f '$1' -a $2 -b $3 -n 65536 --variant block-shuffle"
    json_is .status ok "f = $1: ok"
    json_near .result.area "$4" "$5" "f = $1: area"
}
typed 'x^2+1' -3 3 24 1e-3
typed 'sin(x)' 0 3.14159265 2 1e-4
typed 'exp(x)' 0 1 1.7182818 1e-4
typed '1/(1+x^2)' 0 1 0.78539816 1e-4
typed '3' 0 2 6 1e-4
typed 'abs(x)' -1 1 1 1e-4
say_json "trap -f 'sin(x)' -a 0 -b 3 -n 1000; trap -n 1000; trap -f x -n 1000 -a 0 -b 2"
json_near 2:.result.area 24 1e-3 'after -f the built-in function is back'
json_near 3:.result.area 2 1e-3 'and another -f replaces the first'

# Shapes: odd sizes, a term or two, backwards, empty.
for more in '-n 1' '-n 2' '-n 31' '-n 33' '-n 1000 --threads 40' '-n 1000 --threads 1' \
    '-n 1000 --threads 1024' '-a 3 -b -3 -n 1000' '-a 2 -b 2 -n 100'; do
    for v in block-shuffle block-shared two-barriers samebank gridstride atomic; do
        say_json "trap --variant $v $more"
        json_is .result.ok true "$v $more"
    done
done

bad 'trap -n 0' '1'
bad 'trap -n -5' '1'
bad 'trap -n 2147483648' '2147483647'
bad 'trap -n 1e99' '[0-9]'
bad 'trap --blocks 10 -n 1000000' '3,907'
bad 'trap --blocks 0' '1'
bad 'trap --threads 1025' '1024'
bad 'trap --threads 0' '1'
bad 'trap --blocks 2147483647 --threads 1024' '2,147,483,647'
bad 'trap --variant shuffle --threads 40' 'multiple of 32'
bad 'trap --variant shufle' 'shuffle'
bad 'trap --varaint shuffle' '--variant'
bad 'trap -f 1/x -n 64' 'x = 0'
bad "trap -f 'x+'" 'column'
bad "trap -f 'sine(x)'" 'sin'
bad 'trap -a 1e39' '3.4e38'
bad 'trap -a zebra' 'number'

say 'trap -a -3 -b 3 -n 1048576 --variant shuffle' --device sim:h100 --charset ascii
same_as golden/trap.txt 'the whole screen is as it was'

say 'trap --variant all' --step-limit 1000
status_is 1 'a step limit that strikes stops the ladder'
err_like 'timeout: atomic came to no end' 'and is called a timeout, not a wrong answer'

every_try trap

for variant in shuffle noscale; do
    say "trap --variant $variant" --device sim:quadro600
    status_is 1 "$variant: a card of 2.1 has no shuffles"
    err_has unsupported-instruction "$variant: which is said"
    out_has 'trap --variant all' "$variant: and what there is to try"
    out_lacks Why "$variant: and nothing explained that did not happen"
done

# A chain so long that its bound promises nothing: the same word as sum and dot have.
say 'trap -n 2^26 --variant serial'
status_is 0 'a float that stops growing: no failure'
out_has 'check      rounded away: ' 'but no answer either'
say_json 'trap -n 2^26 --variant serial'
json_is .result.ok true 'in JSON: ok'
json_is .result.rounded_away true 'and rounded away'
# A few numbers suffice where the first is large: the others are less than half of its last bit. All
# labs that add floats say the same in the table of all.
large='expr:16777216/(1+i*1e9)+0.9'
say_json "sum -n 40000 --fill $large --variant all; dot -n 40000 -a $large -b value:1 --variant all"
for command in 1 2; do
    json_is $command:.status ok "$command: a sum that is rounded away is no failure"
    for row in 0 1; do
        json_is "$command:.variants[$row].ok" true "$command, row $row: the kernel did as it should"
        json_is "$command:.variants[$row].rounded_away" true "$command, row $row: but it is of no use"
    done
done
say "sum -n 40000 --fill $large --variant all"
status_is 0 'and the status is 0'
out_like '^atomic .* rounded away$' 'the table has the words'
say_json 'sum -n 1000 --variant race'
json_is .result.ok false 'a variant that is wrong on purpose has no such excuse'

# The error of the rule is not rounding: what the bound is for never goes beyond it.
say 'trap --variant block-shared -n 1000'
off=$(sed -n 's/.*right: rounding error \([^ ]*\) (.*/\1/p' "$out")
bound=$(sed -n 's/.*rounding error [^ ]* (at most \([^ ]*\) in .*/\1/p' "$out")
ok "what is right keeps within its bound: $off, $bound" \
    awk "BEGIN { exit !($off + 0 <= $bound + 0 && $bound > 0) }"
out_has '(trapezoids and rounding)' 'and the error from the exact area has both parts'
done_testing
