# SPDX-License-Identifier: GPL-3.0-or-later
#
# bench: what it runs and refuses, what it tells on the simulator, and on a driver over the simulator
# what it makes of the times. There each launch takes half a millisecond, or as FAKE_PACE says.
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"
any_kernels

fixture=$top_srcdir/tests/data/gpu.ptx

# It works for as long as the first element is above 1, and halves it each time.
cat >"$tmp/halve.ptx" <<'END'
.version 6.0
.target sm_70
.address_size 64
.visible .entry halve(.param .u64 x)
{
    .reg .b64 %p; .reg .f32 %f; .reg .pred %q;
    ld.param.u64 %p, [x];
    ld.global.f32 %f, [%p];
again:
    setp.le.f32 %q, %f, 0f3F800000;
    @%q bra done;
    mul.f32 %f, %f, 0f3F000000;
    bra again;
done:
    st.global.f32 [%p], %f;
    ret;
}
END

# ---- on the simulator: nothing is measured --------------------------------------------------

say_json 'set volatile on; bench trap -n 2^12; trap -n 2^12' --device sim
json_is 2:.status ok 'sim: a lab'
json_is 2:.kernel trap_atomic 'sim: what was launched'
json_is 2:.result.launches 1 'sim: how often'
json_is 2:.result.command 'trap -n 2^12' 'sim: the command'
json_is 2:.counters.warp_instructions "$(json 3:.counters.warp_instructions)" 'sim: what was counted'
json_is 2:.result.warp_instructions "$(json 3:.counters.warp_instructions)" 'sim: told as a fact'
for absent in runs min_s median_s mean_s confidence copies array_gb_s; do
    json_absent "2:.result.$absent" "sim: no $absent"
done
json_absent 2:.time.median_s 'sim: no median'
json_absent 2:.time.measured_s 'sim: nothing is called measured'
json_is 2:.result.modelled_s "$(json 3:.time.modelled_s)" 'sim: the modelled time'
json_is 2:.time.modelled_s "$(json 3:.time.modelled_s)" 'sim: as the time of the command, so named'
say_json 'bench dot --variant two-kernels; dot --variant two-kernels' --device sim
json_is 1:.result.modelled_s "$(json 2:.time.modelled_s)" 'sim: of both kernels together'
say 'bench dot --variant two-kernels' --device sim
out_like '^  time +[0-9.e-]+ ms for all launches, modelled' 'sim: and it says that it is modelled'
out_has 'launches   2 in each run: dot_partials, dot_finish' 'sim: several kernels'
out_has 'the simulator measures none' 'sim: why there are no times'
say "bench 'trap -n 64; sum -n 64'" --device sim
out_has '2 in each run: trap_atomic, sum_tree' 'several commands are one sequence'
say "bench --compare 'sum -n 2^10' 'sum -n 2^10 --variant atomic'" --device sim
status_is 0 'sim: --compare'
out_like '^ +A +sum -n 2\^10 ' 'sim: the first command'
out_like '^ +B +sum -n 2\^10 ' 'sim: the second one'
say_json "bench --compare 'heat --steps 3' heat" --device sim
json_is '.result.commands[0].launches' 3 'sim: the launches of A'
json_is '.result.commands[0].name' A 'sim: its name'
json_is '.result.commands[1].name' B 'sim: and the other one'
json_absent .result.ratio 'sim: nothing was measured, so there is no ratio'
say_json "bench --compare sum sum; bench --compare 'dot --variant two-kernels' 'sum --variant atomic'
load $tmp/halve.ptx; array x f32 256 value:1024
bench --compare 'launch halve<<<1,1>>>(x)' 'launch halve<<<1,1>>>(x)'" --device sim
json_is 1:.result.modelled_ratio 1 'sim: a command with itself'
json_near 2:.result.modelled_ratio \
    "$(awk "BEGIN { print $(json '2:.result.commands[1].modelled_s') / $(json '2:.result.commands[0].modelled_s') }")" \
    1e-3 'sim: the ratio of both'
json_is 5:.result.modelled_ratio 1 'sim: both begin with the same memory'

# ---- what can't be timed ----------------------------------------------------------------------

