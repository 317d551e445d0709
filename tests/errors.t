# SPDX-License-Identifier: GPL-3.0-or-later
#
# errors: programs that check nothing, and what each call would have said, by its name.
#
# Each variant and option, as tests/data/labs.txt explains:
#: errors                                        | right
#: errors --variant all                          | right
#: errors --variant checked                      | right
#: errors --variant badconfig                    | fault bad-launch
#: errors --variant badconfig --threads 0        | fault bad-launch
#: errors --variant async                        | fault null out-of-bounds
#: errors --variant async --fault null           | fault null out-of-bounds
#: errors --variant async --fault misaligned     | fault misaligned
#: errors --variant async --fault trap           | fault trap
#: errors --variant async --fault assert         | fault assert
#: errors --variant nosync                       | wrong | luck the kernel may be done before the host looks
#: errors -n 5003 --threads 1024                 | right
#: errors --calls                                | told
#
# What it refuses, as tests/data/refused.txt explains:
#! errors -n 0                                | at least 1
#! errors -n -1                               | at least 1
#! errors -n 1e12                             | at most 16777216
#! errors --threads 1025                      | --variant badconfig
#! errors --threads 0                         | --variant badconfig
#! errors --fault nul                         | did you mean null
#! errors --variant sync                      | did you mean async
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"

say 'errors'
status_is 0 'errors runs'
out_has 'twice<<<4, 256>>>(y, x, n): y = 2 x, n = 1,000' 'what is launched'
out_like 'sum +1,001,000, as it should be' 'the sum'
out_like 'cudaDeviceSynchronize\(\) +cudaSuccess' 'each call says that it went well'
say_json 'errors'
json_is .status ok 'JSON: ok'
json_is .result.sum 1001000 'sum'
json_is .result.ok true 'ok'
json_is .result.checks.# 6 'six calls'
json_is '.result.checks[2].call' 'cudaGetLastError()' 'one asks whether the launch could start'
json_is '.result.checks[2].added' false 'it is in the program'
json_is '.result.checks[1].returns' '(absent)' 'a launch returns nothing'

# wrong 'OPTIONS' STATUS LAST-ERROR SYNCHRONIZE COPY
wrong() {
    say_json "errors --variant $1"
    status_is 1 "$1: ends with 1"
    json_is .status "$2" "$1: $2"
    json_is .result.sum 0 "$1: the sum is none"
    json_is .result.ok false "$1: not right"
    json_like .error.message '--variant checked fixes it' "$1: what fixes it"
    json_is '.result.checks[2].added' true "$1: cudaGetLastError is not in it"
    json_is '.result.checks[2].returns' "$3" "$1: cudaGetLastError"
    json_is '.result.checks[3].returns' "$4" "$1: cudaDeviceSynchronize"
    json_is '.result.checks[4].returns' "$5" "$1: cudaMemcpy, or the host's own read"
}
ok=cudaSuccess illegal=cudaErrorIllegalAddress
wrong badconfig fault cudaErrorInvalidConfiguration $ok $ok
json_is .faults[0].kind bad-launch 'the device refused it'
json_is '.result.checks[2].number' 9 'its number'
json_is '.result.checks[2].text' 'invalid configuration argument' 'its text'
wrong 'badconfig --threads 0' fault cudaErrorInvalidConfiguration $ok $ok
json_like .faults[0].message 'size 0' 'a block without threads'
wrong async fault cudaErrorMemoryAllocation $illegal $illegal
json_is .faults[0].kind null 'a pointer that was never set'
json_is '.result.checks[0].returns' cudaErrorMemoryAllocation 'since cudaMalloc failed'
wrong 'async --fault misaligned' fault $ok cudaErrorMisalignedAddress cudaErrorMisalignedAddress
json_is .faults[0].kind misaligned 'an odd address'
wrong 'async --fault trap' fault $ok cudaErrorLaunchFailure cudaErrorLaunchFailure
json_is .faults[0].kind trap 'a trap'
wrong 'async --fault assert' fault $ok cudaErrorAssert cudaErrorAssert
json_is .faults[0].kind assert 'an assertion'
json_like .faults[0].source 'errors.cu:[0-9]+$' 'at its line'
json_is '.result.checks[3].number' 710 'and its number'
wrong nosync error $ok $ok '(absent)'
json_absent .faults[0] 'nothing is found'
say 'errors --variant badconfig'
out_like '^\+ +cudaGetLastError\(\) +cudaErrorInvalidConfiguration \(9\)' \
    'what checking adds is marked'
out_has 'A block of 2048 threads cannot start' 'and why'

say_json 'errors --variant all'
status_is 0 'all: as documented'
json_is .variants.# 4 'four rows'
json_is .variants[0].ok true 'checked is right'
for card in c2050 gk20a t4; do
    say_json 'errors --variant all --fault assert' --device sim:$card
    json_is .status ok "$card: all"
done
say 'errors --variant nosync' --device sim:c2050
err_has 'managed memory needs compute capability 3.0; --variant checked' 'no managed memory: said so'
out_lacks 'wrong on purpose' 'and nothing is run'
say_json 'errors --variant badconfig --threads 600 -n 10' --device sim:c2050
status_is 1 'a block that can start is no bad one'

for more in '-n 1' '-n 33 --threads 7' '-n 5000 --threads 1024'; do
    say_json "errors $more"
    json_is .result.ok true "errors $more"
done

bad 'errors -n 0' 'at least 1'
bad 'errors -n 1e12' 'at most'
bad 'errors --threads 0' '1 to 1024 threads'
bad 'errors --threads 1025' 'badconfig'
bad 'errors --variant badconfig --threads 256' 'is a valid block'
bad 'errors --fault nul' 'null'
bad 'errors --variant sync' 'nosync'

say 'errors --variant nosync --calls'
out_has cudaMallocManaged '--calls: managed memory'
out_lacks cudaDeviceSynchronize '--calls: and no wait'
say 'errors --calls'
out_has cudaDeviceSynchronize '--calls of the checked one has it'
for width in 60 72 80; do
    say "set width $width; errors; errors --variant async; errors --variant badconfig
errors --variant all"
    ok "$width columns" test "$(awk -v w=$width 'length > w' "$out" | wc -l)" -eq 0
done
say 'set plain on; errors --variant async'
out_has cudaErrorIllegalAddress 'plain: in words'
say errors --device sim:h100 --charset ascii
same_as golden/errors.txt 'the whole screen is as it was'

every_try errors
done_testing
