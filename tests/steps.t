# SPDX-License-Identifier: GPL-3.0-or-later
#
# The steps of `vecadd` with each kind of memory, on the fake of a driver in tests/fake: where they
# are shown, that nothing stays allocated, and every way in which they can end. Of real times `make
# check-gpu` tells.
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"

fake=$(cd "$top_builddir/tests/fake" 2>/dev/null && pwd)
test -f "$fake/libcuda.so.1" || skip_all 'the libcuda for tests is not built'
LD_LIBRARY_PATH=$fake
FAKE_PIECES=$tmp/pieces
export LD_LIBRARY_PATH FAKE_PIECES
say 'show device' --device gpu
if test "$status" != 0 && { test -n "$CUDALAB_WRAPPER" || test "$BUILD_KIND" != plain; }; then
    skip_all 'a process of another kind cannot be started under this checker'
fi

with_driver() { # with_driver HOW: "" is one that works
    FAKE_CUDA=$1
    export FAKE_CUDA
}

# all_freed PIECES NAME: so many pieces of memory were asked for, and all are freed.
all_freed() {
    is "$(tr -cd + <"$tmp/pieces" | wc -c)/$(tr -cd - <"$tmp/pieces" | wc -c)" "$1/$1" "$2"
    rm -f "$tmp/pieces"
}

timed='^([1-9]|0\.0*[1-9])[0-9.]*(e-[0-9]+)?$' # more than nothing

# ---- each kind ----------------------------------------------------------------------------