bad 'bench' 'needs a command'
bad 'bench --runs 5' 'needs a command'
bad 'bench help' 'launches nothing that can be timed'
bad 'bench quit' "can't run inside bench"
bad 'bench sum --variant serial' 'launches nothing'
bad 'bench bench trap' "can't run inside bench"
bad 'bench nosuch' 'nosuch'
bad 'bench trap -n 0' 'at least 1'
bad 'bench trap --variant all' 'one --variant'
bad "bench --compare 'trap' 'help'" '`help` launches nothing'
bad "bench --compare 'trap' 'sum' dot" 'takes one command, or --compare with two'
bad 'bench --compare trap' 'needs two values'
bad 'bench --runs 0 trap' 'at least 1'
bad 'bench --seconds x trap' '--seconds'
say_json 'bench trap --variant race; echo next' --device sim
json_is .status fault 'a wrong variant is not timed'
say_json 'bench quit; echo next' --device sim
json_is 2:.command 'echo next' 'quit in it does not end the session'
say_json "load $fixture; array x i32 4 iota; bench launch add<<<1,8>>>(x, 1)" --device sim
json_is 3:.status fault 'a fault is told'
json_is '3:.faults[0].kind' out-of-bounds 'and which one'

# What belongs to the command is completed as if it was alone.
for line in 'tra' 'trap --var' 'trap --variant sh' 'launch k<<<1,1>>>(' 'set de'; do
    say "complete '$line'"
    cp "$out" "$tmp/alone"
    say "complete 'bench $line'; complete 'bench --runs 5 --warm $line'"
    cat "$tmp/alone" "$tmp/alone" >"$tmp/twice"
    ok "completed: $line" cmp -s "$tmp/twice" "$out"
done
say "complete 'bench --sec'"
out_has '--seconds' 'and options of bench as they are'

# ---- on a GPU that only seems one --------------------------------------------------------------

if ! test -f "$top_builddir/tests/fake/libcuda.so.1"; then
    skip 'no driver to be had here' 'times'
    done_testing
    exit
fi
with_fake_gpu libnvidia-ml.so.1

say_json 'bench trap -n 64' --device gpu
json_is .status ok 'times are hidden: it runs'
json_absent .result.median_s 'and none is told'
json_absent .time 'nor as the time of the command'
say 'bench trap -n 64' --device gpu
out_has '`set volatile on`' 'what shows them'

say_json 'set volatile on; bench --runs 20 dot --variant two-kernels' --device gpu
json_is 2:.result.launches 2 'two kernels'
json_absent 2:.result.modelled_s 'what is measured is not modelled'
json_is 2:.result.median_s 0.001 'the time is that of both'
json_is 2:.time.median_s 0.001 'it is the time of the command too'
json_is 2:.time.runs 20 '--runs'
json_is 2:.result.median_lo_s 0.001 'the interval begins'
json_is 2:.result.median_hi_s 0.001 'and ends'
json_is 2:.result.drift 0 'no drift'
json_is 2:.result.array_bytes 2097408 'the arrays: two inputs, and the sums twice'
json_is 2:.result.warm false 'the input is not in the cache'
copies=$(json 2:.result.copies) rotated=$(json 2:.result.rotated_bytes)
ok 'copies of the arrays exceed the cache by far' test "$rotated" -ge "$((2 * 4194304))"
ok 'there are several' test "$copies" -gt 2
json_is 2:.result.sm_mhz 1500 'the clock'
json_absent 2:.result.slowed 'nothing slows it down'
json_absent 2:.result.other_processes 'the card is not shared'
say_json 'set volatile on; bench --runs 20 --warm dot --variant two-kernels' --device gpu
json_is 2:.result.copies 1 '--warm: one copy'
json_is 2:.result.warm true '--warm: is told'
say_json 'set volatile on; bench --runs 5 vecadd -n 2^20' --device gpu
json_is 2:.result.copies 1 'arrays that exceed the cache by themselves need no copies'
say 'set volatile on; bench --runs 20 heat' --device gpu
out_has 'launches   100 in each run, as a graph: heat_' 'all steps of a lab'
out_like '^  median +50 ms, between 50 and 50 with a confidence of 95.9 %$' 'and their time'

