# SPDX-License-Identifier: GPL-3.0-or-later
#
# dot: every variant on sizes that fit nothing, its counts, what nonpow2 loses.
#
# Each variant and option, as tests/data/labs.txt explains:
#: dot                                           | right | bound
#: dot --variant all                             | right | bound
#: dot --variant serial                          | right
#: dot --variant atomic                          | right | bound
#: dot --variant shared-atomic                   | right | bound
#: dot --variant shuffle-atomic                  | right | bound
#: dot --variant partials                        | right
#: dot --variant two-kernels                     | right
#: dot --variant gridstride                      | right | bound
#: dot --variant best                            | right | bound
#: dot --variant cublas                          | library
#: dot --variant nonpow2                         | wrong
#: dot -n 1                                      | right
#: dot -n 997 --variant atomic                   | right | bound
#: dot -n 1000 --threads 100                     | right | bound
#: dot -n 65537 --variant partials               | right
#: dot -n 1000003 --variant two-kernels          | right
#: dot -n 4099 -a iota -b value:1 --variant gridstride | right
#: dot -n 65537 --variant best                   | right | bound
#: dot --calls                                   | told
#
# What it refuses, as tests/data/refused.txt explains:
#! dot -n 0                                   | at least 1
#! dot -n -5                                  | at least 1
#! dot -n 2^29                                | at most 268435456
#! dot --threads 1025                         | at most 1024
#! dot --blocks 10                            | at least 1,024
#! dot -a zebra                               | expr:2*i+1 or file:PATH
#! dot --variant nonpow                       | did you mean nonpow2
#! dot -n 2^28                                | take a smaller n | quadro600
#! dot --variant shuffle-atomic               | needs compute capability 3.0 | c2050
#! dot -n 70000 --threads 1                   | at most 65,535 | c2050
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"

# right VARIANT ATOMICS
right() {
    say_json "dot --variant $1"
    status_is 0 "$1 runs"
    json_is .result.ok true "$1: checked itself"
    json_is .result.variant "$1" "$1: is named"
    json_is .result.n 262144 "$1: n"
    json_near .result.dot 65455.6 1 "$1: the products of the usual seed"
    test -z "$2" || json_is .counters.global_atomics "$2" "$1: $2 atomics"
}
right serial ''
right atomic 262144
right shared-atomic 1024
right shuffle-atomic 1024
right partials 0
right two-kernels 0
right gridstride 256
right best 16
json_is .counters.global_load_requests 4096 'best: a quarter of the loads of gridstride'
say_json 'dot --variant two-kernels'
json_is .launches.# 2 'two-kernels: two launches'
json_is .launches[1].kernel dot_finish 'the second adds the sums'
json_is .launches[1].grid[0] 1 'in one block'
say_json 'dot --variant partials -n 33792'
json_is .result.blocks 32 "a lecture's 33 x 1024 products: 32 blocks"
json_is .result.threads 256 'of 256'
say_json 'dot'
json_is .result.variant shared-atomic 'shared-atomic is the default'
say_json 'dot --variant shared-atomic --counters; dot --variant shuffle-atomic --counters'
json_is 1:.counters.barriers 65536 'a tree: eight waits for each of eight warps'
json_is 2:.counters.barriers 8192 'shuffles: one'

for more in '-n 1' '-n 2' '-n 31' '-n 1000 --threads 40' '-n 1001 --threads 1' \
    '-n 1023 --threads 100' '-n 4099 --threads 1024' '-n 5000 --threads 97'; do
    for v in atomic shared-atomic shuffle-atomic partials two-kernels gridstride best; do
        say_json "dot -a iota -b value:2 --variant $v $more"
        n=$(json .result.n)
        json_is .result.ok true "$v $more"
        json_is .result.exact $((n * (n - 1))) "$v $more: exact"
        json_near .result.dot $((n * (n - 1))) 2 "$v $more: twice 0 + 1 + ..."
    done
done

