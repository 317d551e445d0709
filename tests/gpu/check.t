# SPDX-License-Identifier: GPL-3.0-or-later
#
# On a machine with a GPU, `make check-gpu`: what the GPU answers is held to what the simulator
# answers, and what goes wrong there to what is promised. Which fields may differ, and why, stands
# with the labs' commands in tests/data/labs.txt; sums by atomic additions of floats, whose order is
# nobody's, must lie within the rounding bound that the lab prints.
#
# The device, its driver and the day come first: the output is a record.
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"
. "$top_srcdir/tests/labs.sh"
. "$top_srcdir/tests/checks.sh"
. "$top_srcdir/tests/rungs.sh"
. "$top_srcdir/tests/modelled.sh"

: "${NVCC:=nvcc}"
k=$tmp/faults.cu
export XDG_CACHE_HOME="$tmp/cache"
say_json 'hello 1' --device gpu
test "$status" = 0 || skip_all "no GPU: $(cat "$err")"
diag "$(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader | head -1), $(date +%F)"

ms() { # ms COMMAND...: how long it took; its status is lost
    start=$(date +%s%N)
    "$@" >/dev/null 2>&1
    echo $((($(date +%s%N) - start) / 1000000))
}

# Sessions that don't disturb each other run a few at a time, and are told in their order.
sides=0
side() { # side FUNCTION ARGUMENT...: in the background; it prints lines for `judged`
    sides=$((sides + 1))
    "$@" >"$tmp/side.$(printf %04d $sides)" &
    test $((sides % 8)) != 0 || wait
}
sides_tell() {
    wait
    cat "$tmp"/side.* >"$tmp/verdicts"
    rm -f "$tmp"/side.*
    sides=0
    judged "$tmp/verdicts"
}

# ---- how fast -----------------------------------------------------------------------------

median() { sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }
if $CC -O1 -I"${CUDA_HOME:-/usr/local/cuda}/include" -o "$tmp/bare" "$top_srcdir/tests/gpu/bare.c" \
    -lcuda 2>"$err"; then
    for i in 1 2 3 4 5 6 7 8 9; do
        ms "$tmp/bare" "$PTXDIR/hello.ptx" hello >>"$tmp/bare.ms"
        ms "$CUDALAB" --no-init --device gpu -c 'hello 1' >>"$tmp/ours.ms"
    done
    bare=$(median <"$tmp/bare.ms") ours=$(median <"$tmp/ours.ms")
    test $((ours - bare)) -le 60
    verdict $? "hello 1: $ours ms, a bare program $bare ms: within 60"
else
    skip 'cuda.h or libcuda is not there' 'the whole process beside a bare one'
fi

# Times beside those of hand-written CUDA on this card, tests/gpu/times.cu, within 10 % on both
# sides; the middle one of nine where a kernel takes microseconds. On an H100 also beside what
# others measured there by hand, in ms.
strides=$((2 * $("$CUDALAB" --no-init --json --device gpu -c devquery |
    sed -n 's/.*"multiprocessors":\([0-9]*\).*/\1/p')))
ladders() { # ladders N TIMES: what so many of them say, and so many runs of what is timed by hand
    : >"$out" && : >"$tmp/times"
    for i in $(seq "$2"); do
        "$CUDALAB" --no-init --json --device gpu --time-limit 300 \
            -c "set volatile on; trap --variant all -n $1" 2>"$err" |
            sed -n '2s/},{"variant"/},\n{"variant"/gp' >>"$out"
        "$tmp/by-hand" "$1" "$strides" >>"$tmp/times"
    done
    sed 's/^/# by hand: /' "$tmp/times" | tail -4
}

within_tenth() { # within_tenth GOT WANT
    awk -v got="${1:-0}" -v want="${2:-0}" \
        'BEGIN { if (want == 0) exit 1; r = got / want; exit !(r > 0.9 && r < 1.1) }'
}

near_time() { # near_time VARIANT LISTED
    got=$(sed -n 's/.*"variant":"'"$1"'","wrong_on_purpose":false[^{]*"time":{[^}]*"median_s":\([-0-9.e]*\).*/\1/p' "$out" |
        awk '{ printf "%.7f\n", $1 * 1000 }' | median)
    hand=$(awk -v v="$1" '$1 == v { print $5 }' "$tmp/times" | median)
    within_tenth "$got" "$hand"
    verdict $? "trap $1: $got ms, by hand $hand"
    test "$h100" || return 0
    within_tenth "$got" "$2"
    verdict $? "trap $1: $got ms beside $2"
}

nvidia-smi -L | grep -q H100 && h100=yes || h100=
if $NVCC -O3 -arch=native -o "$tmp/by-hand" "$top_srcdir/tests/gpu/times.cu" 2>"$err"; then
    ladders 1048576 9
    near_time atomic 1.847
    near_time shuffle 0.062
    near_time block-1024 0.007
    near_time gridstride 0.0058
    ladders 268435456 1
    near_time atomic 471.6
    near_time shuffle 14.74
    near_time block-1024 0.577
    near_time gridstride 0.137
