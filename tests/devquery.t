# SPDX-License-Identifier: GPL-3.0-or-later
#
# devquery: each profile can be asked, from outside and from inside, and what isn't there is
# an error that says what is.
#
# Each variant and option, as tests/data/labs.txt explains:
#: devquery                                      | right
#: devquery -d 0                                 | right
#: devquery --list                               | told
#: devquery --architectures                      | told
#: devquery --names                              | right
#: devquery --calls                              | told
#
# What it refuses, as tests/data/refused.txt explains:
#! devquery -d 9                              | (CUDA says cudaErrorInvalidDevice, 101)
#! devquery -d -1                             | at least 0
#! devquery -d x                              | is not a number
#! devquery 3                                 | usage is devquery
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"

say 'devquery'
status_is 0 'devquery runs'
out_has 'compute capability' 'capability'
out_has 'GB/s' 'the peak is worked out'
say 'devquery --long'
out_has 'cudaDeviceGetAttribute' 'what CUDA 13 moved is marked'

say_json 'devquery' --device sim:h100
json_is .result.devices.# 1 'one device'
json_is .result.devices[0].major 9 'an H100 is 9.0'
json_is .result.devices[0].architecture Hopper 'a Hopper'
json_is .result.devices[0].warp_size 32 'warps of 32'
json_is .result.devices[0].multiprocessors 132 'with 132 multiprocessors'
json_is .result.devices[0].max_block.# 3 'three extents'
json_is .result.ok true 'a kernel reads the same values'

# A card is one row of cards.def, and all that lists cards has it.
table=$(sed -n 's/^CARD("\([^"]*\)".*/\1/p' "$top_srcdir/src/dev/cards.def" | sort)
cards=$(cards)
ok 'there are cards' test "$(echo "$cards" | wc -l)" -ge 10
is "$(echo "$table" | grep -vxF "$cards")" g80 'the list has the whole table but for the G80'
say 'complete "occupancy --threads 32 --on "'
is "$(sort "$out")" "$table" 'occupancy --on takes each'
say 'complete "set device sim:"'
is "$(sort "$out")" "$(echo "$cards" | sed 's/^/sim:/' | sort)" 'set device offers each'
say 'show device' --device sim:none
for card in $cards; do
    err_has "$card" "a wrong name is told of $card"
done
for card in $cards; do
    say_json 'devquery' --device "sim:$card"
    json_is .status ok "$card can be asked"
    json_is .result.ok true "$card agrees with itself"
    json_is .result.devices[0].profile "$card" "$card is named"
done

say 'devquery --list'
out_has 'Fermi' 'the list names architectures'
out_has 'Blackwell' 'up to today'

say 'devquery -d 1'
status_is 1 'there is no device 1'
err_has '-d 0' 'and the message says which there is'
err_has 'cudaErrorInvalidDevice, 101' 'and what CUDA calls it'
for with in --list --architectures --calls --names; do
    say "devquery -d 7 $with"
    status_is 1 "-d 7 $with: no such device all the same"
done
say 'devquery -d 1024'
status_is 1 'nor a device 1024'
say 'devquery -d -1'
status_is 1 'nor a device -1'
say 'devquery -d x'
status_is 1 'nor a device x'

# Each field that the course's own query prints is there, or said not to be known.
for key in name global_bytes shared_per_block registers_per_block warp_size max_threads_per_block \
    max_block max_grid const_bytes major minor clock_khz max_texture_1d device_overlap \
    multiprocessors kernel_timeout integrated can_map_host concurrent_kernels ecc; do
    say_json 'devquery' --device sim:h100
    json_like ".result.devices[0].$key" '[^)]$' "the course's query: $key"
done
json_is '.result.devices[0].shared_reserved' 1024 'what the system keeps of shared memory'
json_is '.result.devices[0].max_warps_per_sm' 64 'warps an SM'
json_near '.result.devices[0].peak_gb_s' 3352.32 0.01 'the peak of memory'
say 'devquery --long' --device sim:quadro600
out_like 'not known of this card +copies beside a kernel, copy engines' 'what is not known is named'
out_lacks 'L2 cache  ' 'and has no number'

say 'devquery --names'
status_is 0 '--names runs'
out_like '^ +totalGlobalMem +85017493504 +bytes$' "a field under CUDA's name, as a program gets it"
out_like '^ +cudaDevAttrClockRate +1980000 +kHz$' 'one that CUDA 13 made an attribute'
out_has 'cudaDevAttrGpuOverlap' 'another'
out_has 'cudaDevAttrKernelExecTimeout' 'the third'
say 'devquery --calls'
out_has 'cudaGetDeviceProperties(&prop, 0)' '--calls names the call'
say_json 'devquery --calls'
json_is '.result.calls[0].call' 'cudaGetDeviceCount(&count)' 'the first of them'
say_json 'devquery --architectures'
json_is .result.architectures.# 29 'all compute capabilities'
json_is '.result.architectures[0].architecture' Tesla 'from the first'
json_is '.result.architectures[18].max_threads_per_sm' 1024 '7.5 has 1024 threads an SM'
json_is '.result.architectures[28].compute_capability' 12.1 'to the last'
json_is '.result.architectures[17].cuda_13' false '7.2 is past'
json_is '.result.architectures[18].cuda_13' true '7.5 is not'

# An instruction that came after the card closes the kernels that have it, and no others.
cat >"$tmp/dot.ptx" <<'END'
.version 7.0
.target sm_75
.address_size 64
.visible .entry dot(.param .u64 x)
{
    .reg .b32 %r<3>;
    .reg .b64 %d<2>;
    ld.param.u64 %d1, [x];
    mov.u32 %r1, %tid.x;
    dp4a.u32.u32 %r2, %r1, %r1, %r1;
    st.global.u32 [%d1], %r2;
    ret;
}
.visible .entry other(.param .u64 x)
{
    ret;
}
END
ready="load $tmp/dot.ptx; array x u32 1"
sentence='dp4a.u32.u32 needs compute capability 6.1; this device has 5.2'
say_json "$ready; kernels; launch other<<<1, 1>>>(x); launch dot<<<1, 1>>>(x)" --device sim:gtx970
json_is '3:.result.kernels[0].closed' "$sentence" 'kernels: why it is closed'
json_is 4:.status ok 'the other kernel runs'
json_is 5:.status fault 'this one does not'
err_has "unsupported-instruction: $sentence" 'and the launch says why'
say_json "$ready; launch dot<<<1, 1>>>(x)" --device sim:t4
json_is 3:.status ok 'a newer card has it'

say 'devquery --list' --device sim:h100 --charset ascii
same_as golden/devquery.txt 'the whole screen is as it was'

every_try devquery
done_testing