# Launches that follow each other are a graph; where the driver makes none, they are the same.
FAKE_GRAPHS=$tmp/graphs
export FAKE_GRAPHS
say_json 'set volatile on; bench --runs 7 heat; bench --runs 7 vecadd' --device gpu
json_is 2:.result.graph true 'many launches: a graph'
json_near 2:.result.median_s 0.05 1e-9 'which has all of them'
json_is 3:.result.graph false 'one launch: none'
ok 'each run but the first ones launches a graph' test "$(wc -c <"$tmp/graphs")" -ge 9
rm "$tmp/graphs"
FAKE_CUDA=ungraphed
export FAKE_CUDA
say_json 'set volatile on; bench --runs 7 heat; heat --repeat 3' --device gpu
unset FAKE_GRAPHS FAKE_CUDA
json_is 2:.result.graph false 'a driver that makes no graph: none'
json_near 2:.result.median_s 0.05 1e-9 'and the same launches'
json_is 3:.result.ok true 'with a right result'
ok 'none was launched' test ! -e "$tmp/graphs"

# The steps of the host, as a program has them.
json_of() { # json_of COMMAND: its object, with times
    say_json "set volatile on; $1" --device gpu
}
# step I NAME COUNT BYTES
step() {
    json_is "2:.result.steps[$1].step" "$2" "step $1: $2"
    json_is "2:.result.steps[$1].count" "$3" "$2: how many"
    if test -n "$4"; then
        json_is "2:.result.steps[$1].bytes" "$4" "$2: bytes"
    else
        json_absent "2:.result.steps[$1].bytes" "$2: no bytes"
    fi
    json_like "2:.result.steps[$1].seconds" '^[0-9.e-]+$' "$2: seconds"
}
json_of 'bench --runs 5 vecadd -n 1000'
json_is 2:.result.launches 1 'a lab that times its steps itself is launched once'
step 0 allocate 3 12000
step 1 'copy in' 2 8000
step 2 launch 1 ''
step 3 kernels 1 ''
step 4 'copy out' 1 4000
json_is '2:.result.steps[3].seconds' 0.0005 'kernels: by the card'
json_absent '2:.result.steps[5]' 'no further step'
json_of "load $fixture; array x i32 4 iota; bench --runs 5 launch add<<<1,4>>>(x, 1)"
json_is '4:.result.steps.#' 2 'arrays that are there already are not allocated'
json_is '4:.result.steps[0].step' launch 'there is the launch'
json_is '4:.result.steps[1].step' kernels 'and the kernel'
say 'set volatile on; bench --runs 5 vecadd -n 1000' --device gpu
out_like '^allocate .* ms: 3 arrays, 12,000 bytes$' 'as bars'
json_of 'bench --runs 5 trap -n 2^12 --counters'
json_is 2:.counters_from sim '--counters: counted by the simulator'
json_is 2:.result.warp_instructions 2304 'and told as a fact'
json_is 2:.result.warp_instructions_per_s 4608000 'each second'
json_near 2:.result.share_of_issue 0.0000192 1e-7 'of four for each of 40 SMs at 1.5 GHz'

# Clocks that change, and others who use the card.
FAKE_PACE=tires
export FAKE_PACE
say 'set volatile on; bench --runs 300 --seconds 0.01 trap -n 64' --device gpu
out_like '^  change +the last third of the runs took 1[0-9.]* % longer than the first' 'a drift is told'
json_of "bench --runs 300 --seconds 0.01 --compare 'trap -n 64' 'trap -n 64'"
json_is 2:.status ok 'a drift does no harm to --compare'
ok 'both are the same' awk "BEGIN { exit !($(json 2:.result.ratio_lo) <= 1 && $(json 2:.result.ratio_hi) >= 1) }"
ok 'and known well' awk "BEGIN { exit !($(json 2:.result.ratio_hi) - $(json 2:.result.ratio_lo) < 0.02) }"
FAKE_PACE=wavers
json_of "bench --runs 300 --seconds 0.01 --compare 'trap -n 64' 'relaunch --variant launches --iters 2'"
ok 'twice as many launches take twice as long' awk "BEGIN { exit !($(json 2:.result.ratio_lo) <= 2 && $(json 2:.result.ratio_hi) >= 2) }"
json_is '2:.result.commands[0].launches' 1 'A has one launch'
json_is '2:.result.commands[1].launches' 2 'B has two'
json_of 'bench --runs 100 trap -n 64'
ok 'an interval of times that differ' awk "BEGIN { exit !($(json 2:.result.median_lo_s) < $(json 2:.result.median_s) && $(json 2:.result.median_s) < $(json 2:.result.median_hi_s)) }"
ok 'the quartiles are outside of it' awk "BEGIN { exit !($(json 2:.result.lower_quartile_s) < $(json 2:.result.median_lo_s) && $(json 2:.result.median_hi_s) < $(json 2:.result.upper_quartile_s)) }"
unset FAKE_PACE
for how in busy hot blind mute; do
    FAKE_NVML=$how
    export FAKE_NVML
    json_of 'bench --runs 5 trap -n 64'
    json_is 2:.status ok "NVML $how: it is timed"
    case $how in
    busy) json_is 2:.result.other_processes 2 'NVML busy: the others are counted' ;;
    hot)
        json_is 2:.result.sm_mhz 900 'NVML hot: the clock'
        json_is 2:.result.slowed heat 'NVML hot: why'
        ;;
    *) json_absent 2:.result.sm_mhz "NVML $how: no clock" ;;
    esac