else
    skip 'nvcc is not there' 'times beside those of hand-written CUDA'
fi

# What a row times holds all that it does: no right variant is quicker than the card can read its
# vectors. A tenth is for what the cache keeps from run to run.
rate=$("$CUDALAB" --no-init --json --device gpu -c devquery |
    sed 's/.*"memory_clock_khz":\([0-9]*\),.*"bus_bits":\([0-9]*\).*/\1 \2/' |
    awk '{ print 2 * $1 * 1000 * $2 / 8 }')
no_quicker() { # no_quicker LAB BYTES: of 2^28 elements, each of so many bytes
    say_json "set volatile on; $1 --variant all -n 2^28 --repeat 3" --device gpu --time-limit 300
    sed -n '2s/},{"variant"/},\n{"variant"/gp' "$out" |
        sed -n 's/.*"variant":"\([a-z0-9-]*\)","wrong_on_purpose":false.*"median_s":\([-0-9.e]*\).*/\1 \2/p' \
            >"$tmp/rows"
    least=$(awk -v bytes="$2" -v rate="$rate" 'BEGIN { print 0.9 * bytes * 2 ^ 28 / rate }')
    test -s "$tmp/rows"
    verdict $? "$1 --variant all -n 2^28: has times"
    while read -r variant seconds; do
        awk -v s="$seconds" -v least="$least" 'BEGIN { exit !(s >= least) }'
        verdict $? "$1 $variant: $seconds s; its memory takes $least"
    done <"$tmp/rows"
}
no_quicker sum 4
no_quicker dot 8

# The same bench in five processes: the medians agree within 3 %. A launch that takes a few
# microseconds begins and ends up to 0.3 us sooner or later in another process.
cat >"$tmp/twice" <<'END'
set volatile on
bench heat
bench oddeven
bench relaunch --variant launches
bench dot -n 2^20 --variant two-kernels
bench sum -n 2^20
bench trap -n 2^24
bench laplace 1024x1024
bench vecadd -n 2^24
bench matmul -n 512
bench trap
bench vecadd
END
for process in 1 2 3 4 5; do
    say_json "$(cat "$tmp/twice")" --device gpu
    json_seconds median_s bench <"$out" | awk '{ print NR, $1 * 1e6 }'
done >"$tmp/rows"
while read -r i least most share apart; do
    awk -v s="$share" -v a="$apart" 'BEGIN { exit !(s <= 3 || a <= 0.3) }'
    verdict $? "$(sed -n "$((i + 1))p" "$tmp/twice"), five times: $least to $most us, $share % apart"
