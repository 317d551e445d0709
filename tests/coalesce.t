# SPDX-License-Identifier: GPL-3.0-or-later
#
# coalesce: the sectors that the counters have are those of the rule in plain C, for each pattern,
# size and shape; the picture, the layouts of structures, and what is wrong on purpose.
#
# Each variant and option, as tests/data/labs.txt explains:
#: coalesce                                      | right
#: coalesce --variant all                        | right
#: coalesce --variant linear                     | right
#: coalesce --stride 2                           | right
#: coalesce --stride 33 --offset 7 -n 1000       | right
#: coalesce --offset 1                           | right
#: coalesce --width 1                            | right
#: coalesce --width 2 --stride 3                 | right
#: coalesce --width 8 --stride 2                 | right
#: coalesce --width 16 --offset 1                | right
#: coalesce --variant misaligned                 | right
#: coalesce --variant strided                    | right
#: coalesce --variant strided --width 1          | right
#: coalesce --variant broadcast                  | right
#: coalesce --variant random                     | right
#: coalesce --variant random -n 5000 --seed 3    | right
#: coalesce --variant aos                        | right
#: coalesce --variant aos --fields 7 --read 3 -n 1001 --threads 50 | right
#: coalesce --variant soa                        | right
#: coalesce --variant soa --fields 8 --read 1    | right
#: coalesce --variant aosoa                      | right
#: coalesce --variant aosoa --fields 5 --read 2 -n 77 | right
#: coalesce --variant vector                     | right
#: coalesce --variant vector --fields 12 --read 7 | right
#: coalesce --variant staged                     | right
#: coalesce --variant staged --fields 3 --threads 50 | right
#: coalesce --variant nobarrier                  | fault race-shared uninitialized | luck its warps may happen to run in step
#: coalesce --variant unaligned                  | fault misaligned
#: coalesce --calls                              | told
#: coalesce --variant random --calls             | told
#
# What it refuses, as tests/data/refused.txt explains:
#! coalesce -n 0                              | at least 1
#! coalesce -n 2^25                           | at most 16777216
#! coalesce --stride -1                       | at least 0
#! coalesce --stride 65537                    | at most 65536
#! coalesce --offset -1                       | at least 0
#! coalesce --width 3                         | it takes 1, 2, 4
#! coalesce --fields 65 --variant aos         | at most 64
#! coalesce --fields 4 --read 5 --variant aos | take at most 4
#! coalesce --read 0 --variant aos            | at least 1
#! coalesce --variant aos --stride 2          | --variant linear takes --stride
#! coalesce --variant misaligned --offset 2   | --variant linear takes --stride and --offset
#! coalesce --variant random --width 8        | --variant linear takes --width
#! coalesce --fields 2                        | --variant aos takes --fields
#! coalesce --stride 65536 -n 2^20            | take a smaller -n or --stride
#! coalesce --variant vector --fields 6       | structures of 4, 8, 12
#! coalesce --variant staged --fields 64 --threads 1024 | take fewer --threads or --fields
#! coalesce --threads 1025                    | at most 1024
#! coalesce --variant aoss                    | did you mean aos
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"

# moves 'OPTIONS' REQUESTS SECTORS EFFICIENCY: counted, and as predicted
moves() {
    say_json "coalesce $1"
    json_is .status ok "coalesce $1: ok"
    json_is .result.ok true "coalesce $1: every result is right, and counted as predicted"
    json_is .result.requests "$2" "coalesce $1: $2 requests"
    json_is .result.sectors "$3" "coalesce $1: $3 sectors"
    json_is .result.predicted "$3" "coalesce $1: as many predicted"
    json_is .result.efficiency "$4" "coalesce $1: efficiency"
}
moves '' 32 128 1
moves '--stride 2' 32 256 0.5
moves '--stride 4' 32 512 0.25
moves '--stride 8' 32 1024 0.125
moves '--stride 32' 32 1024 0.125
moves '--stride 0' 32 32 4
moves '--offset 1' 32 160 0.8
moves '--offset 8' 32 128 1
moves '--width 1' 32 32 1
moves '--width 2' 32 64 1
moves '--width 8' 32 256 1
moves '--width 16' 32 512 1
moves '--width 16 --offset 1' 32 544 0.9411764705882353
moves '--width 1 --offset 31' 32 64 0.5
moves '--variant misaligned' 32 160 0.8
moves '--variant strided' 32 1024 0.125
moves '--variant strided --width 16' 32 1024 0.5
moves '--variant broadcast' 32 32 4
moves '--variant aos' 32 512 0.25
moves '--variant aos --fields 8 --read 1' 32 1024 0.125
moves '--variant soa' 32 128 1
moves '--variant soa --fields 8 --read 1' 32 128 1
moves '--variant aosoa' 32 128 1
moves '--variant aosoa --fields 8 --read 1' 32 128 1
moves '--variant vector' 8 128 1
moves '--variant vector --fields 8' 8 256 0.5
moves '--variant staged' 32 128 1
moves '--variant staged --fields 8 --read 1' 256 1024 0.125
moves '-n 1' 1 1 0.125
moves '-n 33' 2 5 0.825
moves '-n 40 --threads 40' 2 5 1
moves '-n 100 --threads 50' 4 15 0.8333333333333334

