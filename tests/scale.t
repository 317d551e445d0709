# SPDX-License-Identifier: GPL-3.0-or-later
#
# scale: shares, strategies, speed-ups, what doesn't match; two cards of the libcuda for tests; and,
# where this build has MPI, four real ranks: what they find, a rank that fails, one that is killed.
#
# Each variant and option, as tests/data/labs.txt explains:
#: scale                                         | right
#: scale --work sum --gpus 8 -n 1000             | gpus
#: scale --gpus 1 -n 1000                        | right
#: scale --gpus 1 --work sum -n 1000             | right
#: scale --gpus 1 --strategy 2 -n 1000           | right
#: scale --gpus 1 --strategy 3 -n 1000           | right
#: scale --strategy 2 -n 10000                   | right
#: scale --strategy 2 --host-part 0.25 -n 10000  | right
#: scale --strategy 3 --ranks 7 --gpus 3 -n 1001 | gpus
#: scale -a 0 -b 1.5 -n 100 --plot               | right
#: scale --blocks 3 --threads 40 -n 7            | right
#: scale --calls -n 1000                         | right
#
# What it refuses, as tests/data/refused.txt explains:
#! scale --gpus 0                             | at least 1
#! scale --gpus 33                            | at most 32
#! scale --gpus 4 --ranks 3                   | take --ranks 4, or --strategy 3
#! scale --gpus 4 --ranks 3 --strategy 3      | take --ranks 4, or --gpus 3
#! scale --gpus 4 --ranks 4 --strategy 2      | take --ranks 8, or --strategy 1
#! scale --strategy 4                         | it takes 1, 2, 3
#! scale --ranks 65                           | at most 64
#! scale --host-part 0.1                      | add --strategy 2
#! scale --strategy 2 --host-part 1.5         | from 0 to 1
#! scale --work sum -a 1                      | are for --work trap
#! scale -n 0                                 | at least 1
#! scale -a 1e9                               | from -1e6 to 1e6
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"

near() { # near A B PART NAME: A is at most that part away from B
    ok "$4" awk -v a="$1" -v b="$2" -v part="$3" \
        'BEGIN { d = a - b; exit !(a != "" && d <= part * b && -d <= part * b) }'
}

# ---- in one process --------------------------------------------------------------------------

say scale
status_is 0 'scale runs'
out_has 'trap by 4 GPUs, strategy 1, n = 1,048,576 (2^20)' 'four simulated GPUs'
out_like '^  GPU 3 +3 +786,432 +262,144 +9\.375 ' 'the last rank, its share and its sum'
out_like '^  serial +[0-9.]+ % of the time of one GPU, modelled' 'the serial share of this run'
is "$(wc -l <"$out" | tr -d ' ')" "$(awk 'NR <= 24' "$out" | wc -l | tr -d ' ')" 'within 24 lines'
if test -n "$(configured MPI_LIBS)"; then
    out_has 'mpirun starts real ones (help mpi)' 'it says what MPI is for'
else
    out_has 'MPI: `./quickstart --mpi` (help mpi)' 'it says how to get MPI'
fi

say_json scale
json_is .result.ok true 'it checked itself'
json_is .result.value 24 'the area'
json_is .result.rank_count 4 'four ranks'
json_is .result.ranks[1].first 262144 'shares follow each other'
json_is .result.ranks[3].count 262144 'and are equal'
# The laws divide the work without a rest. A thread here has 7 or 8 of the 7.76 terms on average.
for k in 0 1 2; do
    near "$(json ".result.points[$k].strong")" "$(json ".result.points[$k].amdahl")" 0.05 \
        "same n, point $k: near Amdahl's law"
    near "$(json ".result.points[$k].weak")" "$(json ".result.points[$k].gustafson")" 0.05 \
        "n grows, point $k: near Gustafson's law"
done
share=$(json .result.serial_share)
say_json 'scale -n 2^23'
ok 'a larger task has a smaller serial share' \
    awk -v a="$(json .result.serial_share)" -v b="$share" 'BEGIN { exit !(a < 0.5 * b) }'

say_json 'scale --gpus 3 -n 1000 --work sum'
json_is .result.ranks[0].count 333 'terms that do not divide:'
json_is .result.ranks[2].count 334 'shares differ by one'
json_is .result.value 4500 '0 to 9, a hundred times'
json_is .result.points[2].gpus 3 'the last point has all GPUs'
say_json 'scale --gpus 8 -n 3'
json_is .result.ok true 'more GPUs than terms'

