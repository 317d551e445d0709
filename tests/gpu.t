# SPDX-License-Identifier: GPL-3.0-or-later
#
# The GPU device, on tests/fake/libcuda.so.1: a driver over the simulator that can be told to
# misbehave. What cudalab does around a GPU is all there: the process, the copies of the arrays,
# what kernels print, and every way in which a launch or the driver itself can end.
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"
any_kernels

fake=$top_builddir/tests/fake
test -f "$fake/libcuda.so.1" || skip_all 'the libcuda for tests is not built'
fixture=$top_srcdir/tests/data/gpu.ptx

with_driver() { # with_driver HOW: "" is one that works
    LD_LIBRARY_PATH=$fake FAKE_CUDA=$1 CUDALAB_TEST=$tmp
    export LD_LIBRARY_PATH FAKE_CUDA CUDALAB_TEST
}

without_driver() {
    unset LD_LIBRARY_PATH FAKE_CUDA
}

with_driver ''
unset CUDA_VISIBLE_DEVICES
say 'show device' --device gpu
if test "$status" != 0 && { test -n "$CUDALAB_WRAPPER" || test "$BUILD_KIND" != plain; }; then
    skip_all 'a process of another kind cannot be started under this checker'
fi

# ---- which device -------------------------------------------------------------------------

say_json 'show device'
json_is .device gpu 'auto takes the GPU'
json_is .model 'Fake GPU' 'and names it'
say_json 'show device' --device sim
json_is .device sim 'sim can still be had'
json_is .model h100 'and is what it always is'

refused() { # refused HOW DEVICE REGEX NAME
    with_driver "$1"
    say 'show device' --device "$2"
    status_is 2 "$4: status"
    err_like "$3" "$4: says why"
    out_empty "$4: nothing ran"
}
refused broken gpu "the NVIDIA driver doesn't work: CUDA_ERROR_UNKNOWN" 'every call fails'
refused none gpu 'the NVIDIA driver finds no GPU in this machine' 'no GPU'
refused hidden gpu 'the NVIDIA driver crashes when it is started \(signal 6\)' \
    'a driver that crashes'
refused small gpu 'has compute capability 3\.5, and the kernels here .* above$' 'a card too old'
refused full gpu 'gpu:0 has no memory left: other programs use it' 'a full card'
refused '' gpu:1 'there is no gpu:1; the only GPU here is gpu:0' 'one card, gpu:1'
refused two gpu:7 'there is no gpu:7; the GPUs here are gpu:0 to gpu:1' 'two cards, gpu:7'
refused '' gpu:x 'after gpu: comes the GPU.s number' 'gpu:x'
refused '' gpu: 'after gpu: comes the GPU.s number' 'gpu:'
CUDA_VISIBLE_DEVICES=5
export CUDA_VISIBLE_DEVICES
refused none gpu 'shows no GPU: CUDA_VISIBLE_DEVICES is set to "5"' 'CUDA_VISIBLE_DEVICES'
unset CUDA_VISIBLE_DEVICES

for n in 0 1; do
    with_driver two
    say_json 'show device' --device gpu:$n
    json_is .model "Fake GPU $n" "two cards, gpu:$n"
done
with_driver old
say_json "load $fixture; array x i32 4 iota; launch add<<<1,4>>>(x, 5); print x" --device gpu
json_is 4:.result.values '[5,6,7,8]' 'an older driver gets PTX that it understands'

# ---- devices, devquery ----------------------------------------------------------------------

with_driver two
say_json 'devices' --device gpu:1
json_is .result.devices.# 3 'devices: two GPUs and sim'
json_is '.result.devices[0].device' gpu:0 'devices: the first'
json_is '.result.devices[0].name' 'Fake GPU 0' 'devices: its name'
json_is '.result.devices[0].major' 7 'devices: its capability'
json_is '.result.devices[0].global_bytes' 8589934592 'devices: its memory'
json_is '.result.devices[0].in_use' false 'devices: not in use'
json_is '.result.devices[1].in_use' true 'devices: in use'
json_is .result.using gpu:1 'devices: which is'
json_like .result.why '^You chose it' 'devices: and why'
json_absent .result.no_gpu 'devices: there are GPUs'
say 'devices' --device gpu:1
out_like '^gpu:1 +Fake GPU 1 +7\.5 +8\.0 GiB +in use$' 'devices: on the screen'
say_json 'devices' --device sim:t4
json_is '.result.devices[1].device' gpu:1 'devices on sim: the GPUs are there too'
json_is .result.using sim:t4 'devices on sim: which card it stands for'
json_is '.result.devices[3].in_use' true 'devices on sim: it is in the list'
say_json 'devices'
json_is .result.using gpu:0 'devices: what auto took'
json_like .result.why '^On the first GPU' 'devices: why auto took it'
with_driver none
say_json 'devices'
json_is .result.using sim 'devices without a GPU'
json_is .result.no_gpu 'the NVIDIA driver finds no GPU in this machine' 'devices: why there is none'
say 'devices' --device sim
out_has 'No GPU: the NVIDIA driver finds no GPU in this machine' 'devices: on the screen too'
say 'devices'
is "$(grep -c 'finds no GPU' "$out")" 1 'devices: but only once'
without_driver
say_json 'devices' --device sim
json_is '.result.devices[0].device' sim 'devices: sim is always there'
json_is '.result.devices[0].in_use' true 'devices: and in use'
say 'devices x'
status_is 1 'devices takes nothing'
say "complete 'devi'"
out_has 'devices' 'devices is completed'