say_json 'dot -a random:-1:1 -b random:-1:1 --variant gridstride'
json_is .result.ok true 'terms of both signs'
say_json 'dot -a value:1 -b value:1 -n 1.7e7 --variant serial'
status_is 0 'a float that counts by ones'
json_is .result.rounded_away true 'is rounded away'
json_is .result.stuck_after 16777216 'is stuck'
say_json 'dot --variant partials' --schedule random:1..5
json_is .result.range.same 5 'where the order of adding is fixed, the bits are'

# What halving rounded down loses, worked out here: kept are the highest power of two.
# lost THREADS LOST
lost() {
    say_json "dot --variant nonpow2 -a value:1 -b value:1 -n $(($1 * 10)) --threads $1"
    status_is 1 "nonpow2, $1 threads: wrong"
    json_is .result.lost "$2" "nonpow2, $1 threads: $2 lost in a block"
    json_is .result.dot $((($1 - $2) * 10)) "nonpow2, $1 threads: the others are added"
    json_like .error.message 'shared-atomic fixes it' "nonpow2, $1 threads: what fixes it"
    say_json "dot --variant shared-atomic -a value:1 -b value:1 -n $(($1 * 10)) --threads $1"
    json_is .result.dot $(($1 * 10)) "shared-atomic, $1 threads: loses none"
}
lost 100 36
lost 96 32
lost 33 1
lost 1000 488
say_json 'dot --variant nonpow2'
json_is .result.n 1000 'few products, if not told'
json_is .result.threads 100 'in blocks of 100'
json_is .status error 'no checker finds it'

say_json 'dot --variant all'
status_is 0 'all: as documented'
json_is .variants.# 10 'all: ten rows'
json_is .variants[0].variant serial 'the slowest first'
json_is .variants[8].not_run true 'cublas is not run'
json_is .variants[9].variant nonpow2 'nonpow2 last'
json_is .variants[9].wrong_on_purpose true 'and marked'
say_json 'dot --variant all -n 3'
json_is .status ok 'all, of three products'
say_json 'dot --variant all --threads 64'
json_is .status ok 'all, in blocks that nonpow2 does not show'
say 'dot --variant all -n 4096' --device sim:gk20a
status_is 0 'all on a card of 3.2'
say 'set projector on; dot --variant all; dot; dot --variant nonpow2'
ok '72 columns are enough' test "$(awk 'length > 72' "$out" | wc -l)" -eq 0

say 'dot --variant cublas'
status_is 1 'cublas is absent'
err_like 'NVIDIA' 'and it says why'
say 'dot --variant partials --calls; dot --variant two-kernels --calls
dot --variant cublas --calls; dot --calls'
status_is 0 '--calls'
out_has 'for (i = 0; i < blocks; i++)' 'the host adds'
out_has 'dot_finish<<<1' 'a second kernel adds'
out_has 'cublasSdot(handle, n, a, 1, b, 1' 'the library adds'
out_has 'dot_shared_atomic<<<1024, 256, 1024>>>' 'atomics add'
say 'code dot --variant two-kernels'
out_has 'dot_partials' 'code: two-kernels has both'
out_has 'dot_finish' 'kernels'
say 'dot --repeat 3 --counters --trace'
out_has '3 with the same bits' '--repeat'
out_like 'warp instructions +[0-9]' '--counters'
out_has 'ld.global' '--trace'

bad 'dot -n 0' 'at least 1'
bad 'dot -n -5' 'at least 1'
bad 'dot -n 2^29' 'at most'
bad 'dot --threads 1025' '1024'
bad 'dot --blocks 10' '1,024 blocks'
bad 'dot --blocks 2147483647 --threads 1024 --variant gridstride' 'fewer blocks'
bad 'dot --variant nonpow2 --threads 128' '100'
bad 'dot -a file:x' 'array'
bad 'dot -b 1' 'value:1'
bad 'dot -a value:1e30' '1e18'
bad 'dot --variant nonpow' 'nonpow2'

# The longest chain: 8 or 7 steps of the tree, and one atomic addition for each block.
say_json 'dot -n 2560 --threads 256; dot -n 1000 --threads 100'
json_is 1:.result.chain 18 'a chain has the steps of the tree, and the atomic additions'
json_is 2:.result.chain 17 'also if the tree rounds up'

every_try dot
done_testing