done <<END
$(sort -n "$tmp/rows" | awk '
    $1 != i { tell(); i = $1; low = $2; high = $2 }
    { low = $2 < low ? $2 : low; high = $2 > high ? $2 : high; count[i]++ }
    END { tell() }
    function tell() {
        if (i) print i, low, high, sprintf("%.1f %.3f", 100 * (high / low - 1), high - low) }')
END
is "$(wc -l <"$tmp/rows")" 55 'all of them have a time'

# The last rungs beside NVIDIA's libraries, with the factor (tests/data/rungs.txt). On a card other
# than an H100 the factors are only shown.
if $NVCC -std=c++17 -O2 -arch=native -o "$tmp/rungs" "$top_srcdir/tests/gpu/rungs.cu" -lcublas \
    -lcurand -lcuda -Xlinker -rpath -Xlinker "${CUDA_HOME:-/usr/local/cuda}/lib64" 2>"$err"; then
    "$tmp/rungs" "$PTXDIR" >"$tmp/rows" 2>"$err"
    verdict $? 'the last rungs beside the libraries' "$(cat "$err")"
    if test "$h100"; then least=; else least=told; fi
    rungs_judge "$tmp/rows" $least >"$tmp/verdicts"
    judged "$tmp/verdicts"
else
    skip 'nvcc or the libraries are not there' 'the last rungs beside the libraries'
fi

# ---- labs ---------------------------------------------------------------------------------

# Each command of tests/data/labs.txt: what it shows here, and field by field beside the simulator.
labs_list
(out=$tmp/sim.out err=$tmp/sim.err; labs_run sim sim) &
labs_run gpu gpu
wait
labs_judge gpu
simulated=$(awk -F'\t' '$2 == ".result.devices[0].name" { print $3; exit }' "$tmp/sim.leaves")
here=$(awk -F'\t' '$2 == ".result.devices[0].name" { print $3; exit }' "$tmp/gpu.leaves")
diag "beside a simulated $simulated"
if test "$here" = "$simulated"; then labs_compare same; else labs_compare other; fi

# ---- instructions -------------------------------------------------------------------------

# What a file of tests/ptx says of its arrays and launches, as commands; one print for each array
# that it compares.
ptx_commands() {
    echo "load $1"
    sed -n 's|^//! ||p; s|^//!+|+|p' "$1" | awk '
        function flush() {
            if (line ~ /^array /) {
                split(line, part, " = "); split(part[1], word, /[][ ]/)
                gsub(/ +/, ",", part[2])
                print "array", word[2], word[3], word[4], part[2] ? "list:" part[2] : "zero"
            } else if (line ~ /^launch /)
                print line
            else if (line ~ /^[a-z0-9]+ [=:] /)
                print "print " substr(line, 1, index(line, " ") - 1)
        }
        /^\+/ { sub(/^\+ */, " "); line = line $0; next }
        { flush(); line = $0 }
        END { flush() }'
}
for file in carry-mixed own-variables shuffle-absent vectors; do
    ptx_commands "$top_srcdir/tests/ptx/$file.ptx" >"$tmp/commands"
    for device in gpu sim; do
        say "$(cat "$tmp/commands")" --device $device
        grep '^ *[0-9]*:' "$out" >"$tmp/$device"
    done
    test -s "$tmp/gpu" && cmp -s "$tmp/gpu" "$tmp/sim"
    verdict $? "tests/ptx/$file.ptx: the same on both" "$(diff "$tmp/gpu" "$tmp/sim" | head -8)"
done

# ---- textures -----------------------------------------------------------------------------

cat >"$tmp/look.cu" <<'END'
extern "C" __global__ void look(cudaTextureObject_t t, float *out)
{
    out[threadIdx.x] = tex2D<float>(t, threadIdx.x * 0.37f - 2, threadIdx.x * 0.21f - 1);
}
extern "C" __global__ void put(cudaSurfaceObject_t s)
{
    surf2Dwrite((float)threadIdx.x, s, threadIdx.x % 8 * 4, threadIdx.x / 8);
}
END
looked() { # looked DEVICE WORDS
    say "load $tmp/look.cu; array a f32 8x8 random; array out f32 64
launch look<<<1,64>>>(texture(a$2), out); print out
launch put<<<1,64>>>(surface(a)); print a" --device "$1"
    grep '^ *[0-9]*:' "$out"
}
for words in '' ', linear' ', linear, border' ', wrap, normalized' ', linear, mirror, normalized'; do
    looked gpu "$words" >"$tmp/gpu"
    looked sim "$words" >"$tmp/sim"
    test -s "$tmp/gpu" && cmp -s "$tmp/gpu" "$tmp/sim"
    verdict $? "texture(a$words): the same on both" "$(diff "$tmp/gpu" "$tmp/sim" | head -4)"
done

cat >"$tmp/cubes.cu" <<'END'
extern "C" __global__ void cube(cudaTextureObject_t t, float *out)
{
    int i = threadIdx.x;
    out[i] = texCubemap<float>(t, i % 5 * 0.4f - 0.8f, i % 7 * 0.3f - 0.9f, i % 3 * 0.7f - 0.7f);
}
extern "C" __global__ void layer(cudaTextureObject_t t, float *out)
{
    int i = threadIdx.x;
    out[i] = texCubemapLayered<float>(t, i % 5 - 2.1f, i % 7 - 3.2f, i % 3 - 1.3f, i % 2);
}
END
for device in gpu sim; do
    say "load $tmp/cubes.cu; array a f32 6x4x4 random; array b f32 12x4x4 random
array out f32 64
launch cube<<<1,64>>>(texture(a, 6x4x4, cubemap), out); print out
launch layer<<<1,64>>>(texture(b, 12x4x4, cubemap, layered), out); print out" --device $device
    grep '^ *[0-9]*:' "$out" >"$tmp/$device"
done
test -s "$tmp/gpu" && cmp -s "$tmp/gpu" "$tmp/sim"
verdict $? 'cubemaps: the same on both' "$(diff "$tmp/gpu" "$tmp/sim" | head -4)"

say_json 'trap --variant shuffle --counters' --device gpu
json_is .counters.shuffles "$("$CUDALAB" --no-init --json --device sim -c \
    'trap --variant shuffle' | "$JSONGET" .counters.shuffles)" '--counters: as the simulator counts'
json_is .counters_from sim 'and says so'

# ---- cuBLAS -------------------------------------------------------------------------------

# near_variant LAB OPTIONS OTHER: the library's answer and another variant's, each of which checks
# itself. Of the library's order nothing is known, and a bound for any order is wide; but its chains
# are short too, so a few times the other's bound is enough.
near_variant() {
    say_json "$1 $2 --variant cublas; $1 $2 --variant $3" --device gpu
    json_is 1:.result.ok true "$1 $2 by cuBLAS: right"
    json_is 2:.result.ok true "$1 $2 by $3: right"
    json_near 1:.result."$1" "$(json 2:.result."$1")" \
        "$(json 2:.result.bound | awk '{ print 4 * $1 }')" "$1 $2: cuBLAS as $3"
    json_near 1:.result."$1" "$(json 1:.result.exact)" \
        "$(json 2:.result.bound | awk '{ print 4 * $1 }')" "$1 $2: as it should be"
}

say_json 'sum --variant cublas' --device gpu
if grep -q 'there is no cuBLAS' "$err"; then
    skip "$(sed 's/.*: //' "$err")" 'sum and dot by cuBLAS'
else
    json_is .result.sum 1000000 'cuBLAS: a million ones, whose sums are exact in any order'
    for n in 1 2 31 1000 1000003 2^24; do
        near_variant sum "-n $n --fill random" best
        near_variant dot "-n $n" partials
        near_variant dot "-n $n -a random:-1:1 -b random:-1:1" partials
    done
    near_variant sum '-n 2^28' best
    say_json 'dot -n 1000 -a iota -b value:2 --variant cublas' --device gpu
    json_is .result.dot 999000 'dot by cuBLAS: whole numbers are exact'
    say_json 'sum --fill random --variant cublas --repeat 20' --device gpu
    json_is .result.ok true 'cuBLAS: again and again'
    for lab in sum dot; do
        say_json "set volatile on; $lab -n 2^20 --variant all --repeat 20" --device gpu \
            --time-limit 300
        json_is 2:.status ok "$lab --variant all, with cuBLAS"
        tr '}' '\n' <"$out" | sed -n 's/.*"variant":"\(best\|gridstride\|cublas\)".*"median_s":\([-0-9.e]*\).*/\1 \2 s/p' |
            while read -r line; do diag "$lab -n 2^20: $line"; done
        grep -q '"variant":"cublas","wrong_on_purpose":false,"'"$lab"'":[^}]*"ok":true,"time":' "$out"
        verdict $? "$lab --variant all: cuBLAS ran, right and timed"
    done
    say_json 'array x i32 4 iota; set time-limit 0.001; sum --variant cublas
set time-limit 60; print x; sum --variant cublas' --device gpu
    json_is 3:.status fault 'cuBLAS within a limit too short for it'
    json_is 3:.faults[0].kind timeout 'is a timeout'
    json_is 5:.result.values '[0,1,2,3]' 'arrays are there'
    json_is 6:.result.sum 1000000 'and so is cuBLAS'
    mkdir "$tmp/hidden"
    for name in libcublas.so libcublas.so.12 libcublas.so.13; do
        : >"$tmp/hidden/$name"
    done
    libraries=${LD_LIBRARY_PATH-}
    export LD_LIBRARY_PATH="$tmp/hidden${libraries:+:$libraries}"
    say_json 'sum --variant cublas; sum --variant all' --device gpu
    LD_LIBRARY_PATH=$libraries
    json_like 1:.error.message 'there is no cuBLAS here' 'hidden, it is missed'
    json_is 2:.status ok 'by its row alone'
fi

# ---- steps --------------------------------------------------------------------------------

# Of 64 MB a vector: every step takes time, the answer is right, and copies from pinned memory are
# faster than from pageable.
seconds() { json "2:.result.steps[$1].seconds"; }
for mem in managed copy pinned mapped; do
    say_json "set volatile on; vecadd -n 2^24 --mem $mem --repeat 5" --device gpu
    json_is 2:.result.ok true "--mem $mem: what came out of the steps is right"
    json_is 2:.result.steps_runs 5 "--mem $mem: medians of five"
    case $mem in copy | pinned) count=5 ;; *) count=4 ;; esac
    json_is 2:.result.steps.# $count "--mem $mem: all steps"
    for i in $(seq 0 $((count - 1))); do
        json_like "2:.result.steps[$i].seconds" '[1-9]' "--mem $mem, step $i: takes time"
        diag "--mem $mem: $(json "2:.result.steps[$i].step") $(seconds "$i") s"
    done
    case $mem in copy | pinned) echo "$(seconds 1) $(seconds 3)" >"$tmp/$mem.copies" ;; esac
