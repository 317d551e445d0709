#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# On a machine with a GPU and its profiler, from the top of the tree: what the kernels of
# tests/h100/counts leave and what the profiler counts of them, into the folder $1:
#
#   counts-results.txt    name and fingerprint of its results, a line a kernel
#   counts.txt            the counters; both go to tests/h100
#   counts-ncu.csv.gz     what the profiler said, run by run
#
# If a second folder is given, its PTX is used instead of all of tests/h100/counts.
#
# Several runs, as long as three minutes last: warps in each other's way add passes now and then,
# the fewest of the runs are the rule's. Where runs differ, that is said on stdout.
set -u
out=${1:?usage: tests/gpu/counts.sh FOLDER [PTX-FOLDER]}
ptx=${2:-tests/h100/counts}
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
mkdir -p "$out" &&
    cc -Isrc -o "$tmp/counts" tests/gpu/counts.c src/dev/gpu/driver.c src/base/err.c -ldl || exit 1

# A counter and its metrics, which are added up.
cat >"$tmp/columns" <<'END'
shared_load_requests smsp__inst_executed_op_shared_ld.sum
shared_load_wavefronts l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum
shared_load_conflicts l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum
shared_store_requests smsp__inst_executed_op_shared_st.sum
shared_store_wavefronts l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum
shared_store_conflicts l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum
global_load_requests l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum
global_load_sectors l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum
global_store_requests l1tex__t_requests_pipe_lsu_mem_global_op_st.sum
global_store_sectors l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum
global_atomic_requests l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum+l1tex__t_requests_pipe_lsu_mem_global_op_red.sum
local_load_requests l1tex__t_requests_pipe_lsu_mem_local_op_ld.sum
local_store_requests l1tex__t_requests_pipe_lsu_mem_local_op_st.sum
shared_atomic_requests smsp__inst_executed_op_shared_atom.sum
END
# What ptxas adds that the PTX doesn't say: a kernel, and the columns that get a dash. It saves
# registers around a call; makes a loop of compare and exchange of an addition in shared memory;
# lets lanes that called different functions come back one after the other; and has stores and
# registers of its own for a fence of the whole system, and three loads in each warp of a kernel that
# copies by cp.async, however often.
cat >"$tmp/own" <<'END'
call_recursive local_
atomic_shared_float shared_load_
atomic_shared_long shared_load_
call_pointer global_
fence_flags global_store_|local_
copy_async4 shared_load_requests
copy_async8 shared_load_requests
copy_async16 shared_load_requests
copy_async_two shared_load_requests
copy_async_groups shared_load_requests
mbarrier_copies shared_load_requests
END

metrics=$(sed 's/.* //; s/+/,/g' "$tmp/columns" | paste -sd, -)

card=$(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader | head -1)
measured="# ${card%,*}, driver ${card##*, }, $(date +%Y-%m-%d), by tests/gpu/counts.sh"
"$tmp/counts" $ptx >"$tmp/results" || exit 1
{
    echo "# What the buffer for results held after each kernel of tests/counts: its FNV-1a hash."
    echo "$measured."
    cat "$tmp/results"
} >"$out/counts-results.txt"

start=$(date +%s) runs=0
while test $runs -lt 5 && test $(($(date +%s) - start)) -lt 180; do
    ncu --clock-control none --print-units base --csv --metrics "$metrics" "$tmp/counts" $ptx \
        >"$tmp/run.csv" 2>&1 || { tail -5 "$tmp/run.csv" >&2; exit 1; }
    cat "$tmp/run.csv" >>"$tmp/ncu.csv"
    runs=$((runs + 1))
done
gzip -c "$tmp/ncu.csv" >"$out/counts-ncu.csv.gz"

{
    echo "# The profiler's counters for the kernels of tests/counts, from the PTX in counts/,"
    echo "# assembled with ptxas -O0."
    echo "$measured;"
    echo "# the fewest of $runs runs. A dash: ptxas adds what the PTX doesn't say (see there why)."
    echo "# Columns and the metric of each:"
    sed 's/ / = /; s/^/#   /' "$tmp/columns"
} >"$out/counts.txt"
awk -v notes="$tmp/notes" '
    FILENAME ~ /own$/ { own[$1] = "^(" $2 ")"; next }
    FILENAME ~ /columns$/ { names[++columns] = $1; made_of[columns] = $2; next }
    FILENAME ~ /results$/ { kernels[++count] = $1; next }
    /^"ID"/ { # the columns stand in another order from one version of the profiler to the next
        n = split($0, head, "\",\"")
        for (i = 1; i <= n; i++) {
            gsub(/"/, "", head[i])
            place[head[i]] = i
        }
        next
    }
    /^"[0-9]/ {
        split($0, field, "\",\"")
        kernel = field[place["Kernel Name"]]
        sub(/\(.*/, "", kernel)
        value = field[place["Metric Value"]]
        gsub(/[",]/, "", value)
        key = kernel " " field[place["Metric Name"]]
        if (!(key in least) || value + 0 < least[key]) least[key] = value + 0
        if (!(key in most) || value + 0 > most[key]) most[key] = value + 0
    }
    END {
        line = "kernel"
        for (c = 1; c <= columns; c++) line = line " " names[c]
        print line
        for (k = 1; k <= count; k++) {
            line = kernels[k]
            for (c = 1; c <= columns; c++) {
                parts = split(made_of[c], part, "+")
                sum = 0
                for (p = 1; p <= parts; p++) {
                    key = kernels[k] " " part[p]
                    if (!(key in least)) sum = "missing"
                    else if (sum != "missing") sum += least[key]
                    if (least[key] != most[key])
                        print key ": " least[key] " to " most[key] >notes
                }
                if (kernels[k] in own && names[c] ~ own[kernels[k]] && sum != "missing") sum = "-"
                line = line " " sum
            }
            print line
        }
    }' "$tmp/own" "$tmp/columns" "$tmp/results" "$tmp/ncu.csv" >>"$out/counts.txt"
echo "$(wc -l <"$tmp/results") kernels, $runs runs, $(($(date +%s) - start)) s"
if test -f "$tmp/notes"; then cat "$tmp/notes"; fi
! grep missing "$out/counts.txt"