done
unset FAKE_NVML

# ---- memory is as after one run ------------------------------------------------------------------

cat >"$tmp/grow.ptx" <<'END'
.version 6.0
.target sm_70
.address_size 64
.visible .entry grow(.param .u64 x)
{
    .reg .b64 %p<2>; .reg .b32 %r<2>;
    ld.param.u64 %p0, [x];
    mov.u32 %r0, %tid.x;
    mul.wide.u32 %p1, %r0, 4;
    add.u64 %p1, %p0, %p1;
    ld.global.u32 %r1, [%p1];
    mad.lo.u32 %r1, %r1, 2, 1;
    st.global.u32 [%p1], %r1;
    ret;
}
END
say_json "set volatile on; load $tmp/grow.ptx; array x i32 32 iota; array y i32 32 iota
bench --runs 6 launch grow<<<1,32>>>(x); print x[30..31]
bench --runs 6 'launch grow<<<1,32>>>(y); fill y iota; launch grow<<<1,32>>>(y); launch grow<<<1,32>>>(y)'
print y[30..31]
bench --runs 6 --compare 'launch grow<<<1,32>>>(x)' 'launch grow<<<1,32>>>(x)'; print x[30..31]
bench --runs 6 'launch grow<<<1,32>>>(x); array z i32 32 iota; launch grow<<<1,32>>>(z); free z'
print x[30..31]" --device gpu
json_is 6:.result.values '[61,63]' 'bench: as after one run'
json_is 7:.result.launches 3 'what the host stores between launches'
json_is 7:.result.median_s 0.0015 'is not timed'
json_is 8:.result.values '[123,127]' 'and is stored again'
json_is 10:.result.values '[123,127]' '--compare: both begin with the same memory'
json_is 11:.status ok 'an array that comes and goes'
json_is 12:.result.values '[247,255]' 'does no harm to the others'

bad_here() { # bad_here COMMANDS REGEX NAME: with the GPU that only seems one
    say "set volatile on; $1" --device gpu
    status_is 1 "$3: status"
    err_like "$2" "$3: why"
}
bad_here "load $tmp/grow.ptx; bench --compare 'array x i32 32 iota; launch grow<<<1,32>>>(x)' 'launch grow<<<1,32>>>(x)'" \
    "can't make or free arrays" '--compare: an array that A makes'

# Without memory for copies of the arrays, what is launched is right all the same, and one run is timed.
FAKE_CUDA=short
export FAKE_CUDA
bad_here 'bench vecadd -n 1000' 'the GPU has too little memory left' 'no memory to time it'
say_json 'set volatile on; vecadd -n 1000 --mem copy --repeat 5; dot -n 1000 --variant all; bench trap -n 64' \
    --device gpu
json_is 2:.result.ok true 'no memory for --repeat: the answer is right'
json_is 2:.time.runs 1 'no memory for --repeat: one run'
json_is 3:.status ok 'no memory for times: all variants run'
json_is 4:.status ok 'what needs no copies is timed'
unset FAKE_CUDA

# The fault is one of the command, and the next command works.
FAKE_CUDA=illegal
export FAKE_CUDA
say_json "set volatile on; bench trap -n 64; echo next" --device gpu
json_is 2:.status fault 'a launch that faults'
json_is 3:.status ok 'and the next command works'
unset FAKE_CUDA
done_testing
