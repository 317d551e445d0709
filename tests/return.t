# SPDX-License-Identifier: GPL-3.0-or-later
#
# return: three ways for a kernel's result to reach the host, and the pointer that doesn't.
#
# Each variant and option, as tests/data/labs.txt explains:
#: return                                        | right
#: return 40 2                                   | right
#: return --variant all                          | right
#: return --variant copy                         | right
#: return --variant managed                      | right
#: return -1000000000 7 --variant managed        | right
#: return --variant global                       | right
#: return --variant hostptr                      | fault host-pointer out-of-bounds
#: return --calls                                | told
#
# What it refuses, as tests/data/refused.txt explains:
#! return x                                   | is not a number
#! return 1.5                                 | is not a whole number
#! return 2000000000                          | at most 1000000000
#! return --variant hostpointer               | it takes copy
#! return 1 2 3                               | usage is return
#! return --variant managed                   | --variant copy | c2050
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"

say return
status_is 0 'return runs'
out_like 'sum +5 +right' '2 + 3 is 5'
out_has 'cudaMemcpy' 'by a copy'

for v in copy managed global; do
    say_json "return 40 2 --variant $v"
    json_is .status ok "$v: ok"
    json_is .result.ok true "$v: checked itself"
    json_is .result.sum 42 "$v: the sum"
    json_is .result.variant $v "$v: is named"
    json_is .counters.global_store_requests 1 "$v: by one store"
    say_json "return -1000000000 -7 --variant $v"
    json_is .result.sum -1000000007 "$v: negative numbers"
    say_json "return 0 0 --variant $v"
    json_is .result.ok true "$v: nothing and nothing"
    say "return --variant $v --repeat 3"
    out_has '3 with the same bits' "$v: three times"
done
say_json 'return 1 2 --variant global; return 3 4 --variant global'
json_is 2:.result.sum 7 'global: a second time'

say_json 'return --variant hostptr'
status_is 1 'hostptr ends with 1'
json_is .status fault 'hostptr: a fault'
json_is .faults[0].kind host-pointer 'hostptr: of this kind'
json_absent .faults[0].address 'hostptr: addresses are volatile'
json_like .faults[0].source 'return.cu:[0-9]+$' 'hostptr: at its line'
json_is .result.sum 0 'hostptr: the variable is as before'
json_is .result.expected 5 'hostptr: and should be 5'
json_like .error.message '--variant copy fixes it' 'hostptr: what fixes it'
say_json 'set volatile on; return --variant hostptr'
json_is 2:.faults[0].address 0x7ffdc0ffee04 'hostptr: an address of the host'
say_json 'return 0 0 --variant hostptr'
json_is .result.ok false 'hostptr: 0 that was never stored is not right'

say_json 'return --variant all'
status_is 0 'all: each as documented'
json_is .variants.# 4 'four rows'
json_is .variants[3].fault host-pointer 'the last one wrong on purpose'
say_json 'return --variant all' --device sim:c2050
status_is 0 'all: also on a card without managed memory'
say 'return --variant managed' --device sim:c2050
err_has 'needs compute capability 3.0' 'which says what it lacks'

# calls VARIANT WANTED UNWANTED
calls() {
    say_json "return --variant $1 --calls"
    grep -o '"call":"[^"]*"' "$out" >"$tmp/calls"
    ok "$1 --calls has $2" grep -Fq -e "$2" "$tmp/calls"
    ! grep -Fq -e "$3" "$tmp/calls"
    verdict $? "but no $3"
}
calls copy cudaMemcpyDeviceToHost cudaDeviceSynchronize
calls managed cudaDeviceSynchronize cudaMemcpy
calls global cudaMemcpyFromSymbol cudaMalloc
calls hostptr '2, 3, &sum)' cudaMemcpy

bad 'return 2147483647' '1000000000'
bad 'return two' 'number'
bad 'return 1.5' 'whole|integer'
bad 'return 1 2 3' 'return'
bad 'return --variant hostpointer' 'hostptr'

say 'set projector on; return; return --variant all; return --variant hostptr; return --calls'
is "$(awk 'length > 72' "$out")" '' 'all of it in 72 columns'

say return --device sim:h100 --charset ascii
same_as golden/return.txt 'the whole screen is as it was'

every_try return
done_testing
