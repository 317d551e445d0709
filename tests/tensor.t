# SPDX-License-Identifier: GPL-3.0-or-later
#
# Tensor cores with mma.h, the toolkit's or ours for clang, as students use them. The products are
# equal to those of plain arithmetic. Checkers see what a warp loads and stores. A missing lane is a
# fault. tests/unit/tiles.c compares all bits of results, and tests/own/wmma.cu has other types.
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"
by=auto arches='80 90' wavefronts=32
test "$KERNELS_BY" = nvcc || by=clang arches=80 wavefronts=48
can_load $by || skip_all 'there is no compiler of CUDA C'

cp "$top_srcdir/tests/data/tensor.cu" "$tmp"
cd "$tmp" || exit 99
by="set compiler $by"
begin='load tensor.cu; array a __half 1024; array b __half 1024; array c f32 1024; array d f32 1024'
begin="$begin; launch small_numbers<<<4, 256>>>(a); launch small_numbers<<<4, 256>>>(b)"

for arch in $arches; do
    say "$by; set arch $arch; $begin; launch matmul<<<(2,2), 32>>>(a, b, c, 32)
         launch plain<<<(2,2), (16,16)>>>(a, b, d, 32); save c c.raw; save d d.raw"
    status_is 0 "a product of 32 x 32, compiled for $arch"
    ok 'is that of plain arithmetic' cmp c.raw d.raw
    ok 'and not all zeros' test "$(tr -d '\0' <c.raw | wc -c)" -gt 100
done

cp "$top_srcdir/tests/data/tensor-80.cu" .
say "$by"'; set arch 80; load tensor-80.cu; array c f32 256; array d f64 64; array wrong i32 3 zero
     launch by_bfloat16<<<1, 32>>>(c); launch compare_floats<<<1, 256>>>(c, wrong)
     launch by_tf32<<<1, 32>>>(c); launch compare_floats<<<1, 256>>>(c, wrong)
     launch by_double<<<1, 32>>>(d); launch compare_doubles<<<1, 64>>>(d, wrong); print wrong'
status_is 0 'products of bfloat16, tf32 and double'
out_like '^ *0: +0 +0 +0$' 'are those of plain arithmetic'

say "$by; set device sim:t4; $begin; launch matmul<<<1, 32>>>(a, b, c, 16)"
status_is 0 'a card of 7.5 has tensor cores for halves'
say "$by; set device sim:gtx970; $begin; launch matmul<<<1, 32>>>(a, b, c, 16)"
err_has 'needs compute capability 7.0' 'an older card has none'

say "$by; $begin; launch shared_tile<<<1, 64>>>(a, c)"
status_is 0 'a barrier before the loads of a shared tile'
say "$by; $begin; launch no_barrier<<<1, 64>>>(a, c)"
out_has 'race-shared' 'without it there is a race'
out_has '__syncthreads()' 'with its cure'
say "$by; load tensor.cu; array a __half 256; array c f32 1024
     launch matmul<<<1, 32>>>(a, a, c, 16) --check all"
out_has 'uninitialized' 'a matrix that nobody has written'
say "$by; $begin; launch half_a_warp<<<1, 32>>>(a, c)"
out_has 'invalid-shuffle' 'half of a warp loads a matrix'
out_has 'lanes 16 to' 'the lanes that miss are named'
say "$by; $begin; launch off_by_one<<<1, 32>>>(a, c)"
out_has 'misaligned' 'a matrix that does not begin at a multiple of 4 bytes'
say "$by; $begin; launch matmul<<<(3,2), 32>>>(a, b, c, 32)"
out_has 'out-of-bounds' 'a tile past the end'

say_json "$by; $begin; launch shared_tile<<<1, 64>>>(a, c)"
json_is 9:.counters.barriers 2 'counters: a barrier for each warp'
# As on an H100 (tests/counts/matrix_load.cu), loads by rows have wavefronts but no requests. clang
# makes loads from generic addresses, which don't go by rows.
is "$("$JSONGET" 9:.counters.shared_load_requests <"$out") $(
    "$JSONGET" 9:.counters.shared_load_wavefronts <"$out") $(
    "$JSONGET" 9:.counters.global_store_requests <"$out")" "0 $wavefronts 8" \
    'and loads and stores of matrices'
say "$by"'; load tensor.cu; ptx tensor.cu:matmul --explain'
out_has 'tiles of matrices' 'ptx --explain has words for a product'
done_testing