done
paste "$tmp/copy.copies" "$tmp/pinned.copies" | awk '{ exit !($3 < $1 && $4 < $2) }'
verdict $? 'both copies of pinned memory are faster than of pageable' \
    "$(paste "$tmp/copy.copies" "$tmp/pinned.copies")"
say 'set volatile on; vecadd -n 2^24 --mem pinned --repeat 5' --device gpu
out_like 'copy x, y in .* [1-9][0-9.]*$' 'the screen has a rate'
say_json 'array x i32 4 iota; set volatile on; set time-limit 0.05
vecadd -n 2^26 --mem copy; set time-limit 60; print x; vecadd --mem copy' --device gpu
json_is 4:.status fault 'steps within a limit too short for them'
json_is '4:.faults[0].kind' timeout 'are a timeout'
json_is 6:.result.values '[0,1,2,3]' 'arrays are there'
json_is 7:.result.steps_runs 1 'and the next steps are timed'

# A session's memory on the card: after each kind once, and after each again. Only processes that
# this test started count, since others may use the card too.
descendants() { for child in $(pgrep -P "$1"); do echo "$child" && descendants "$child"; done; }
on_card() {
    nvidia-smi --query-compute-apps=pid,used_memory --format=csv,noheader,nounits |
        awk -F ', *' -v ours="$(descendants $$ | tr '\n' ' ')" '
            index(" " ours, " " $1 " ") { sum += $2 }
            END { print sum + 0 }'
}
each_kind() {
    for mem in managed copy pinned mapped; do
        echo "vecadd -n 2^24 --mem $mem --repeat $1"
    done
}
answered() { # answered N: waits until N of them are answered, and the driver had time to free
    seconds=0
    until test "$(grep -c '"steps_runs":' "$out")" -ge "$1" || test "$seconds" -gt 60; do
        sleep 1
        seconds=$((seconds + 1))
    done
    sleep 5
}
{
    echo 'set volatile on'
    each_kind 1
    answered 4
    on_card >"$tmp/first"
    each_kind 5
    answered 8
    on_card >"$tmp/then"
} | "$CUDALAB" --no-init --json --device gpu >"$out" 2>"$err"
status=$? last_run='a session with steps of each kind'
is "$(grep -c '"steps_runs":' "$out")" 8 'eight times steps in one session'
if test "$(cat "$tmp/first")" -gt 0; then
    test $(($(cat "$tmp/then") - $(cat "$tmp/first"))) -lt 64
    verdict $? "and no vector is left on the card: $(cat "$tmp/first"), $(cat "$tmp/then") MiB"
