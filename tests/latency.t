# SPDX-License-Identifier: GPL-3.0-or-later
#
# latency: a chase ends where plain C ends, and asks its own memory for each step and no more.
# The simulator has no clock, so it must show no cycles of its own.
#
# Each variant and option, as tests/data/labs.txt explains:
#: latency                                       | right
#: latency --variant all                         | right
#: latency --variant register                    | right
#: latency --variant shared                      | right
#: latency --variant l1                          | right
#: latency --variant l2                          | right
#: latency --variant global                      | right
#: latency --variant constant                    | right
#: latency --variant constant-miss               | right
#: latency --variant l1 --bytes 8K --stride 64   | right
#: latency --variant global --order forward      | right
#: latency --variant l2 --steps 100 --seed 3     | right
#: latency --variant l1 --calls                  | told
#
# What it refuses, as tests/data/refused.txt explains:
#! latency --steps 0                          | at least 1
#! latency --steps -1                         | at least 1
#! latency --bytes 3                          | at least 4
#! latency --bytes 1G --variant l1            | at most 67,108,864
#! latency --bytes 1G --variant shared        | at most 232,448
#! latency --bytes 1G --variant global        | at most 67,108,864
#! latency --stride 3                         | at least 4
#! latency --stride 6 --variant l1            | a multiple of 8
#! latency --order up                         | it takes random
#! latency --variant l3                       | did you mean l2
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"

# chase VARIANT COUNTER WARM STEPS: a request a step, of one thread.
chase() {
    say_json "latency --variant $1"
    json_is .status ok "$1 runs"
    json_is .result.ok true "$1: ends where plain C does"
    json_is .result.variant "$1" "$1: is named"
    json_is .result.warm_steps "$3" "$1: $3 steps before the clock"
    json_is .result.steps "$4" "$1: $4 steps"
    json_is .result.loads $(($3 + $4)) "$1: loads counted"
    json_is .result.loads_predicted $(($3 + $4)) "$1: as predicted"
    json_is ".counters.$2" $(($3 + $4)) "$1: of this memory"
    json_absent .result.cycles "$1: no cycles from the simulator"
    json_absent .result.cycles_per_step "$1: none a step"
}
chase global global_load_requests 0 1024
json_is .counters.global_load_sectors 1024 'global: a sector each'
json_is .result.claims.# 4 'global: what four say'
json_is .result.claims[0].cycles_high 1000 'in numbers'
json_is .result.claims[0].year 2015 'with a year'
chase l2 global_load_requests 2048 1024
chase l1 global_load_requests 256 1024
chase constant constant_load_requests 256 1024
chase constant-miss constant_load_requests 0 256
chase shared shared_load_requests 1024 1024
json_is .counters.global_load_requests 1024 'shared: the ring is copied once'
say_json 'latency --variant register'
json_is .result.ok true 'register: right'
json_is .result.steps 1024 'register: steps'
json_is .counters.global_load_requests 0 'register: no load'
for steps in 1 31 32 33 1000; do
    say_json "latency --variant register --steps $steps"
    json_is .result.ok true "register: $steps in a chain"
done

# What a student may change, it does.
for more in '--bytes 4K' '--steps 5000' '--order forward' '--seed 7' '--bytes 64K --stride 4K' \
    '--stride 8 --bytes 8'; do
    for v in global l2 l1; do
        say_json "latency --variant $v $more"
        json_is .result.ok true "$v $more"
    done
done
say_json 'latency --variant shared --bytes 200K'
json_is .result.ok true 'a ring of more than 48 KB'
say_json 'latency --variant constant --bytes 64K --stride 64'
json_is .result.places 1024 'all of constant memory'
json_is .result.ok true 'is walked'
say_json 'latency --variant global --steps 100'
json_is .result.warm_steps 924 'all other places come first'
say_json 'latency --variant constant-miss --steps 300'
json_is .result.loads 300 'more than once round, if asked for'
say_json 'latency --variant l1 --order forward --bytes 64 --stride 8 --steps 3 --trace'
json_is .result.ok true 'a short one'
say 'latency --variant l1 --bytes 64 --stride 8 --steps 3 --trace'
out_has 'ld.global.ca' 'the trace has the loads'

say_json 'latency'
json_is .status ok 'all levels'
json_is .variants.# 7 'seven rows'
json_is .variants[0].variant global 'from far'
json_is .variants[6].variant register 'to near'
json_is .result.ok true 'all right'
json_is .result.claims.# 20 'with all that was said'
cp "$out" "$tmp/all"
say_json 'latency --variant all'
is "$(json .variants.#)" 7 '--variant all is the same'
say_json 'latency; latency --seed 5' --device sim:t4
json_is 2:.result.ok true 'on a T4, with another seed'
for profile in $(cards); do
    say_json 'latency' --device "sim:$profile"
    json_is .result.ok true "$profile: all levels"
done
say_json 'latency --variant l2' --device sim:gk20a
json_is .result.ring_bytes 65536 'a ring that a small L2 holds'
say 'latency --calls; latency --variant constant --calls'
status_is 0 'calls'
out_has 'chase_constant<<<1, 1>>>' 'of the variant'
say 'set volatile on; latency; latency --variant l2'
out_lacks 'cycles a step' 'no cycles even where times may be shown'
out_has 'measures no time' 'and it says why'
say 'set width 72; latency; latency --variant global'
ok 'within 72 columns' test "$(awk 'length > 72' "$out" | wc -l)" -eq 0

for bad in '--bytes 4K' '--variant l2 --stride 12' '--variant l2 --bytes 100 --stride 64' \
    '--variant shared --bytes 300K' '--variant constant --bytes 128K' \
    '--variant register --bytes 64' '--steps 0' '--steps -1' '--variant l3' \
    '--variant global --bytes 2G' '--variant global --stride 8 --bytes 1G' '--order backward' \
    'x'; do
    say "latency $bad"
    status_is 1 "latency $bad: refused"
    err_like 'name it|say which|multiple|at most|leave out|at least|did you mean|it takes|usage|wider' \
        "latency $bad: told why"
done

every_try latency
done_testing
