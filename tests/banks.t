# SPDX-License-Identifier: GPL-3.0-or-later
#
# banks: what the kernel needed is what the rule gives, and both are what an H100's profiler
# counted (8 bytes: stride 1 two wavefronts, stride 2 four; 16 bytes: four and eight).
#
# Each variant and option, as tests/data/labs.txt explains:
#: banks                                         | right
#: banks 2                                       | right
#: banks 32                                      | right
#: banks 33                                      | right
#: banks 0                                       | right
#: banks 528                                     | right
#: banks 1 --width 8                             | right
#: banks 2 --width 8                             | right
#: banks 1 --width 16                            | right
#: banks 4 --width 16                            | right
#: banks 4 --width 16 --store                    | right
#: banks 8 --store                               | right
#: banks 32 --pad 1                              | right
#: banks 16 --pad 2 --width 8                    | right
#: banks 2 --banks 16                            | right
#: banks --pattern broadcast                     | right
#: banks --pattern reverse                       | right
#: banks --pattern random                        | right
#: banks --pattern transpose                     | right
#: banks --pattern 0,32,64,96                    | right
#: banks 3 --grid                                | right
#: banks --pattern random --seed 7               | right
#: banks 32 --calls                              | told
#: banks 500 --store --calls                     | told
#
# What it refuses, as tests/data/refused.txt explains:
#! banks -1                                   | at least 0
#! banks 4097                                 | at most 4096
#! banks 2000                                 | stride and pad together are at most 1874
#! banks 4 --pad 65                           | at most 64
#! banks 4 --pad -1                           | at least 0
#! banks --pattern zebra                      | it takes linear
#! banks --pattern 0,1,99999999               | 0 to 1048576 with commas, as in 0,32,64
#! banks 2 --banks 8                          | it takes 32
#! banks 2 --banks 16 --calls                 | no program has calls for it
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"

# passes 'COMMAND' WAVEFRONTS DEGREE
passes() {
    say_json "$1"
    json_is .status ok "$1: ok"
    json_is .result.wavefronts "$2" "$1: $2 wavefronts"
    json_is .result.degree "$3" "$1: degree $3"
    json_is .result.ok true "$1: counted as predicted, values right"
}
passes 'banks 1' 1 1
passes 'banks 0' 1 1
passes 'banks 2' 2 2
passes 'banks 3' 1 1
passes 'banks 4' 4 4
passes 'banks 16' 16 16
passes 'banks 32' 32 32
passes 'banks 33' 1 1
passes 'banks 32 --pad 1' 1 1
passes 'banks 1 --width 8' 2 1
passes 'banks 2 --width 8' 4 2
passes 'banks 1 --width 16' 4 1
passes 'banks 2 --width 16' 8 2
passes 'banks 0 --width 8' 1 1
passes 'banks 0 --width 16' 2 1
passes 'banks 0 --width 8 --store' 2 1
passes 'banks --pattern 0,0,5,5 --width 8' 1 1
passes 'banks 32 --store' 32 32
passes 'banks 1 --store' 1 1
passes 'banks 1 --width 8 --store' 2 1
passes 'banks --pattern broadcast' 1 1
passes 'banks --pattern reverse' 1 1
passes 'banks --pattern transpose' 32 32
passes 'banks --pattern transpose --pad 1' 1 1
passes 'banks --pattern 0,32,64,0' 3 3
passes 'banks --pattern 5,6,5,6' 1 1
passes 'banks 1 --banks 16' 2 1
passes 'banks 2 --banks 16' 4 2

say_json 'banks --pattern random'
json_is .result.ok true 'random: counted as predicted'
say_json 'banks 7 --pattern random --width 16'
json_is .result.ok true 'random of 16 bytes too'

say_json 'banks 32'
json_is .result.stride 32 'stride'
json_is .result.width 4 'width'
json_is .result.best_pad 1 'the padding that fixes it'
json_is .counters.shared_load_wavefronts 32 'and the counters say the same'
json_is .counters.shared_load_conflicts 31 '31 of them beyond the first'

say 'banks 32'
out_like '^lanes +32 +\. +\.' 'the map: 32 lanes at bank 0'
out_has '32 wavefronts where 1 would do: a 32-way conflict' 'the verdict'
out_like 'with --pad 1: 1,' 'the mended kernel was run'
say 'banks 8'
out_has ': an 8-way conflict' 'its article'

for bad in 'banks -1' 'banks 5000' 'banks 4096 --width 16' 'banks 1 --width 5' \
    'banks 1 --pattern zigzag' 'banks 1 --pattern 1,x' 'banks 1 --pad 65' 'banks 1 2'; do
    say "$bad"
    status_is 1 "$bad: refused"
    err_like '[a-z]' "$bad: and told why"
done
say 'banks 1 --pattern lineal'
err_has 'linear' 'a near pattern is offered'

say 'banks 32' --device sim:h100 --charset ascii
same_as golden/banks.txt 'the whole screen is as it was'

every_try banks
done_testing