else
    skip 'nvidia-smi does not list this process' 'no vector is left on the card'
fi

# ---- students' kernels --------------------------------------------------------------------

own=$top_srcdir/tests/own
commands() { # commands NAME COMPILER FOLDER
    echo "set compiler $2"
    echo "load $1.cu"
    sed -n 's|^//! ||p' "$own/$1.cu" | grep -E '^(array|fill|launch) '
    sed -n 's|^//! expect \([^ ]*\).*|save \1 '"$3"'/\1.raw|p' "$own/$1.cu"
}

own_case() { # own_case NAME COMPILER WORDS: on both devices, as a line for `judged`
    folder=$tmp/own-$1-$2
    for device in gpu sim; do
        mkdir -p "$folder/$device"
        commands "$1" "$2" "$folder/$device" >"$folder/$device.lab"
        (cd "$own" && "$CUDALAB" --no-init --json --device $device "$folder/$device.lab") \
            >"$folder/out" 2>"$folder/err" || break
        sed -n 's/.*"output":\(\[.*\]\),"result".*/\1/p' "$folder/out" >"$folder/$device/output"
    done
    if test ! -f "$folder/sim/output"; then
        printf 'flunk\t%s, %s: runs on both\t%s\n' "$1" "$2" "$(cat "$folder/err" | tr '\n' ' ')"
    elif case $3 in *approx*) true ;; *) false ;; esac; then
        printf 'pass\t%s, %s: runs on both; its values are approximate\n' "$1" "$2"
    elif different=$(diff -rq "$folder/gpu" "$folder/sim"); then
        printf 'pass\t%s, %s: the same bytes on both\n' "$1" "$2"
    else
        printf 'flunk\t%s, %s: the same bytes on both\t%s\n' "$1" "$2" "$(echo $different)"
    fi
}

old=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader | sed -n '1s/^[1-8][.].*/yes/p')
for compiler in nvrtc nvcc; do
    while read -r name words; do
        case $old:$name in
        yes:cluster_*) skip 'no clusters before 9.0' "$name"; continue ;;
        esac
        side own_case "$name" $compiler "$words"
    done <"$own/LIST"
done
sides_tell