say_json 'scale --strategy 2'
json_is .result.rank_count 8 'strategy 2: two processes for each GPU'
json_is .result.ranks[4].place 'a core' 'of which the second has none'
equal=$(json .result.ranks[4].instructions_of_sm)
say_json 'scale --strategy 2 --host-part 0.0003'
ok 'a smaller part for the cores ends sooner' test "$(json .result.ranks[4].instructions_of_sm)" -lt \
    $((equal / 100))
say_json 'scale --strategy 3'
three=$(json .result.points[0].strong)
json_is .result.ranks[4].gpu 0 'strategy 3: rank 4 takes GPU 4 mod 4'
is "$three" 1 'one GPU is the measure'
say 'scale --plot; set plain on; scale --plot'
status_is 0 'the curves, and in sentences'
say 'set projector on; scale; scale --strategy 2; scale --strategy 3 --ranks 20'
is "$(awk 'length > 72' "$out")" '' 'all of it in 72 columns'
out_has 'and 12 more ranks' 'of many ranks the first are shown'
say 'scale --calls'
out_has 'cudaSetDevice(0), and the same for each GPU' 'the calls'
say scale --step-limit 100
err_like 'rank 0, GPU 0: ' 'a launch that is stopped: whose it was'
say 'help scale'
out_has 'all other cores are' 'strategy 1: what the other cores of the host do'
every_try scale

# ---- two cards -------------------------------------------------------------------------------

fake=$top_builddir/tests/fake
on_cards() { # on_cards HOW COMMANDS...
    LD_LIBRARY_PATH=$fake FAKE_CUDA=$1
    export LD_LIBRARY_PATH FAKE_CUDA
    shift
    "$@"
    unset LD_LIBRARY_PATH FAKE_CUDA
}
cards() {
    cards_how=$1
    shift
    on_cards "$cards_how" say "$@" --device gpu
}
unset CUDA_VISIBLE_DEVICES
test ! -f "$fake/libcuda.so.1" || cards two 'show device'
if test ! -f "$fake/libcuda.so.1" || test "$status" != 0; then
    skip 'no libcuda for tests, or not under this checker' 'two cards'
else
    cards two 'scale -n 4096'
    status_is 0 'two cards'
    out_has 'trap by 2 GPUs' 'all that there are'
    out_lacks 'Amdahl' 'times are not shown where they change'
    cards two 'set volatile on; scale -n 4096'
    out_like 'peer copy +64 MiB from GPU 0 to 1: [0-9.]+ GB/s, [0-9.]+ GB/s through the host' \
        'a plain copy between them'
    out_like '^  2 GPUs +[0-9.]+ +[0-9.]+ ' 'and a point for two'
    cards two 'scale -n 4096 --strategy 3 --ranks 5; scale -n 4096 --strategy 2 --work sum'
    status_is 0 'cards that are shared, and cores'
    cards two 'scale --gpus 3'
    err_has 'this computer has 2 GPUs; take --gpus 2, or `set device sim`' 'more than there are'
    cards '' 'scale --gpus 2'
    err_has 'this computer has 1 GPU; take --gpus 1' 'more than one'
    cards die 'scale -n 4096'
    status_is 1 'a card that fails'
    err_like 'rank 0, GPU 0: ' 'whose it was'
fi

# ---- the ranks of mpirun ---------------------------------------------------------------------

if test -z "$(configured MPI_LIBS)"; then
    OMPI_COMM_WORLD_SIZE=4
    export OMPI_COMM_WORLD_SIZE
    say scale
    err_has 'mpirun has started 4 processes, but this cudalab was built without MPI: `./quickstart --mpi`' \
        'without MPI under mpirun: how to get it'
    skip 'built without MPI' 'the ranks of mpirun'
    done_testing
fi

# Open MPI wants to be told that root may, and that there are more ranks than cores; MPICH not.
case $(configured MPI_LIBS) in *mpich*) mpirun='mpirun.mpich' quiet= ;; *) mpirun=mpirun quiet=-q ;; esac
command -v $mpirun >/dev/null || mpirun=mpiexec
if $mpirun --version 2>/dev/null | grep -q 'Open MPI\|OpenRTE'; then
    quiet=-q
    mpirun="$mpirun --oversubscribe"
    test "$(id -u)" != 0 || mpirun="$mpirun --allow-run-as-root"
