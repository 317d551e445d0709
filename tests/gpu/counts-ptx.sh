#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# tests/h100/counts/*.ptx: what nvcc makes of tests/counts/*.cu, with each file's launch line
# first. An H100's counts in tests/h100/counts.txt belong to these very instructions: after
# this, tests/gpu/counts.sh has to be run again on such a machine.
#
#     tests/gpu/counts-ptx.sh [NAME...]       all kernels, or those named
set -u
top=$(cd "$(dirname "$0")/../.." && pwd)
cd "$top/tests/counts" || exit 1
mkdir -p ../h100/counts
test $# -gt 0 || set -- *.cu
for name; do
    name=${name%.cu} made=../h100/counts/${name%.cu}.ptx
    case $name in
    copy_async* | mbarrier_*) arch=sm_80 ;;
    bulk_*) arch=sm_90 ;;
    *) arch=sm_75 ;;
    esac
    nvcc -ptx -arch="$arch" -O3 -o "$made.new" "$name.cu" || { rm -f "$made.new"; exit 1; }
    { grep '^// launch ' "$name.cu"; cat "$made.new"; } >"$made" || exit 1
    rm -f "$made.new"
done