# Runs the correct kernels with asynchronous copies. Their results are compared on the GPU too.
for file in "$top_srcdir"/tests/async/*.cu; do
    name=$(basename "$file" .cu)
    test -z "$old" || { skip 'they need 9.0' "tests/async/$name.cu"; continue; }
    right_of "$file" >"$tmp/typed"
    say_json "$(cat "$tmp/typed")" --device gpu
    status_is 0 "tests/async/$name.cu: its right kernels run"
    is "$(grep -c '"command":"compare.*"ok":true' "$out")" "$(grep -c '^compare ' "$tmp/typed")" \
        "tests/async/$name.cu: and are right"
done

# ---- kernels of today's style --------------------------------------------------------------

. "$top_srcdir/tests/checks.sh"
compiler=auto
case $("$CUDALAB" --no-init --device gpu -c devquery 2>/dev/null) in
*'compute capability 9.0'*)
    awk '!/^#/ && NF { print $1, $2 }' "$top_srcdir/tests/modern/expect.txt" >"$tmp/modern"
    for file in "$top_srcdir"/tests/modern/*.cu; do
        values_of "$file" gpu "$tmp/modern" >"$tmp/on-gpu"
        values_of "$file" sim "$tmp/modern" | while read -r kernel array values; do
            grep -qx "$kernel $array $values" "$tmp/on-gpu" || echo "$kernel $array"
        done >"$tmp/differ"
        is "$(cat "$tmp/differ")" '' "$(basename "$file" .cu): the same bytes as on the simulator"
    done ;;
*) skip 'the GPU is none of compute capability 9.0' 'kernels of today'\''s style' ;;
esac

# ---- kernels that launch kernels ------------------------------------------------------------

# Each line: a file of tests/child, a launch, and what is printed after it. The arrays are the same
# for all. What grids print comes in any order. Left out are kernels whose grids race, those that
# name a stream which is not theirs, and those that ask what only the simulator promises. Left out is
# also cudaMemsetAsync with another value than 0: libcudadevrt.a of CUDA 13.0 fills with 0, in a plain
# program by nvcc too (H100, driver 580.159.04, 2026-11-26).
child_case() { # child_case FILE LAUNCH PRINTED: on both devices, as a line for `judged`
    folder=$tmp/child-$1-${2%%<*}
    mkdir -p "$folder"
    for device in gpu sim; do
        printf '%s\n' "load $top_srcdir/tests/child/$1.cu" 'array o i32 64; fill o zero' \
            'array p i32 64; fill p iota' 'array n i32 8; fill n zero' 'array d f64 2; fill d zero' \
            'array c i8 1000; fill c zero' "launch $2" "print $3" >"$folder/$device.lab"
        "$CUDALAB" --no-init --json --bail --device $device --time-limit 60 "$folder/$device.lab" \
            >"$folder/out" 2>"$folder/err" || {
            printf 'flunk\t%s.cu, %s: runs on %s\t%s\n' "$1" "$2" $device \
                "$(tr '\n' ' ' <"$folder/err")"
            return
        }
        sed -n 's/.*"values":\(\[.*\]\).*/\1/p' "$folder/out" >"$folder/$device"
        sed -n 's/.*"output":\[\(.*\)\],"result".*/\1/p' "$folder/out" | tr ',' '\n' | sort \
            >>"$folder/$device"
    done
    if test -s "$folder/sim" && different=$(diff "$folder/gpu" "$folder/sim"); then
        printf 'pass\t%s.cu, %s: the same bytes on both\n' "$1" "$2"
    else
        printf 'flunk\t%s.cu, %s: the same bytes on both\t%s\n' "$1" "$2" "$(echo $different)"
    fi
}
while IFS='|' read -r file launch printed; do
    side child_case "$file" "$launch" "$printed"
done <<'END'
results|parameters<<<1, 8>>>(o)|o
results|shared_sizes<<<1, 1>>>(o, 2)|o
results|templates<<<1, 1>>>(d)|d
results|null_stream<<<1, 32>>>(o, n)|o
results|nested<<<1, 1>>>(o, n)|o
results|by_event<<<1, 1>>>(o, n)|o
results|own_streams<<<1, 1>>>()|o
results|prints<<<2, 1>>>()|o
results|tail_total<<<1, 16>>>(o, n)|n
results|fill<<<1, 1>>>(o, 64)|o
results|values<<<1, 1>>>(n)|n
results|in_clusters<<<4, 1>>>(n)|n
results|copies_and_fills<<<1, 1>>>(p, o, 0)|o
wrong|too_many_threads<<<1, 1>>>(p)|p
wrong|unwritten<<<1, 32>>>(p, o)|o
wrong|with_barrier<<<1, 64>>>(p)|p
wrong|one_stream<<<1, 1>>>(p)|p
END
sides_tell
cat >"$tmp/astray.cu" <<'END'
#include <cassert>
__device__ int counter = 5;
__global__ void far(int *x) { x[1 << 28] = 1; }
__global__ void sends(int *x) { x[0] = -1; counter = 0; far<<<1, 1>>>(x); }
__global__ void fails(int *x) { assert(x[1] == 0); }
__global__ void doubts(int *x) { x[0] = -1; fails<<<1, 1>>>(x); }
__global__ void endless() { endless<<<1, 1>>>(); while (true) __nanosleep(100); }
__global__ void add(int *x) { x[threadIdx.x] += 1; }
__global__ void good(int *x) { counter++; add<<<1, 8>>>(x); }
END
for case in 'out-of-bounds sends<<<1,1>>>(x)' 'assert doubts<<<1,1>>>(x)' 'timeout endless<<<1,1>>>()'; do
    say_json "load $tmp/astray.cu; array x i32 8 iota; launch good<<<1,1>>>(x); set time-limit 3
