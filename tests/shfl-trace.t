# SPDX-License-Identifier: GPL-3.0-or-later
#
# shfl-trace: each shuffle against its rule, with groups, missing lanes, masks and branches.
#
# Each variant and option, as tests/data/labs.txt explains:
#: shfl-trace down 16                            | right
#: shfl-trace down 3 --width 8                   | right
#: shfl-trace down 3 --in-branch                 | right
#: shfl-trace down 4 --mask 0xff                 | right
#: shfl-trace down 5 --lanes 20                  | right
#: shfl-trace up 1                               | right
#: shfl-trace up 3 --width 16                    | right
#: shfl-trace up 2 --in-branch                   | right
#: shfl-trace up 4 --mask 0xff00                 | right
#: shfl-trace up 7 --lanes 9                     | right
#: shfl-trace xor 1                              | right
#: shfl-trace xor 5 --width 8                    | right
#: shfl-trace xor 16 --in-branch                 | right
#: shfl-trace xor 3 --mask 0x0f                  | right
#: shfl-trace xor 5 --lanes 8                    | right
#: shfl-trace idx 0                              | right
#: shfl-trace idx 9 --width 4                    | right
#: shfl-trace idx 31 --in-branch                 | right
#: shfl-trace idx 2 --mask 0x3c                  | right
#: shfl-trace idx 5 --lanes 3                    | right
#: shfl-trace xor 1 --calls                      | told
#
# What it refuses, as tests/data/refused.txt explains:
#! shfl-trace                                 | usage is shfl-trace
#! shfl-trace down                            | usage is shfl-trace
#! shfl-trace left 1                          | it takes down
#! shfl-trace down -1                         | at least 0
#! shfl-trace down 32                         | at most 31
#! shfl-trace down 1 --width 3                | did you mean 32
#! shfl-trace down 1 --width 0                | it takes 32
#! shfl-trace down 1 --lanes 0                | at least 1
#! shfl-trace down 1 --lanes 33               | at most 32
#! shfl-trace down 1 --mask 0                 | name one of the 32 lanes that exist, for example --mask 0xffff
#! shfl-trace down 1 --mask 0x1ffffffff       | at most 4294967295
#! shfl-trace down 1 --mask zz                | is not a number
#! shfl-trace down 1                          | needs compute capability 3.0 | c2050
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"

say 'shfl-trace down 16'
status_is 0 'down 16 runs'
out_like '^before +100 101' 'values before'
out_like '^after +116 117' 'values after'

# shuffle 'COMMAND' LANE SOURCE AFTER...
shuffle() {
    say_json "$1"
    json_is .status ok "$1: ok"
    json_is .result.ok true "$1: the kernel agrees with the rule"
    command=$1
    shift
    while test $# -gt 0; do
        json_is ".result.source[$1]" "$2" "$command: lane $1 reads lane $2"
        json_is ".result.after[$1]" "$3" "$command: and gets $3"
        shift 3
    done
}
shuffle 'shfl-trace down 16' 0 16 116 15 31 131 16 16 116
shuffle 'shfl-trace down 0' 5 5 105
shuffle 'shfl-trace up 1' 0 0 100 31 30 130
shuffle 'shfl-trace xor 1' 0 1 101 31 30 130
shuffle 'shfl-trace xor 31' 0 31 131
shuffle 'shfl-trace idx 7' 0 7 107 31 7 107
shuffle 'shfl-trace down 2 --width 4' 0 2 102 2 2 102 5 7 107 6 6 106
shuffle 'shfl-trace up 3 --width 8' 8 8 108 11 8 108
shuffle 'shfl-trace idx 3 --width 8' 9 11 111
shuffle 'shfl-trace down 4 --lanes 8' 0 4 104 4 null null 8 null null
shuffle 'shfl-trace down 1 --mask 0xff' 0 1 101 7 null null 8 null null
shuffle 'shfl-trace down 8 --in-branch' 0 8 108 8 null null 16 null null

say_json 'shfl-trace down 4 --lanes 8'
json_is .result.op down 'op'
json_is .result.delta 4 'delta'
json_is .result.width 32 'width'
json_is .result.before.# 32 'before has 32'
json_is .result.before[7] 107 'a lane that exists has a value'
json_is .result.before[8] null 'one that does not has none'

say_json 'shfl-trace down 8 --in-branch --mask 0xffffffff'
json_is .status ok 'a mask that names lanes outside of the branch: shown'
json_is .result.named 0xffffffff 'as it is'
json_is .result.mask 0xffff 'beside those that come'
json_is .result.source[0] 8 'lane 0 reads a lane that comes'
json_is .result.after[8] null 'lane 8 one that does not'
json_like .explain 'contains 16 lanes that did not call' 'and what is wrong with it'
say 'shfl-trace down 8 --in-branch --mask 0xffffffff'
out_has '__shfl_down_sync(0xffffffff, v, 8, 32)' 'the call is shown with the mask given'
say 'set width 200; shfl-trace down 4 --lanes 8 --mask 0xff'
out_lacks 'did not call' 'a mask that names those that there are is right'
say_json 'shfl-trace down 2 --width 4'
json_like .explain 'The last 2 lanes of each group of 4' 'how many of each group look past its end'

for bad in 'shfl-trace' 'shfl-trace down' 'shfl-trace sideways 1' 'shfl-trace down 32' \
    'shfl-trace down -1' 'shfl-trace down 1 --width 5' 'shfl-trace down 1 --lanes 33' \
    'shfl-trace down 1 --mask 0' 'shfl-trace down 1 --mask zebra'; do
    say "$bad"
    status_is 1 "$bad: refused"
    err_like '[a-z]' "$bad: and told why"
done

say 'shfl-trace down 16' --device sim:h100 --charset ascii
same_as golden/shfl-trace.txt 'the whole screen is as it was'

say 'shfl-trace down 1; shfl-trace up 1 --long'
out_like ' last lane of each group' 'one lane at the end'
out_lacks ' 1 lane of each' 'it is called by no number'
every_try shfl-trace
done_testing