for bytes in 1 2 4 8 16; do
    for stride in 0 1 3 7 64; do
        say_json "coalesce --width $bytes --stride $stride --offset 5 -n 777 --threads 96"
        json_is .result.ok true "width $bytes, stride $stride: counted as predicted"
    done
done
for layout in aos soa aosoa vector staged; do
    for shape in '--fields 4 -n 999' '--fields 8 --read 5 --threads 33' '--fields 64 --threads 64'; do
        say_json "coalesce --variant $layout $shape"
        json_is .result.ok true "$layout $shape: counted as predicted"
    done
done

say_json 'coalesce --variant random'
json_is .result.ok true 'random: counted as predicted'
json_is .counters.global_load_requests 64 'a request for the index, and one for the element'
first=$(json .result.sectors)
say_json 'coalesce --variant random --seed 9'
json_is .result.ok true 'another order too'
ok 'and it is another one' test "$(json .result.sectors)" != "$first"

say_json 'coalesce --stride 2 --offset 3'
json_is .result.first.lanes 32 'the first load: all lanes'
json_is .result.first.sectors 9 'which touch nine sectors'
json_is .result.first.lines 3 'in three lines'
json_is .result.first.bytes[1] 20 'lane 1 reads element 5'
say_json 'coalesce -n 3'
json_is .result.first.bytes[3] null 'a lane that does not exist reads nothing'
say_json 'coalesce --variant staged'
json_is .counters.shared_load_conflicts 0 'staged: no bank conflict with four fields'
say_json 'coalesce --variant staged --fields 3'
json_is .counters.shared_load_conflicts 0 'nor with three'

say 'coalesce' --charset ascii
out_like '^line 0 +ABCDEFGH IJKLMNOP QRSTUVWX YZabcdef$' 'the picture: lanes in order'
out_has 'efficiency 100.0 %' 'all bytes are needed'
say 'coalesce --stride 8' --charset ascii
out_like '^line 5 +U\.{7} V\.{7} W\.{7} X\.{7}$' 'a sector for each lane'
say 'coalesce --stride 32' --charset ascii
out_has 'and 26 lines more, the last is line 31' 'what has no room is said'
say 'coalesce --variant broadcast'
out_like '^line 0 +\*\.{7}$' 'several lanes in one word'
say 'set plain on; coalesce --offset 1'
out_has 'Line 0: sector 0 for lanes 0 to 6; sector 1 for lanes 7 to 14' 'in sentences'
say 'set width 40; coalesce'
ok 'within 40 columns' test "$(awk 'length > 40' "$out" | wc -l)" -eq 0

say 'coalesce --variant nobarrier'
status_is 1 'nobarrier fails'
err_has 'staged fixes it' 'and what fixes it'
say 'coalesce --variant unaligned'
status_is 1 'unaligned fails'
out_like '^fault +misaligned' 'by a misaligned load'
err_has 'vector fixes it' 'and what fixes it'

say_json 'coalesce --variant all'
status_is 0 'all: as documented'
json_is .variants.# 12 'twelve rows'
json_is .variants[0].variant random 'most sectors first'
json_is .variants[0].predicted 1041 'the index has its sectors too'
json_is .variants[1].counters.global_load_sectors 1024 'and counted'
json_is .variants[11].wrong_on_purpose true 'wrong ones last'
say 'coalesce --variant all --fields 6'
status_is 0 'all runs what can run'
out_has 'not run: a float4 load needs structures' 'and says what cannot'
for profile in $(cards); do
    say_json 'coalesce --variant all' --device "sim:$profile"
    json_is .result.ok true "$profile: all"
done
say 'set schedule independent:3; coalesce --variant aos'
out_has 'the lanes of a warp run together' 'lanes run together to be counted'
say 'help coalesce'
out_has 'compute capability 1.0 and 1.1' 'what older texts teach'

say 'coalesce --stride 2' --device sim:h100 --charset ascii
same_as golden/coalesce.txt 'the whole screen is as it was'

every_try coalesce
done_testing
