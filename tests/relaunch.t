# SPDX-License-Identifier: GPL-3.0-or-later
#
# relaunch: the same additions by many launches and by one that loops.
#
# Each variant and option, as tests/data/labs.txt explains:
#: relaunch                                      | right
#: relaunch --variant all                        | right
#: relaunch --variant launches                   | right
#: relaunch --variant loop                       | right
#: relaunch -n 1 --iters 1                       | right
#: relaunch -n 997 --iters 13 --variant launches | right
#: relaunch --variant loop -x 1,2 -y 3,4 --threads 64 | right
#: relaunch --iters 1000 -n 32                   | right
#: relaunch --calls                              | told
#
# What it refuses, as tests/data/refused.txt explains:
#! relaunch -n 0                              | at least 1
#! relaunch -n -1                             | at least 1
#! relaunch -n 1e9                            | at most 1048576
#! relaunch --iters 0                         | at least 1
#! relaunch --threads 1025                    | at most 1024
#! relaunch --variant lop                     | did you mean loop
#! relaunch -n 70000 --threads 1              | at most 65,535 | c2050
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"

say relaunch
status_is 0 'relaunch runs'
out_like '^launches .* 6400 .* ok$' 'both: by launches'
out_like '^loop .* 6400 .* ok$' 'and by a loop, with as many loads'
say_json relaunch
json_is .status ok 'both are right'
json_is .variants.# 2 'two rows'
json_is .variants[0].variant launches 'launches are the slower'
json_is .variants[0].counters.global_store_requests 3200 '100 x 32 stores'
json_is .variants[1].counters.global_store_requests 3200 'by the loop too'
json_is .variants[0].predicted 6400 'loads as predicted'
ok 'the loop needs fewer instructions' \
    test "$(json .variants[1].counters.warp_instructions)" -lt \
    "$(($(json .variants[0].counters.warp_instructions) / 2))"
json_is .result.iters 100 'so often'
say_json 'relaunch --variant all --iters 1'
json_is .variants[0].counters.global_load_requests 64 'once'

say_json 'relaunch --variant launches --iters 7 -n 50'
json_is .result.ok true 'launches: right'
json_is .result.launches 7 'launches: seven'
json_is .launches.# 7 'launches: really'
json_is .counters.global_load_requests 28 'launches: 7 x 2 x 2 loads'
say_json 'relaunch --variant loop --iters 7 -n 50'
json_is .result.ok true 'loop: right'
json_is .result.launches 1 'loop: one'
json_is .kernel relaunch_loop 'loop: really'
json_is .counters.global_load_requests 28 'loop: as many loads'
say_json 'relaunch --variant loop -x 1,2 -y 3,4 --threads 64'
json_is .result.n 2 'own numbers'
json_is .result.threads 64 'own blocks'
say_json 'relaunch --calls'
json_like .result.calls[1].call 'relaunch_once<<<4, 256>>>' '--calls: by launches'
say_json 'relaunch --variant loop --calls'
json_is .result.calls.# 2 '--calls: by the loop'

bad 'relaunch -n 0' '1'
bad 'relaunch --iters 0' '1'
bad 'relaunch --iters 10001' '10000'
bad 'relaunch -n 2^21' '1048576'
bad 'relaunch --variant lop' 'loop'
bad 'relaunch -x 1,2 -y 1' 'same length'

say 'set projector on; relaunch; relaunch --variant loop; relaunch --variant launches
relaunch --calls'
is "$(awk 'length > 72' "$out")" '' 'all of it in 72 columns'

say relaunch --device sim:h100 --charset ascii
out_has '102,400 threads' 'and why'

every_try relaunch
done_testing