with_driver two
say_json 'devquery' --device gpu:1
json_is .result.devices.# 2 'devquery: all cards'
json_is '.result.devices[0].name' 'Fake GPU 0' 'devquery: in their order'
json_is .result.ok true 'devquery: a kernel agrees'
say 'devquery' --device gpu:1
out_like '^device 1 of 2 .*Fake GPU 1' 'devquery: the one in use'
say 'devquery -d 0' --device gpu:1
status_is 0 'devquery -d 0: another one'
out_like '^  name +Fake GPU 0$' 'devquery -d 0: its name'
out_has '`set device gpu:0`' 'devquery -d 0: how to run on it'
say_json 'devquery -d 0' --device gpu:1
json_absent .result.ok 'devquery -d 0: no kernel asked there'
say_json 'occupancy banks --smem 20000; occupancy hello --threads 64; occupancy hello --regs 20' \
    --device gpu
json_is 1:.result.driver_blocks 3 'occupancy: the driver is asked'
json_is 1:.result.ok true 'and the arithmetic agrees'
json_is 2:.result.driver_blocks 16 'for another kernel too'
json_like 2:.result.registers '^[1-9]' "with the driver's registers"
json_is 2:.result.registers_from driver "and it says so"
json_absent 3:.result.driver_blocks 'not for registers of the student'
say_json 'occupancy hello --on h100; occupancy --threads 64' --device gpu
json_absent 1:.result.driver_blocks 'nor for another card'
json_absent 2:.result.driver_blocks 'nor without a kernel'
say_json 'waves 41 256; waves --warps' --device gpu
json_is 1:.result.ok true 'waves: each block ran once'
json_is 1:.result.modelled false 'its SMs are those that the blocks tell'
json_is '1:.result.sm[40]' 0 'block 40 on SM 0'
json_absent 1:.result.begin 'no times where volatile things are hidden'
json_is 2:.result.ok true 'waves --warps'
json_absent '2:.result.by_warps[0].measured_clocks' 'nor clocks'
say_json 'set volatile on; waves 41 256; waves --warps' --device gpu
json_like '2:.result.end[40]' '^[0-9.e+]+$' 'else they are there'
json_like '3:.result.by_warps[0].measured_clocks' '^[0-9.e+]+$' 'and clocks'
say 'waves 41 256 --uneven' --device gpu
out_lacks '%' 'and the screen has no part of a time either'
say 'devquery -d 2' --device gpu:1
status_is 1 'devquery -d 2: there is none'
err_has 'there are 2 devices here' 'devquery -d 2: says what there is'

# ---- barriers: launches of both kinds, and some that never end ------------------------------

say_json 'barrier --variant grid' --device gpu
json_is .device gpu 'barrier: on the GPU'
json_is .result.ok true 'barrier: a cooperative launch'
say 'barrier' --device gpu
out_like '^warps 0-1 +A{8} ' 'barrier: who came is drawn from a second run, simulated'
say_json 'barrier --variant toobig' --device gpu
json_is .result.schedules[0].fault bad-launch 'barrier: a grid too big is refused by the driver'
say_json 'barrier --variant toomany' --device gpu
json_is .result.schedules[0].fault timeout 'barrier: what never ends is stopped'
say 'barrier --variant all' --device gpu
status_is 0 'barrier: all as documented'

# ---- without a GPU that works, all is as without a GPU --------------------------------------

cat >"$tmp/all.lab" <<END
hello 2 4
banks 8
shfl-trace down 4
trap -n 5000 --variant block-shuffle
load $fixture
array x i32 4 iota
launch add<<<1,4>>>(x, 5)
print x; print total
launch tell<<<2,2>>>(2)
launch beyond<<<1,1>>>(x, 2)
print x
trap -n 5000 --variant race
devquery
END
for json in '' --json; do
    without_driver
    lab $json --device sim "$tmp/all.lab" </dev/null
    cp "$out" "$tmp/sim.out"
    cp "$err" "$tmp/sim.err"
    for how in broken none hidden full small; do
        with_driver "$how"
        lab $json "$tmp/all.lab" </dev/null
        ok "$how $json: the same bytes as without a driver" cmp -s "$out" "$tmp/sim.out"
        ok "$how $json: the same complaints" cmp -s "$err" "$tmp/sim.err"
    done
done

# ---- the same answers as the simulator's ----------------------------------------------------

# What both devices must agree on: results and what kernels print.
answers() {
    sed -n 's/.*"status":"\([a-z]*\)".*"output":\(\[.*\]\),"result":\({.*}\),".*/\1 \2 \3/p
            s/.*"status":"\([a-z]*\)".*"result":\({.*}\).*/\1 \2/p' |
        sed 's/,"counters":.*//; s/,"faults":.*//; s/"registers":[0-9]*,"registers_from":"[a-z]*",//g; s/"registers":[0-9]*,//g'
}
grep -v -e devquery -e 'variant race' "$tmp/all.lab" >"$tmp/same.lab"
for variant in atomic shuffle shared block-shuffle block-shared two-barriers samebank gridstride; do
    echo "trap -n 10000 --variant $variant"