fi
if test -n "$CUDALAB_WRAPPER" || test "$BUILD_KIND" != plain; then
    skip 'MPI itself is not clean under this checker' 'the ranks of mpirun'
    done_testing
fi

ranks() { # ranks N ARGUMENT...
    ranks_n=$1
    shift
    status=0
    last_run="$mpirun $quiet -n $ranks_n cudalab $*"
    # shellcheck disable=SC2086
    $mpirun $quiet -n "$ranks_n" "$CUDALAB" --no-init "$@" >"$out" 2>"$err" </dev/null || status=$?
}
others() { # others: processes of this test's copy of cudalab that are no zombies
    ps -eo stat=,args= | awk -v mine="$CUDALAB" '$1 !~ /^Z/ && $2 == mine && /mark-of-this-test/'
}
no_more() {
    test -z "$(others)"
}

echo 'scale -n 1000 --calls' >"$tmp/x.lab"
ranks 4 "$tmp/x.lab"
status_is 0 'four ranks'
out_has '4, one for each GPU, on 1 node: MPI adds' 'work as one'
out_has 'MPI_Reduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD)' 'by this call'
is "$(grep -c 'trap by 4 GPUs' "$out")" 1 'and rank 0 alone speaks'
ranks 4 --json -c 'scale -n 1001 --work sum --strategy 3 --gpus 3'
json_is .result.ok true 'the answer is checked'
json_is .result.ranks[3].gpu 0 'rank 3 takes GPU 3 mod 3'
json_is .result.value 4500 'MPI added'
ranks 4 -c "scale -n 1000; save nothing $tmp/none" --safe
status_is 1 'under --safe too'
out_has 'MPI adds' 'ranks work as one'

ranks 4 -c 'scale --strategy 1 --gpus 2; echo not here'
status_is 1 'more ranks than devices'
err_has '4 ranks on this node and 2 GPUs don'"'"'t match: strategy 1 has one process for each GPU; take mpirun -n 2, or --strategy 3' \
    'are refused, in a sentence that says what is right'
is "$(grep -c . "$err")" 1 'said once'
is "$(cat "$out")" '' 'and the session ends'
ranks 2 -c 'scale -n 10' -
status_is 2 'commands from an input that only rank 0 has'
err_has 'commands come from a script or from -c' 'are refused'
# One rank has a limit of its own, another command, or a script that is not there.
some() { # some N ARGUMENT... : 1 ARGUMENT...
    ranks "$@"
}
some 3 -c 'scale -n 100000' : -n 1 "$CUDALAB" --no-init --step-limit 50 -c 'scale -n 100000'
status_is 1 'a fault of one rank'
err_has 'rank 3, GPU 3: ' 'is told by rank 0, with its rank'
is "$(grep -c . "$err")" 1 'in one message'
some 3 -c 'scale -n 1000' : -n 1 "$CUDALAB" --no-init -c 'scale -n 1000 --gpus 0'
status_is 1 'an error of one rank'
err_has 'the ranks of mpirun must run the same commands: rank 0 is at `scale -n 1000`, and rank 3 at `its end`' \
    'ends all: no rank waits for it'
err_has 'at least 1' 'and its own message is told'
some 2 -c 'echo well' : -n 1 "$CUDALAB" --no-init "$tmp/no-such.lab"
status_is 2 'a script that one rank lacks'
err_has 'rank 2 failed: cannot read' 'and rank 0 says so'

# A rank killed from outside: mpirun ends the others, and says so itself.
# shellcheck disable=SC2086
$mpirun $quiet -n 4 "$CUDALAB" --no-init -c 'scale -n 2^28 # mark-of-this-test' >"$out" 2>"$err" </dev/null &
job=$!
four() {
    test "$(others | wc -l)" = 4
}
ok 'four processes work' until_true four
victim=$(ps -eo pid=,stat=,args= | awk -v mine="$CUDALAB" \
    '$2 !~ /^Z/ && $3 == mine && /mark-of-this-test/ { print $1 }' | sed -n 3p)
kill -KILL "$victim"
status=0
wait "$job" || status=$?
ok 'a rank that is killed: mpirun ends with an error' test "$status" != 0
ok 'and no process is left' until_true no_more

done_testing