launch ${case#* }; set time-limit 60; print x; print counter; launch good<<<1,1>>>(x); print x" \
        --device gpu --time-limit 60
    json_is '5:.faults[0].kind' "${case%% *}" "$case: in a child grid, by name"
    json_is 7:.result.values '[1,2,3,4,5,6,7,8]' "$case: the array as before it"
    json_is 8:.result.values '[6]' "$case: and the variable"
    json_is 10:.result.values '[2,3,4,5,6,7,8,9]' "$case: and the next launch runs"
done
mkdir -p "$tmp/kit/bin"
printf '#!/bin/sh\nexit 1\n' >"$tmp/kit/bin/nvcc"
chmod +x "$tmp/kit/bin/nvcc"
(CUDA_HOME=$tmp/kit "$CUDALAB" --no-init --device gpu -c "load $top_srcdir/tests/data/gpu-child.ptx") \
    >"$out" 2>"$err"
grep -q 'there is no libcudadevrt.a in' "$err" || ls /usr/lib*/libcudadevrt.a /usr/lib/*/libcudadevrt.a \
    >/dev/null 2>&1
verdict $? 'without libcudadevrt.a it is said which file is missing' "$(cat "$err")"

# ---- faults -------------------------------------------------------------------------------

cat >"$k" <<'END'
#include <stdio.h>
#include <assert.h>
__device__ int counter = 5;
__global__ void good(int *x) { x[threadIdx.x] += 1; if (threadIdx.x == 0) counter++; }
__global__ void illegal(int *x) { x[0] = -1; counter = 0; x[1 << 28] = 1; }
__global__ void misaligned(int *x) { x[0] = -1; *(int *)((char *)x + 1) = 1; }
__global__ void trapped(int *x) { x[0] = -1; asm volatile("trap;"); }
__global__ void asserted(int *x) { x[0] = -1; assert(threadIdx.x != 3); }
__global__ void endless(volatile int *x) { while (x[0] >= 0) x[1]++; }
__global__ void flood(int n) { for (int i = 0; i < n; i++) printf("%d of %d\n", i, threadIdx.x); }
__global__ void forever() { for (int i = 0;; i++) printf("%d of %d\n", i, threadIdx.x); }
typedef int (*F)(int);
__global__ void astray(int *x, F f) { x[0] = -1; x[1] = f(3); }
__device__ int twice(int i) { return 2 * i; }
__device__ F second = twice;
template <typename T> __device__ T pi = T(3.25);
__global__ void calls(int *x, F f) { x[0] = f ? f(1) : second(21); x[1] = 4 * pi<float>; }
__constant__ int fixed = 5;
__global__ void into(int *x) { x[0] = fixed; *(volatile int *)&fixed = 6; }
__global__ void memory(int *x) { int n = 0; while (malloc(100000)) n++; x[threadIdx.x] = n; }
END

# One fault in a session: its kind, how long until the prompt is back and until the next launch
# has run, and what the arrays hold. The times come from files that cudalab saves.
fault() { # fault KIND LAUNCH [TIME-LIMIT]
    mkdir -p "$tmp/f"
    rm -f "$tmp"/f/*
    script --json --device gpu --time-limit 60 <<END
load $k
array x i32 8 iota
launch good<<<1,8>>>(x)
save x $tmp/f/0
set time-limit ${3:-60}
launch $2
save x $tmp/f/1
set time-limit 60
launch good<<<1,8>>>(x)
save x $tmp/f/2
print x
print counter
END
    json_is 6:.status fault "$1: is a fault"
    sed -n 6p "$out" | grep -q "\"faults\":\[.*\"kind\":\"$1\""
    verdict $? "$1: by name"
    json_like 11:.result.values '^\[2,3,4,5,6,7,8,9\]$' "$1: the array as before it, and the next launch right"
    json_like 12:.result.values '^\[7\]$' "$1: the variable too"
    back=$(awk 'BEGIN { print int(1000 * ('"$(date -r "$tmp/f/1" +%s.%N) - $(date -r "$tmp/f/0" +%s.%N) - ${3:-0}"')) }')
    next=$(awk 'BEGIN { print int(1000 * ('"$(date -r "$tmp/f/2" +%s.%N) - $(date -r "$tmp/f/1" +%s.%N)"')) }')
    test "$back" -le 1000
    verdict $? "$1: the prompt is back after $back ms"
    test "$next" -le 3000
    verdict $? "$1: the next launch has run after $next ms"
}
fault out-of-bounds 'illegal<<<1,8>>>(x)'
fault misaligned 'misaligned<<<1,8>>>(x)'
fault trap 'trapped<<<1,8>>>(x)'
fault assert 'asserted<<<1,8>>>(x)'
fault timeout 'endless<<<1,1>>>(x)' 1
fault timeout 'forever<<<1,32>>>()' 1
fault bad-launch 'good<<<1,2000>>>(x)'

say_json "load $k; array x i32 8 iota; launch astray<<<1,1>>>(x, 5); launch good<<<1,8>>>(x)
print x" --device gpu
json_is 3:.status fault 'a call of what is no function: is a fault'
diag "told as $(json '3:.faults[0].kind')"
json_is 5:.result.values '[1,2,3,4,5,6,7,8]' 'the array as before it, and the next launch right'
for device in gpu sim; do
    say "load $k; array x i32 2; launch calls<<<1,1>>>(x, null); print x" --device $device
    out_like '0: +42 +13' "a null function pointer, one in memory, a template's variable: on $device"
done
# The compiler puts a trap where it sees a store to constant memory.
for device in gpu sim; do
    say_json "load $k; array x i32 8 iota; launch into<<<1,1>>>(x); launch good<<<1,8>>>(x)" \
        --device $device
    json_is '3:.faults[0].kind' trap "a store to constant memory on $device: a trap"
    json_is 4:.status ok 'and the next launch runs'
done

say_json "load $k; launch flood<<<4,256>>>(1000)" --device gpu
json_is 2:.status ok 'a printf flood is no failure'
json_is 2:.faults[0].kind printf-overflow 'but told'
shown=$(json 2:.output.#)
lost=$(json 2:.faults[0].message | sed 's/ .*//')
is "$((shown + lost))" 1024000 "shown $shown and lost $lost lines are all of them"
say_json "load $k; array x i32 4; launch memory<<<1,4>>>(x); launch good<<<1,4>>>(x); array y i8 2^40" --device gpu
json_is 3:.status ok 'all of the heap taken: malloc gives null'
json_is 4:.status ok 'and the next launch runs'
json_is 5:.status error 'an array bigger than the card is refused'

# Killed from outside, between commands and while a kernel runs.
(
    printf 'load %s\narray x i32 8 iota\nlaunch good<<<1,8>>>(x)\n' "$k"
    sleep 3
    printf 'launch good<<<1,8>>>(x)\nprint x\nlaunch endless<<<1,1>>>(x)\n'
    sleep 3
    printf 'print x\nlaunch good<<<1,8>>>(x)\nprint x\n'
) | { "$CUDALAB" --no-init --json --device gpu >"$out" 2>"$err"; echo $? >"$tmp/status"; } &
for wait in 1 1; do
    sleep $wait
    pkill -KILL -f 'gpu-process' && echo "killed" >>"$tmp/kills"
    sleep 2
done
wait
status=$(cat "$tmp/status")
last_run='two kills from outside'
is "$(grep -c killed "$tmp/kills")" 2 'the process for the GPU was killed twice'
json_is 4:.status ok 'killed between commands: nothing is noticed'
json_like 5:.result.values '^\[2,3,4,5,6,7,8,9\]$' 'and nothing lost'
json_is 6:.faults[0].kind device-lost 'killed during a launch: named'
json_like 7:.result.values '^\[2,3,4,5,6,7,8,9\]$' 'arrays as before it'
json_like 9:.result.values '^\[3,4,5,6,7,8,9,10\]$' 'and the next launch runs'

# Fifty in a row.
users() { nvidia-smi --query-compute-apps=process_name --format=csv,noheader | grep -c cudalab; }
sleep 1
before=$(users)
{
    printf 'load %s\narray x i32 8 iota\n' "$k"
    for i in $(seq 10); do
        printf 'launch illegal<<<1,8>>>(x)\nlaunch misaligned<<<1,8>>>(x)\n'
        printf 'launch trapped<<<1,8>>>(x)\nlaunch asserted<<<1,8>>>(x)\nlaunch illegal<<<2,8>>>(x)\n'
    done
    printf 'launch good<<<1,8>>>(x)\nprint x\n'
} >"$tmp/fifty.lab"
took=$(ms script --json --device gpu --time-limit 60 "$tmp/fifty.lab")
is "$(grep -c '"status":"fault"' "$out")" 50 "fifty faults, in $took ms"
json_like 54:.result.values '^\[1,2,3,4,5,6,7,8\]$' 'and the array is as it was'
sleep 1
is "$(pgrep -fc gpu-process)" 0 'no process is left'
is "$(users)" "$before" 'and none that holds memory of the card'

# ---- the sanitizer ------------------------------------------------------------------------

sanitized() { # sanitized TOOL VARIANT
    log=$tmp/$1.$2.log
    compute-sanitizer --tool "$1" --target-processes all --log-file "$log" \
        "$CUDALAB" --no-init --device gpu -c "trap --variant $2 -n 5000" >/dev/null 2>&1 &&
        grep -Eq 'ERROR SUMMARY: 0 errors|0 hazards' "$log" && verdict=pass || verdict=flunk
    printf '%s\t%s: trap %s is clean\t%s\n' $verdict "$1" "$2" "$(tail -5 "$log" | tr '\n' ' ')"
}
if command -v compute-sanitizer >/dev/null; then
    for tool in memcheck racecheck synccheck; do
        for v in atomic shuffle shared block-shuffle block-shared two-barriers samebank \
            block-1024 gridstride; do
            side sanitized $tool $v
        done
    done
    sides_tell
else
    skip 'compute-sanitizer is not there' 'right variants are clean under it'
fi
done_testing