done >>"$tmp/same.lab"
with_driver ''
lab --json --device gpu "$tmp/same.lab" </dev/null
answers <"$out" >"$tmp/gpu.answers"
lab --json --device sim "$tmp/same.lab" </dev/null
answers <"$out" >"$tmp/sim.answers"
is "$(wc -l <"$tmp/gpu.answers")" 20 'there are answers'
ok 'the answers are those of the simulator' cmp -s "$tmp/gpu.answers" "$tmp/sim.answers"
diff "$tmp/gpu.answers" "$tmp/sim.answers" | sed -n '1,10s/^/# /p'

say 'trap --variant all -n 4096 --long' --device gpu
status_is 0 'trap --variant all'
err_empty 'and no complaint'
out_lacks 'median' 'no times unless they are asked for'
out_lacks 'column "barriers"' 'and no word of columns that are not there'
out_has '`--counters` shows what each' 'but of how to see more'
say 'set volatile on; trap --variant all -n 4096 --repeat 3 --long' --device gpu
out_like 'median ms +fastest +mean' 'trap --variant all with times'
out_has 'ran 3 times' 'and how often each ran'
# Each event of the fake says 0.5 ms: a variant of two kernels takes 1.
say 'set volatile on; dot --variant two-kernels --repeat 3' --device gpu
out_has 'time       1 ms for 2 launches, the median of 3 runs; fastest 1, mean 1' \
    'the time of two kernels is that of both'
say_json 'set volatile on; dot --variant two-kernels --repeat 3' --device gpu
json_is 2:.time.median_s 0.001 'in JSON too'
say 'set volatile on; relaunch --variant launches --iters 7' --device gpu
out_has 'time       3.5 ms for 7 launches' 'and of seven'
say_json 'return; return 40 2' --device gpu
json_is 2:.result.sum 42 'an array is cleared before the kernel stores into it, not after'
say 'set volatile on; dot --variant partials' --device gpu
out_has 'not timed  the copy of' 'what the host does besides is said'
say 'dot --variant two-kernels --counters' --device gpu
counted=$(awk '$1 == "warp" { print $NF; exit }' "$out")
say_json 'dot --variant two-kernels --counters' --device gpu
json_is .counters.warp_instructions "$(echo "$counted" | tr -d ,)" 'so are the counts'
say 'trap --variant all -n 4096 --counters --long' --device gpu
out_has 'column "barriers"' 'trap --variant all with counters'
say_json 'trap --variant all -n 4096' --device gpu
json_is .result.ok true 'each variant is right, or wrong as documented'
say_json 'devquery' --device gpu
json_is .result.ok true 'a kernel reads the same values as the driver gives'
json_is '.result.devices[0].name' 'Fake GPU' 'and the device has its name'
say_json 'trap -n 1000' --device gpu --safe
json_is .status ok '--safe'
json_is .device gpu '--safe: on the GPU'

# Students' own kernels: what they print and what they leave in arrays.
own=$top_srcdir/tests/own
run_own() { # run_own NAME DEVICE
    mkdir -p "$tmp/$2"
    { echo "set arch 75; load $1.cu" # the older one of both devices: it is compiled once
        sed -n 's|^//! ||p' "$own/$1.cu" | grep -E '^(array|fill|launch) '
        sed -n 's|^//! expect \([^ ]*\).*|save \1 '"$tmp/$2/$1"'.\1.raw|p' "$own/$1.cu"
    } >"$tmp/own.lab"
    (cd "$own" && $CUDALAB_WRAPPER "$CUDALAB" --no-init --json --device "$2" "$tmp/own.lab") \
        >"$out" 2>"$err"
    status=$?
    last_run="$1.cu on $2"
    sed -n 's/.*"output":\(\[.*\]\),"result".*/\1/p' "$out" >"$tmp/$2/$1.prints"
    test "$status" = 0 || tell
}
with_driver ''
echo '__global__ void k() { }' >"$tmp/k.cu"
if "$CUDALAB" --no-init --device sim -c "load $tmp/k.cu" >"$out" 2>&1; then
    for name in printfs halfs consttab dynshared fptr linkedlist nqueens templates \
        reduce_lastblock cg_gridsync grid3d smallint votes; do
        run_own $name gpu
        is "$status" 0 "$name.cu runs"
        run_own $name sim
    done
    diff -r "$tmp/gpu" "$tmp/sim" >"$tmp/differ"
    is "$(cat "$tmp/differ")" '' 'own kernels print and compute the same on both'
    ok 'which are many files' test "$(find "$tmp/gpu" -size +2c | wc -l)" -gt 13
else
    skip 'there is no compiler of CUDA C' 'own kernels'
fi

# ---- clusters -------------------------------------------------------------------------------

