#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# On a machine with a GPU and its profiler: what the device says of itself, the wavefront rule
# against the hardware, and the counters of every case of cases.h, into the folder $1.
set -u
out=${1:?usage: tests/gpu/measure.sh FOLDER}
tmp=$(mktemp -d) || exit 1
nvidia-smi -L >"$out/device.txt" 2>&1
nvidia-smi --query-gpu=name,driver_version --format=csv,noheader >>"$out/device.txt" 2>&1
cc -o "$tmp/devquery" tests/gpu/devquery.c -ldl && "$tmp/devquery" >>"$out/device.txt"

wanted='smsp__inst_executed_op_shared_ld.sum smsp__inst_executed_op_shared_st.sum
smsp__inst_executed_op_shared_atom.sum
l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum
l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum
l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum
l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum
l1tex__t_requests_pipe_lsu_mem_global_op_st.sum l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum
l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum l1tex__t_requests_pipe_lsu_mem_global_op_red.sum
l1tex__t_requests_pipe_lsu_mem_local_op_ld.sum l1tex__t_requests_pipe_lsu_mem_local_op_st.sum'
ncu --query-metrics >"$tmp/known" 2>/dev/null
metrics=
for m in $wanted; do
    if grep -q "^${m%.sum} " "$tmp/known"; then
        metrics=$metrics${metrics:+,}$m
    else
        echo "no metric $m" >>"$out/device.txt"
    fi
done

if nvcc -Isrc -Xptxas -O0 -arch=sm_90 -c -o "$tmp/w.o" tests/gpu/wavefronts.cu 2>"$out/wavefronts.txt" &&
    cc -std=gnu11 -O2 -Isrc -c src/obs/count.c -o "$tmp/count.o" &&
    nvcc -o "$tmp/wavefronts" "$tmp/w.o" "$tmp/count.o" >>"$out/wavefronts.txt" 2>&1; then
    "$tmp/wavefronts" >"$tmp/said"
    ncu --clock-control none --csv --metrics l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum \
        "$tmp/wavefronts" >"$tmp/w.csv" 2>&1
    sed -n 's/.*wavefronts_mem_shared_op_ld.sum.*"\([0-9]*\)"$/\1/p' "$tmp/w.csv" >"$tmp/measured"
    paste "$tmp/measured" "$tmp/said" >"$out/wavefronts.txt"
fi

cc -Isrc -o "$tmp/profile" tests/gpu/profile.c src/dev/gpu/driver.c src/base/err.c -ldl || exit 1
for compiler in nvcc clang; do
    "$tmp/profile" tests/h100/$compiler >"$out/results-$compiler.txt" 2>&1
    # several times: warps in each other's way add passes now and then, the fewest are the rule's
    for i in 1 2 3 4 5; do
        ncu --clock-control none --csv --metrics "$metrics" "$tmp/profile" tests/h100/$compiler 2>&1
    done >"$out/ncu-$compiler.csv"
done
rm -rf "$tmp"