# steps MEM PIECES STEP/BY/BYTES ...: with n = 1000, a round that is not timed and one that is
steps() {
    mem=$1 pieces=$2
    shift 2
    say_json "set volatile on; vecadd -n 1000 --mem $mem" --device gpu
    json_is 2:.result.ok true "$mem: right"
    json_is 2:.result.steps_runs 1 "$mem: timed once"
    json_is 2:.result.steps.# $# "$mem: its steps"
    k=0
    for step in "$@"; do
        json_is "2:.result.steps[$k].step" "${step%%/*}" "$mem, step $k: what"
        by=${step#*/}
        json_is "2:.result.steps[$k].by" "${by%/*}" "$mem, step $k: by which calls"
        json_is "2:.result.steps[$k].bytes" "${step##*/}" "$mem, step $k: how many bytes move"
        json_like "2:.result.steps[$k].seconds" "$timed" "$mem, step $k: timed"
        k=$((k + 1))
    done
    all_freed "$pieces" "$mem: nothing stays allocated"
}
steps managed 6 allocate/cudaMallocManaged/0 kernel/kernel/8000 'out/the host reads/4000' \
    free/cudaFree/0
steps copy 6 'allocate/malloc, cudaMalloc/0' in/cudaMemcpy/8000 kernel/kernel/0 \
    out/cudaMemcpy/4000 'free/cudaFree, free/0'
steps pinned 12 'allocate/cudaMallocHost, cudaMalloc/0' in/cudaMemcpy/8000 kernel/kernel/0 \
    out/cudaMemcpy/4000 'free/cudaFree, cudaFreeHost/0'
steps mapped 6 allocate/cudaHostAlloc/0 kernel/kernel/12000 'out/the host reads/0' \
    free/cudaFreeHost/0

for mem in managed copy pinned mapped; do
    for more in '-n 1' '-n 70001' '--variant blocks -n 100' '--variant gridstride -n 5000' \
        '-x 1,2,3 -y 10,20,30.5'; do
        say_json "set volatile on; vecadd --mem $mem $more" --device gpu
        json_is 2:.result.ok true "--mem $mem $more: right"
        json_is 2:.result.steps_runs 1 "--mem $mem $more: timed"
    done
    json_is 2:.result.z[2] 33.5 "--mem $mem: what came out of the steps is the answer"
    json_is 2:.kernel vecadd_both "--mem $mem: of one launch the report tells"
done
rm -f "$tmp/pieces"
say_json 'set volatile on; vecadd --repeat 5; vecadd --mem mapped --repeat 4' --device gpu
json_is 2:.result.steps_runs 5 '--repeat: medians of so many'
json_is 2:.time.runs 5 '--repeat: of the launch alone too'
json_is 3:.result.steps_runs 4 '--repeat: an even number'
is "$(tr -cd + <"$tmp/pieces" | wc -c)" "$(tr -cd - <"$tmp/pieces" | wc -c)" \
    '--repeat: nothing stays allocated'
say_json 'set volatile on; vecadd --counters --trace; vecadd' --device gpu
json_is 2:.result.steps_runs 1 'with counters and a trace'
json_is 2:.counters.global_load_requests 64 'which are of one launch'

say 'set volatile on; vecadd -n 2000' --device gpu
out_like 'steps +by the host.s clock' 'on the screen'
out_like 'copy x, y in +cudaMemcpy +16,000 +[0-9.e-]+ +[0-9.]+$' 'bytes, time and rate'
out_like 'allocate x, y, z +malloc, cudaMalloc +[0-9.e-]+$' 'no bytes where none move'
out_like 'kernel +[0-9.e-]+$' 'nor by the kernel after a copy'
out_like 'together +[0-9.e-]+$' 'and the sum'
say 'set volatile on; vecadd --mem managed' --device gpu
out_like 'read z +the host reads +3,988' 'managed: the host reads'
out_lacks 'copy x' 'managed: no copy'
say 'set volatile on; set projector on; vecadd --mem pinned' --device gpu
is "$(awk 'length > 72' "$out")" '' 'in 72 columns'
say 'set volatile on; set plain on; vecadd --mem pinned' --device gpu
out_like 'copy x, y in' 'in sentences'

# ---- where there are none -----------------------------------------------------------------

without() { # without NAME COMMAND...: its last object has no steps
    name=$1
    shift
    say_json "$@"
    json_absent "$(wc -l <"$out" | tr -d ' '):.result.steps" "$name"
}
without 'no steps in a script' 'vecadd --mem pinned' --device gpu
without 'nor on a simulator' 'set volatile on; vecadd --mem pinned' --device sim
without 'nor of all variants' 'set volatile on; vecadd --mem pinned --variant all' --device gpu
without 'nor of calls' 'set volatile on; vecadd --mem pinned --calls' --device gpu
for v in noguard nosync; do
    without "nor of $v" "set volatile on; vecadd --variant $v" --device gpu
done

# ---- what ends them -----------------------------------------------------------------------

rm -f "$tmp/pieces"

# The driver has no third piece of memory: the first two are freed, and the next command has all.
short() { # short MEM BYTES-OF PIECES
    with_driver short
    say_json "array x i32 4 iota; set volatile on; vecadd -n 1000 --mem $1; print x
set volatile off; vecadd" --device gpu
    json_is 3:.status error "short, $1: an error"
    json_like 3:.error.message "^the steps can't be timed: $2 of 4000 bytes can't be had: CUDA_" \
        "short, $1: why"
    json_absent 3:.result.steps "short, $1: no times"
    json_is 4:.result.values '[0,1,2,3]' "short, $1: arrays are there"
    json_is 6:.result.ok true "short, $1: the next launch works"
    all_freed 2 "short, $1: nothing stays allocated"
}
short managed 'managed memory'
short copy memory
short pinned 'pinned memory'
short mapped 'mapped memory'

# ends HOW KIND MESSAGE: a fault as of a launch, and all is there afterwards.
ends() {
    with_driver "$1"
    for mem in copy managed mapped; do
        say_json "array x i32 4 iota; set volatile on; vecadd --mem $mem; print x
set volatile off; vecadd" --device gpu --time-limit 1
        json_is 3:.status fault "$1, $mem: status"
        json_is '3:.faults[0].kind' "$2" "$1, $mem: kind"
        json_like '3:.faults[0].message' "$3" "$1, $mem: in words"
        json_is 4:.result.values '[0,1,2,3]' "$1, $mem: arrays are there"
        json_is 6:.result.ok true "$1, $mem: the next command works"
    done
}
ends stall timeout '^no end after 1 s$'
ends trip out-of-bounds 'no memory'

# Ctrl-C (as in bad-input.t: a background job ignores it unless it is told not to).
if env --default-signal=INT true 2>/dev/null; then
    with_driver stall
    rm -f "$tmp/pieces"
    printf 'set volatile on\nvecadd\nset volatile off\nvecadd\n' >"$tmp/stop.lab"
    env --default-signal=INT "$CUDALAB" --no-init --json --device gpu --time-limit 30 \
        "$tmp/stop.lab" >"$out" 2>"$err" &
    job=$!
    until_true test -s "$tmp/pieces"
    kill -INT $job
    status=0 last_run='Ctrl-C while a step is timed'
    wait $job || status=$?
    status_is 130 'Ctrl-C: ends a script'
    json_like 2:.error.message '^interrupted' 'Ctrl-C: interrupted'
else
    skip 'env has no --default-signal' 'Ctrl-C'
fi

done_testing