cat >"$tmp/cluster.ptx" <<'END'
.version 7.8
.target sm_90
.address_size 64
.visible .entry size(.param .u64 out)
{
    .reg .b32 %r<3>;
    .reg .b64 %rd<4>;
    ld.param.u64 %rd1, [out];
    mov.u32 %r1, %ctaid.x;
    mov.u32 %r2, %cluster_nctaid.x;
    mul.wide.u32 %rd2, %r1, 4;
    add.s64 %rd3, %rd1, %rd2;
    st.global.u32 [%rd3], %r2;
    ret;
}
END
with_driver new
say_json "load $tmp/cluster.ptx; array o i32 4; launch size<<<4,1>>>(o) --cluster 2; print o" --device gpu
json_is 4:.result.values '[2,2,2,2]' 'a GPU is asked for clusters as well'
say_json "load $tmp/cluster.ptx; array o i32 4; launch size<<<4,1>>>(o); print o" --device gpu
json_is 4:.result.values '[1,1,1,1]' 'only where the launch says so'
with_driver ''

# ---- kernels that launch kernels ------------------------------------------------------------

# The driver links their PTX with a library of the toolkit. Here is a toolkit that has only that one.
family=$top_srcdir/tests/data/gpu-child.ptx
kit=$tmp/kit library=$tmp/kit/lib64/libcudadevrt.a
mkdir -p "$kit/bin" "$kit/lib64" "$kit/targets/x86_64-linux"
printf '#!/bin/sh\nexit 1\n' >"$kit/bin/nvcc"
chmod +x "$kit/bin/nvcc"
printf '!<arch>\nthe rest\n' >"$library"
old_home=${CUDA_HOME-}
CUDA_HOME=$kit
export CUDA_HOME
FAKE_LINKS=$tmp/links
export FAKE_LINKS
say_json "load $family; array x i32 4 zero; launch parent<<<1,1>>>(x, 7); print x; print total" \
    --device gpu
json_is 3:.status ok 'a child grid on a GPU'
json_is 3:.output '["child 0","child 1","child 2","child 3"]' 'prints'
json_absent 3:.result.child_grids 'is not counted'
json_is 4:.result.values '[7,7,7,7]' 'writes an array'
json_is 5:.result.values '[7]' 'and a variable'
is "$(cat "$tmp/links")" CDFMLO 'the linker: what is asked of it, in its order'
rm "$tmp/links"
say_json "load $fixture; array x i32 4; launch add<<<1,4>>>(x, 1)" --device gpu
ok 'a file without launches is not linked' test ! -e "$tmp/links"
say_json "load $family; array x i32 4 zero; launch parent<<<1,1>>>(x, 5)
launch parent<<<1,1>>>(x, 0); print x; print total; launch parent<<<1,1>>>(x, 6); print x
print total" --device gpu
json_is '4:.faults[0].kind' trap 'a fault in a child grid'
json_is 5:.result.values '[5,5,5,5]' 'the array is as before'
json_is 6:.result.values '[7]' 'the variable is'
json_is 8:.result.values '[6,6,6,6]' 'the next launch works'
json_is 9:.result.values '[11]' 'variables too'
is "$(cat "$tmp/links")" CDFMLOCDFMLO 'the next process links again'
unset FAKE_LINKS
say_json "load $family; array x i32 4 zero; set device gpu; launch parent<<<1,1>>>(x, 7); print x" \
    --device sim
json_is 5:.result.values '[7,7,7,7]' 'a file that was loaded on the simulator'
say_json "load $family; array x i32 4 zero; launch parent<<<1,1>>>(x, 7); print x" --device gpu --safe \
    --allow "$family"
