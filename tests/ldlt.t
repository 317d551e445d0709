# SPDX-License-Identifier: GPL-3.0-or-later
#
# ldlt: systems of any size, solved as plain C does; how much shared memory they take, where it
# ends, and how many passes a load takes by the distance of two systems.
#
# Each variant and option, as tests/data/labs.txt explains:
#: ldlt                                          | right
#: ldlt --variant all                            | right
#: ldlt --variant shared                         | right
#: ldlt --variant global                         | right
#: ldlt --variant padded                         | right
#: ldlt --variant staged                         | right
#: ldlt --variant staged --systems 45 --threads 20 | right
#: ldlt --variant optin                          | right
#: ldlt --variant over48k                        | fault bad-launch
#: ldlt --variant short                          | fault out-of-bounds | luck a card may give a block more than it asked for
#: ldlt --variant noguard                        | fault out-of-bounds | luck what lies behind the arrays may be the process's own
#: ldlt --dim 1                                  | right
#: ldlt --dim 60 --systems 3                     | right
#: ldlt --map                                    | right
#: ldlt --calls                                  | told
#
# What it refuses, as tests/data/refused.txt explains:
#! ldlt --dim 0                                  | at least 1
#! ldlt --dim 257                                | at most 256
#! ldlt --systems 0                              | at least 1
#! ldlt --systems 1048576                        | take fewer --systems
#! ldlt --threads 1025                           | at most 1024
#! ldlt --threads 1000                           | take at most 382 --threads
#! ldlt --variant over48k --threads 80           | take at least 81 --threads
#! ldlt --variant noguard --systems 64           | for example 65
#! ldlt --dim 256 --variant optin                | --variant global needs none | c2050
#! ldlt --threads 96                             | take at most 80 --threads | gk20a
#! ldlt --variant optin --dim 3                  | take a larger --dim
#! ldlt --variant short --systems 2              | take 32 --systems
#! ldlt --variant paded                          | did you mean padded
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"

for dim in 1 2 3 7 16 17 33; do
    for v in shared padded staged global; do
        echo "ldlt --variant $v --dim $dim --systems 1"
        echo "ldlt --variant $v --dim $dim --systems 45"
        echo "ldlt --variant $v --dim $dim --systems 70 --threads 33"
    done
done >"$tmp/any.lab"
lab --json "$tmp/any.lab" </dev/null
status_is 0 'systems of any size, and any number of them'
is "$(grep -c '"ok":true' "$out")" 84 'each has the solutions of plain C'

# room VARIANT DIM FLOATS BYTES THREADS-IN-48K CONFLICT
room() {
    say_json "ldlt --variant $1 --dim $2"
    json_is .result.ok true "$1, $2 equations: right"
    json_is .result.floats "$3" "$1, $2 equations: floats of a thread"
    json_is .result.shared_bytes "$4" "$1, $2 equations: bytes of a block"
    json_is .result.most_48k "$5" "$1, $2 equations: threads in 48 KiB"
    json_is .result.conflict "$6" "$1, $2 equations: lanes in a bank"
    json_is .result.passes "$6" "$1, $2 equations: passes a load, counted"
}
room shared 16 152 19456 80 8
room padded 16 153 19584 80 1
room shared 17 170 21760 72 2
room padded 17 171 21888 71 1
room shared 31 527 67456 23 1
room padded 31 527 67456 23 1
say_json 'ldlt --variant padded --map --dim 13; ldlt --map'
json_is 1:.result.conflict 1 'a number of floats that is even gets one more'
json_is 2:.result.norm "$(json 2:.result.norm)" 'and the map changes nothing'
json_is .result.right_systems 128 'all systems are right'
say 'ldlt --map'
out_like '^lanes +8 ' 'eight lanes in a bank'

say_json 'ldlt --variant padded; ldlt --variant staged; ldlt --variant global'
few=$(json 2:.counters.global_load_sectors)
ok 'staged: few sectors' test $((few * 2)) -lt "$(json 1:.counters.global_load_sectors)"
ok 'global: many' test "$(json 3:.counters.global_load_sectors)" -gt $((few * 20))

say_json 'ldlt --variant optin'
json_is .result.threads 96 '96 threads'
json_is .result.shared_bytes 58368 'take more than 48 KiB'
say_json 'ldlt --variant over48k'
json_is .faults[0].kind bad-launch 'which a launch gets only if the program asks'
json_like .error.message 'optin fixes it' 'what fixes it'
say_json 'ldlt --variant short'
json_is .faults[0].kind out-of-bounds 'no room for y: found'
json_like .error.message 'shared fixes it' 'what fixes it'
say_json 'ldlt --variant noguard'
json_is .faults[0].kind out-of-bounds 'no test: found'
json_is .result.systems 100 'with systems that fill no block'
say_json 'ldlt --variant all'
status_is 0 'all: as documented'
json_is .variants.# 8 'all: eight rows'
json_is .variants[0].variant global 'the slowest first'
say_json 'ldlt --variant all --dim 3 --systems 5'
json_is .status ok 'all, of five small ones'
say 'ldlt --variant all' --device sim:c2050
status_is 0 'all on a card of 2.0'
out_has 'not run: 96 threads take 58,368 bytes' 'which has 48 KiB at most'
say 'set projector on; ldlt --variant all; ldlt; ldlt --map; ldlt --variant short'
ok '72 columns are enough' test "$(awk 'length > 72' "$out" | wc -l)" -eq 0

every_try ldlt
done_testing
