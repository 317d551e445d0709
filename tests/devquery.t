# SPDX-License-Identifier: GPL-3.0-or-later
#
# devquery: each profile can be asked, from outside and from inside, and what isn't there is
# an error that says what is.
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"

say 'devquery'
status_is 0 'devquery runs'
out_has 'compute capability' 'capability'
out_has 'GB/s' 'the peak is worked out'
out_has 'cudaDeviceGetAttribute' 'what CUDA 13 moved is marked'

say_json 'devquery' --device sim:h100
json_is .result.devices.# 1 'one device'
json_is .result.devices[0].major 9 'an H100 is 9.0'
json_is .result.devices[0].architecture Hopper 'a Hopper'
json_is .result.devices[0].warp_size 32 'warps of 32'
json_is .result.devices[0].multiprocessors 132 'with 132 multiprocessors'
json_is .result.devices[0].max_block.# 3 'three extents'
json_is .result.ok true 'a kernel asked from inside agrees'

say_json 'devquery --list'
profiles=$(i=0; while name=$(json ".result.profiles[$i].profile") && test "$name" != '(absent)'; do
    echo "$name"
    i=$((i + 1))
done)
for profile in $profiles; do
    say_json 'devquery' --device "sim:$profile"
    json_is .status ok "$profile can be asked"
    json_is .result.ok true "$profile agrees with itself"
    json_is .result.devices[0].profile "$profile" "$profile is named"
done
for profile in quadro600 c2050 gk20a titanx gtx970 t4 a100 rtx3090 h100; do
    like " $(echo $profiles) " " $profile " "$profile is in the list"
done

say_json 'devquery --list'
json_like .result.profiles.# '^1[0-9]$' 'ten profiles or more'
say 'devquery --list'
out_has 'Fermi' 'the list names architectures'
out_has 'Blackwell' 'up to today'

say 'devquery -d 1'
status_is 1 'there is no device 1'
err_has '-d 0' 'and the message says which there is'
say 'devquery -d -1'
status_is 1 'nor a device -1'
say 'devquery -d x'
status_is 1 'nor a device x'

say 'devquery --list' --device sim:h100 --charset ascii
same_as golden/devquery.txt 'the whole screen is as it was'

every_try devquery
done_testing