json_is 4:.result.values '[7,7,7,7]' 'with --safe'
mv "$library" "$kit/lib.a"
mkdir "$kit/targets/x86_64-linux/lib"
cp "$kit/lib.a" "$kit/targets/x86_64-linux/lib/libcudadevrt.a"
say "load $family" --device gpu
status_is 0 'the library in targets/'
rm "$kit/targets/x86_64-linux/lib/libcudadevrt.a"
if ls /usr/lib*/libcudadevrt.a /usr/lib/*/libcudadevrt.a >"$out" 2>&1; then
    skip 'the system has libcudadevrt.a' 'where it was looked for'
else
    say "load $family" --device gpu
    status_is 1 'without the library'
    err_like "launches kernels in device code, and there is no libcudadevrt.a in lib64, lib, .* of the CUDA Toolkit in $kit, nor in /usr/lib" \
        'which is missing, and where it was looked for'
    err_has '`set device sim` needs no such file' 'and what helps'
fi
echo 'no archive' >"$library"
say "load $family" --device gpu
status_is 1 'a library that is none'
err_like "can't link this PTX with .$library.: CUDA_ERROR_INVALID_IMAGE" 'is refused by the driver'
cp "$kit/lib.a" "$library"
with_driver unlinked
say "load $family; load $fixture; array x i32 4 iota; launch add<<<1,4>>>(x, 5); print x" --device gpu
err_like "can't link this PTX with .*: CUDA_ERROR_INVALID_IMAGE, device kernel image is invalid: error   : Undefined reference to 'nowhere'" \
    "the linker's own words"
out_has '5  6  7  8' 'and other files can be loaded'
with_driver ''
CUDA_HOME=$old_home
test "$old_home" || unset CUDA_HOME

# ---- memory of this computer ----------------------------------------------------------------

# The copies that this computer keeps of a GPU's arrays count as its own memory. The card can't fill
# an array with a list.
two='array x f32 2^24; array y f32 2^24; fill x list:1,1'
if test "$BUILD_KIND" = plain && test -z "$CUDALAB_WRAPPER"; then
    say "$two; fill y list:2,2" --device gpu --memory-limit 120M
    err_has 'no 67108864 bytes left for its copy of `y`' 'copies of arrays count'
    say "$two; free x; fill y list:2,2; print y[0..1]" --device gpu --memory-limit 120M
    out_like '^ +0: +2 +2$' 'and the room of a freed one is there for the next'
fi

# ---- JSON -----------------------------------------------------------------------------------

say_json "load $fixture; array x i32 4; launch add<<<1,4>>>(x, 1)
launch add<<<1,4>>>(x, 1) --counters
set volatile on; launch add<<<1,4>>>(x, 1); trap -n 64 --repeat 7" --device gpu
json_valid 'objects'
json_absent 3:.time 'no time unless it is asked for'
json_absent 3:.counters 'a GPU does not count'
json_absent 3:.counters_from 'and nothing does in its place'
json_is 4:.counters.global_atomics 4 '--counters: counted'
json_is 4:.counters_from sim 'and it says by whom'
for key in measured_s min_s median_s mean_s; do
    json_like "6:.time.$key" '^[0-9.e-]+$' "time: $key"
done
json_is 6:.time.runs 1 'a launch runs once'
json_is 7:.time.runs 7 '--repeat is how often'
FAKE_LAUNCHES=$tmp/launches
export FAKE_LAUNCHES
say 'sum -n 64 --variant all' --device gpu
ok 'all variants: each runs once where no time is shown' test "$(wc -c <"$tmp/launches")" -lt 30
rm "$tmp/launches"
say 'set volatile on; sum -n 64 --variant all' --device gpu
ok 'where it is, fifty times' test "$(wc -c <"$tmp/launches")" -gt 300
rm "$tmp/launches"
say 'trap -n 64 --repeat 7' --device gpu
unset FAKE_LAUNCHES
out_has '7 runs, 7 with the same bits' '--repeat on a GPU'
is "$(wc -c <"$tmp/launches")" 7 'each once for its bits, and none to be timed where no time is shown'

# What is timed is the whole sequence of launches. Each of them takes half a millisecond here.
say 'set volatile on; relaunch --variant launches --iters 7 --repeat 3' --device gpu
out_has 'time       3.5 ms for 7 launches, the median of 3 runs; fastest 3.5, mean 3.5' \
    'seven launches are timed as one'
for lab in 'heat --variant texture' 'heat' 'oddeven -n 100' 'pi' 'ldlt' 'stencil' 'matmul'; do
    say_json "set volatile on; $lab --repeat 4; $lab" --device gpu
    json_is 2:.time.runs 4 "$lab: timed"
    json_near 2:.time.median_s "$(json 3:.time.measured_s)" 1e-9 "$lab: all launches of one run"
    json_is 2:.result.ok "$(json 3:.result.ok)" "$lab: and it is as right as without that"
done

# Each run begins with the same memory, and in the end it is as after a single one.
cat >"$tmp/memory.ptx" <<'END'
.version 6.0
.target sm_70
.address_size 64
.global .u32 calls;
.visible .entry grow(.param .u64 x, .param .u32 n)
{
    .reg .b64 %p<3>; .reg .b32 %r<5>; .reg .pred %q;
    ld.param.u64 %p0, [x];
    ld.param.u32 %r0, [n];
    atom.global.add.u32 %r1, [calls], 1;
    mov.u32 %r2, %tid.x;
    setp.ge.u32 %q, %r2, %r0;
    @%q ret;
    mul.wide.u32 %p1, %r2, 4;
    add.u64 %p1, %p0, %p1;
    ld.global.u32 %r3, [%p1];
    mad.lo.u32 %r3, %r3, 2, 1;
    st.global.u32 [%p1], %r3;
    ret;
}
.visible .entry keep(.param .u64 table, .param .u64 x)
{
    .reg .b64 %p<2>;
    ld.param.u64 %p0, [table];
    ld.param.u64 %p1, [x];
    st.global.u64 [%p0], %p1;
    ret;
}
.visible .entry follow(.param .u64 table, .param .u64 x)
{
    .reg .b64 %p<2>; .reg .b32 %r<1>;
    ld.param.u64 %p0, [table];
    ld.global.u64 %p1, [%p0];
    ld.global.u32 %r0, [%p1];
    add.u32 %r0, %r0, 1;
    st.global.u32 [%p1], %r0;
    ret;
}
END
say_json "set volatile on; load $tmp/memory.ptx; array x i32 32 iota; array one i32 1 value:5
array t u64 1; launch grow<<<1,32>>>(x, 32) --repeat 6; print x[30..31]; print calls
launch grow<<<1,1>>>(one, 1) --repeat 6; print one
launch keep<<<1,1>>>(t, x); launch follow<<<1,1>>>(t, x) --repeat 6; print x[0]" --device gpu
json_is 6:.time.runs 6 'an array is timed'
json_is 7:.result.values '[61,63]' 'and is as after one run'
json_is 8:.result.values '[32]' 'a variable too'
json_is 10:.result.values '[11]' 'and a single number'
json_is 13:.result.values '[2]' 'and an array to which memory leads'
say_json "load $fixture; array x i32 4; launch add<<<1,4>>>(x, 1) --counters; print x
print total" \
    --device gpu
json_is 4:.result.values '[1,1,1,1]' 'counting launches once, as far as arrays show'
json_is 5:.result.values '[7]' 'and variables'

# ---- what kernels print ---------------------------------------------------------------------

say_json "load $fixture; launch tell<<<2,3>>>(1)" --device gpu
json_is 2:.output '["b 0 t 0","b 0 t 1","b 0 t 2","b 1 t 0","b 1 t 1","b 1 t 2"]' \
    'printf, in order of block and thread'
for times in 20000 40000; do # 10 lines of 8 bytes each time, and 2^20 are kept
    lost=$((10 * times - 1048576 / 8))
    say_json "load $fixture; launch tell<<<1,10>>>($times); launch tell<<<1,1>>>(1)" --device gpu
    json_is 2:.status ok "$times times: too much to print is no failure"
    json_is 2:.output.# 131072 "$times times: as many lines as fit"
    json_is '2:.faults[0].kind' printf-overflow "$times times: it says so"
    json_like '2:.faults[0].message' "^$lost printf calls" "$times times: and how many are lost"
    json_is 3:.output '["b 0 t 0"]' "$times times: the next launch prints"
done
with_driver loud
say "load $fixture; launch tell<<<1,1>>>(1)" --device gpu
err_empty 'a driver that prints: nothing of it on stderr'
out_lacks driver 'nor on stdout'
say_json "load $fixture; launch tell<<<1,1>>>(1)" --device gpu
json_count 2 'nor between objects'
json_valid 'which are whole'

# ---- what ends a launch ---------------------------------------------------------------------

# ends KIND CALL [ARGUMENT...]: a fault of KIND; arrays and variables, also those that an earlier
# launch wrote, are as before it; settings are; and the next launch works.
ends() {
    kind=$1 call=$2
    shift 2
    say_json "load $fixture; array x i32 4 iota; array zero i32 1; set seed 7
launch add<<<1,4>>>(x, 5)
launch $call
print x; print total; show seed; launch add<<<1,4>>>(x, 1); print x; print total" --device gpu "$@"
    json_is 6:.status fault "$kind: status"
    json_is '6:.faults[0].kind' "$kind" "$kind: kind"
    json_is 6:.faults.# 1 "$kind: one fault"
    json_like '6:.faults[0].message' '[a-z] [a-z]' "$kind: in words"
    json_is 7:.result.values '[5,6,7,8]' "$kind: the array is as before"
    json_is 8:.result.values '[7]' "$kind: the variable is"
    json_is 9:.result.value 7 "$kind: the setting is"
    json_is 10:.status ok "$kind: the next launch works"
    json_is 11:.result.values '[6,7,8,9]' "$kind: with what was there"
    json_is 12:.result.values '[11]' "$kind: variables too"
}
with_driver ''
ends out-of-bounds 'beyond<<<1,1>>>(x, 1073741824)'
ends misaligned 'beyond<<<1,1>>>(x, 2)'
ends trap 'traps<<<1,1>>>(x)'
ends timeout 'spin<<<1,1>>>(zero)' --time-limit 1
ends assert 'asserts<<<1,1>>>(x)'
json_like '6:.faults[0].message' '^k.cu:7: the assertion `x > 0` failed$' 'assert: which'
json_is '6:.faults[0].thread' '[0,0,0]' 'assert: who'
say "load $fixture; array x i32 1; launch traps<<<1,1>>>(x)
launch asserts<<<1,1>>>(x)" --device gpu
err_like 'trap: .*`set device sim` does' 'a fault says where more can be learnt'
out_has 'at k.cu:7' 'an assertion says its line'

with_driver moves # the next process has the arrays elsewhere
ends trap 'traps<<<1,1>>>(x)'
ends out-of-bounds 'beyond<<<1,1>>>(x, 1073741824)'
with_driver ''

# A launch that can't be: which limit of this card it breaks.
impossible() { # impossible SHAPE REGEX
    say_json "load $fixture; array x i32 4 iota; launch add<<<$1>>>(x, 5); print x
launch add<<<1,4>>>(x, 5)" \
        --device gpu
    json_is '3:.faults[0].kind' bad-launch "$1: bad-launch"
    json_like '3:.faults[0].message' "$2" "$1: why"
    json_is 4:.result.values '[0,1,2,3]' "$1: nothing ran"
    json_is 5:.status ok "$1: the next launch works"
}
impossible 1,2048 '^2048 threads in x: .* at most 1024$'
impossible '(1,70000),4' '^70000 blocks in y: .* at most 65535$'
impossible 1,4,200000 '^200000 bytes of shared memory .* at most 65536$'

# A driver that misbehaves in every launch.
ends_every() { # ends_every HOW KIND REGEX
    with_driver "$1"
    say_json "load $fixture; array x i32 4 iota; launch add<<<1,4>>>(x, 5); print x; print total" \
        --device gpu --time-limit 1
    json_is '3:.faults[0].kind' "$2" "$1: kind"
    json_like '3:.faults[0].message' "$3" "$1: in words"
    json_is 4:.result.values '[0,1,2,3]' "$1: the array is as before"
    json_is 5:.result.values '[3]' "$1: the variable is"
}
ends_every hang timeout '^no end after 1 s$'
ends_every die device-lost '^the process that works with the GPU was ended \(signal 9\) during'
ends_every illegal out-of-bounds 'no memory'
ends_every lost device-lost '^the GPU or its driver failed during the launch: CUDA_ERROR_UNKNOWN'

# Labs that read a GPU's clock: what it says differs from run to run.
with_driver ''
for lab in latency throughput; do
    say_json "$lab; set volatile on; $lab" --device gpu
    json_is 1:.result.ok true "$lab: right"
    json_absent 1:.variants[0].cycles "$lab: no cycles in a script"
    json_absent 1:.variants[0].clocks "$lab: nor clocks"
    json_like "3:.variants[0]" '"(cycles|clocks)":[1-9]' "$lab: but where they may be shown"
    say "set volatile on; $lab" --device gpu
    out_has HERE "$lab: beside the others' figures"
done
say_json 'latency --variant global; memory --variant all' --device gpu
json_is 1:.result.ring_bytes 16777216 'latency: four times its L2'
json_is 2:.result.ok true 'memory: all'

with_driver die
say 'banks 4; devquery; trap; hello 4; memory; latency --variant l2; throughput --variant f32' \
    --device gpu
status_is 1 'labs whose launch is lost'
out_lacks WRONG 'do not look for results'
out_lacks OTHERWISE 'nor call the device a liar'
is "$(grep -c 'device-lost: ' "$err")" 7 'each says what happened'

with_driver refuse
say_json "load $fixture; trap -n 64; show seed" --device gpu
json_is 1:.status error 'PTX that the driver refuses'
json_like 1:.error.message 'the driver refuses this PTX: CUDA_ERROR_INVALID_PTX' 'it says so'
json_like 1:.error.message 'failed: .*line 3; error +: Not this one$' 'and shows the log'
json_is 2:.status error 'of a lab too'
json_is 3:.status ok 'the next command works'
with_driver ''

# More than the card has, and what was freed can be had again.
say_json 'array a u8 6G; array b u8 1G; free b; array c u8 1G; print c[0..1]' --device gpu
json_is 1:.status error 'an array larger than the card'
json_like 1:.error.message 'more than the GPU has left: [0-9]+ of [0-9]+ are free' \
    'and how much is free'
json_is 5:.result.values '[0,0]' 'memory that was freed is there again'

# ---- moving between devices -----------------------------------------------------------------

say_json "load $fixture; array x i32 4 iota; launch add<<<1,4>>>(x, 5); set device sim
print x; print total; launch add<<<1,4>>>(x, 1); set device gpu; print x; print total
launch add<<<1,4>>>(x, 1); print x; print total" --device gpu
json_is 5:.device sim 'set device sim'
json_is 5:.result.values '[5,6,7,8]' 'takes the arrays along'
json_is 6:.result.values '[7]' 'and the variables'
json_is 9:.device gpu 'set device gpu'
json_is 9:.result.values '[6,7,8,9]' 'takes them back'
json_is 10:.result.values '[11]' 'and the variables'
json_is 12:.result.values '[7,8,9,10]' 'and kernels run on them'
json_is 13:.result.values '[15]' 'and kernels use them'
with_driver none
say_json 'set device gpu; trap -n 64' --device sim
json_is 1:.status error 'set device gpu, where there is none'
json_is 2:.device sim 'leaves all as it is'

# ---- processes and files --------------------------------------------------------------------

# The device processes of this test: by their command line and a mark in their environment.
device_processes() {
    for p in /proc/[0-9]*; do
        test "$(tr '\0' '\n' 2>/dev/null <"$p/cmdline" | sed -n 2p)" = --gpu-process || continue
        tr '\0' '\n' 2>/dev/null <"$p/environ" | grep -qx "CUDALAB_TEST=$tmp" && echo "${p#/proc/}"
    done
    return 0
}

# A session that is talked to step by step.
begin() {
    rm -f "$tmp/in"
    mkfifo "$tmp/in"
    : >"$out" # what the session before said must not count as an answer
    # shellcheck disable=SC2086
    $CUDALAB_WRAPPER "$CUDALAB" --no-init --device gpu <"$tmp/in" >"$out" 2>"$err" &
    session=$!
    exec 9>"$tmp/in"
    marks=0
}
tell_it() { # tell_it COMMANDS: waits until they are done
    marks=$((marks + 1))
    printf '%s\necho mark %s\n' "$1" "$marks" >&9
    until_true grep -qx "mark $marks" "$out"
}
kill_device() { # and see to it that it is gone
    kill -9 "${1:?no device process}"
    while test -e "/proc/$1/stat" && ! grep -q ') Z ' "/proc/$1/stat"; do
        sleep 0.1
    done
}
files_of() {
    ls "/proc/$1/fd" | wc -l
}

# A process that is stopped takes nothing: a long text must not be sent to it for ever.
if test -r /proc/self/environ && env --default-signal=INT true 2>/dev/null; then
    awk 'BEGIN {
        print ".version 7.8\n.target sm_75\n.address_size 64"
        while (i++ < 60000) printf "// %070d\n", i
        print ".visible .entry k(.param .u64 p) { ret; }" }' >"$tmp/long.ptx"
    with_driver ''
    CUDALAB_WRAPPER='env --default-signal=INT' begin
    tell_it 'hello 1'
    stopped=$(device_processes)
    kill -STOP "$stopped"
    echo "load $tmp/long.ptx" >&9
    sleep 1
    kill -INT "$session"
    waited=0
    while test -e "/proc/$session/stat" && ! grep -q ') Z ' "/proc/$session/stat" &&
        test "$waited" -lt 100; do
        waited=$((waited + 1))
        sleep 0.1
    done
    test "$waited" -lt 100
    verdict $? 'Ctrl-C ends the sending of a long text to a stopped process'
    test "$waited" -lt 100 || kill -9 "$session" "$stopped"
    exec 9>&-
    wait "$session"
    is $? 130 'as an interrupt'
    kill -0 "$stopped" 2>/dev/null
    is $? 1 'and the process is gone'
fi

if test -r /proc/self/environ && test -d /proc/self/fd; then
    with_driver ''
    begin
    tell_it "load $fixture
array x i32 4 iota
launch traps<<<1,1>>>(x)
launch add<<<1,4>>>(x, 5)"
    files=$(files_of "$session")
    is "$(device_processes | wc -l)" 1 'one device process'
    faults=$(for i in 1 2 3 4 5 6 7 8 9 10; do
        printf 'launch traps<<<1,1>>>(x)\nlaunch beyond<<<1,1>>>(x, 2)\n'
        printf 'launch asserts<<<1,1>>>(x)\n'
        printf 'launch beyond<<<1,1>>>(x, 1073741824)\nlaunch traps<<<1,1>>>(x)\n'
    done)
    tell_it "$faults"
    tell_it 'launch add<<<1,4>>>(x, 5)
print x'
    is "$(grep -c '^fault ' "$out")" 51 'fifty faults in a row, each is told'
    out_has '10  11  12  13' 'and the arrays are there'
    is "$(files_of "$session")" "$files" 'no file stays open'
    is "$(device_processes | wc -l)" 1 'and no process stays'

    kill_device "$(device_processes)"
    tell_it 'print x
launch add<<<1,4>>>(x, 10)
print x; print total'
    out_has '20  21  22  23' 'a device process killed between two commands: the next is there'
    out_has '0:  15' 'with variables as they were'
    kill_device "$(device_processes)"
    tell_it 'fill x value:4
print x'
    out_has '4  4  4  4' 'killed again: arrays can be filled'
    is "$(device_processes | wc -l)" 1 'there is one process again'

    kill -9 "$session"
    wait "$session" 2>/dev/null
    exec 9>&-
    tries=0
    while test -n "$(device_processes)" && test "$tries" -lt 50; do
        tries=$((tries + 1))
        sleep 0.1
    done
    is "$(device_processes)" '' 'cudalab killed: its device process goes too'

    # A driver that is there no more when it is needed again.
    mkdir "$tmp/driver"
    cp "$fake/libcuda.so.1" "$tmp/driver"
    LD_LIBRARY_PATH=$tmp/driver
    begin
    tell_it "load $fixture
array x i32 4 iota
launch add<<<1,4>>>(x, 5)"
    rm "$tmp/driver/libcuda.so.1"
    kill_device "$(device_processes)"
    tell_it 'print total
launch add<<<1,4>>>(x, 7)
set device sim
launch add<<<1,4>>>(x, 100)
print x'
    out_like '^  0:  7$' 'a driver taken away: what was computed can be read'
    err_like "can't be used any more: there is no NVIDIA driver.*set device sim. goes on" \
        'and it is said what helps'
    out_has '105  106  107  108' 'and the simulator goes on with it'
    exec 9>&-
    wait "$session" 2>/dev/null
else
    skip 'no /proc here' 'processes and files'
fi

# ---- at a terminal --------------------------------------------------------------------------

if has_terminal; then
    with_driver ''
    at_home
    at_terminal "exec '$CUDALAB'" <<END
see "on gpu (Fake GPU)"
see "On the first GPU of this machine"
see "cudalab> "
key "load $fixture; array x i32 4 iota; array zero i32 1\r"
see "zero: i32"
see "cudalab> "
key "launch spin<<<1,1>>>(zero)\r"
sleep 1
key "\003"
see "interrupted"
see "cudalab> "
key "launch add<<<1,4>>>(x, 5); print x\r"
see "5  6  7  8"
see "cudalab> "
key "history\r"
see "launch spin<<<1,1>>>(zero)"
see "cudalab> "
key "\004"
END
    status_is 0 'Ctrl-C stops a kernel that spins; arrays and history are there'
    with_driver broken
    at_terminal "exec '$CUDALAB'" <<'END'
see "cudalab> "
key "\004"
END
    out_has "On the simulator: the NVIDIA driver doesn't work: CUDA_ERROR_UNKNOWN" \
        'the banner says why there is no GPU'
else
    skip 'there is no terminal here' 'Ctrl-C, the banner'
fi

done_testing
