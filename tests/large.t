# SPDX-License-Identifier: GPL-3.0-or-later
#
# Large arrays on a GPU, on tests/fake/libcuda.so.1. The card fills them with the bytes that the host
# would make. An array is fetched only when a launch has changed it, or when somebody reads it.
# After a fault all arrays have the bytes that they had before.
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"
any_kernels
with_fake_gpu libcuda.so.1

FAKE_OWN=$tmp/own FAKE_FETCHES=$tmp/fetches
export FAKE_OWN FAKE_FETCHES
: >"$FAKE_OWN"
cat >"$tmp/k.ptx" <<'END'
.version 7.0
.target sm_75
.address_size 64

// One thread reads the first element of a, and adds 1 to it where `write` is not 0.
.visible .entry touch(.param .u64 a, .param .u64 out, .param .u32 write)
{
	.reg .pred %p;
	.reg .b32 %r<3>;
	.reg .b64 %rd<3>;
	ld.param.u64 %rd0, [a];
	ld.param.u64 %rd1, [out];
	ld.param.u32 %r0, [write];
	cvta.to.global.u64 %rd0, %rd0;
	cvta.to.global.u64 %rd1, %rd1;
	ld.global.u32 %r1, [%rd0];
	st.global.u32 [%rd1], %r1;
	setp.eq.u32 %p, %r0, 0;
	@%p ret;
	add.u32 %r1, %r1, 1;
	st.global.u32 [%rd0], %r1;
	ret;
}

// One thread exchanges element i and the one before it.
.visible .entry swap(.param .u64 a, .param .u64 i)
{
	.reg .b32 %r<2>;
	.reg .b64 %rd<2>;
	ld.param.u64 %rd0, [a];
	ld.param.u64 %rd1, [i];
	cvta.to.global.u64 %rd0, %rd0;
	shl.b64 %rd1, %rd1, 2;
	add.u64 %rd0, %rd0, %rd1;
	ld.global.u32 %r0, [%rd0];
	ld.global.u32 %r1, [%rd0+-4];
	st.global.u32 [%rd0], %r1;
	st.global.u32 [%rd0+-4], %r0;
	ret;
}

// A store far outside of all arrays.
.visible .entry wild()
{
	.reg .b64 %rd<1>;
	mov.u64 %rd0, 16;
	st.global.u32 [%rd0], 1;
	ret;
}
END

# count LETTER FILE: how many are in the file, which is empty from then on
count() {
    tr -cd "$1" <"$2" | wc -c | tr -d ' '
    : >"$2"
}

# ---- filled on the card -------------------------------------------------------------------

# filled TYPE N FILL: are the bytes the same on both devices? And how often the card filled it.
filled() {
    for device in sim gpu; do
        (cd "$tmp" && say "array a $1 $2 $3; save a $device.bin" --device $device)
    done
    cmp "$tmp/sim.bin" "$tmp/gpu.bin" && count f "$FAKE_OWN"
}
while read -r type n fill; do
    is "$(filled "$type" "$n" "$fill")" 1 "$type $fill: filled on the card, with the same bytes"
done <<'END'
f32 8388700 random
f32 8388700 random:1:1.0000002
f64 4200000 random:-1e300:1e300
u8 33554500 random
i16 16800000 random:-300:300
i64 4200000 random:-9e18:9e18
u64 4200000 random:0:18446744073709551615
f32 8388700 iota
u16 16800000 iota
f64 4200000 value:-2.5
END
is "$(filled f32 8388700 list:1,2)" 0 'a list is made by the host'
is "$(filled bf16 16800000 random)" 0 'and so are floats of 16 bits'
is "$(filled f32 1000 random)" 0 'and small arrays'
rm -f "$tmp"/*.bin

# ---- fetched only when needed -------------------------------------------------------------

: >"$FAKE_FETCHES"
say "load $tmp/k.ptx; array a u32 8388700 iota; array out u32 1; launch touch<<<1,1>>>(a, out, 0)
launch touch<<<1,1>>>(a, out, 0); print out" --device gpu
status_is 0 'launches that only read a large array'
is "$(count . "$FAKE_FETCHES")" 0 'which is never fetched'
say "load $tmp/k.ptx; array a u32 8388700 iota; array out u32 1; launch touch<<<1,1>>>(a, out, 1)
launch touch<<<1,1>>>(a, out, 1); print out; print a[0..3]" --device gpu
out_has '0:  1' 'each launch finds what the last one left'
out_has '0:  2  1  2  3' 'and so does the host'
is "$(count . "$FAKE_FETCHES")" 16 'it is fetched before the next launch, and when it is read'
say "load $tmp/k.ptx; array a u32 8388700 list:5,6; array out u32 1; fill a[1] value:9
launch touch<<<1,1>>>(a, out, 0); launch touch<<<1,1>>>(a, out, 0); print a[0..3]" --device gpu
out_has '0:  5  9  5  6' 'bytes of the host'
is "$(count . "$FAKE_FETCHES")" 0 'are not fetched again'

# A change that is not noticed would be gone after the next fault: then the card fills the array
# again. The last of these elements is not in a whole word of 8 bytes.
for i in 1 2 3 1000000 2097155 2097156; do
    say "load $tmp/k.ptx; array a u32 2097157 iota; launch swap<<<1,1>>>(a, $i); launch wild<<<1,1>>>()
array b u32 2097157 iota; compare a b" --device gpu
    out_has '2 of 2,097,157 elements differ' "elements $((i - 1)) and $i were exchanged"
done
say "load $tmp/k.ptx; array a u32 2097157 iota; launch swap<<<1,1>>>(a, 5); launch swap<<<1,1>>>(a, 5)
launch wild<<<1,1>>>(); array b u32 2097157 iota; compare a b" --device gpu
out_has 'all 2,097,157 elements agree' 'and back'

# ---- after a fault ------------------------------------------------------------------------

say "load $tmp/k.ptx; array a u32 8388700 iota; array out u32 1; launch wild<<<1,1>>>()
print a[8388690..8388693]; launch touch<<<1,1>>>(a, out, 1); print a[0..1]; fill a[1] value:7
launch wild<<<1,1>>>(); print a[0..2]" --device gpu
err_has 'out-of-bounds' 'a fault ends the process'
out_has '8388690  8388691' 'an array that the card filled is filled again'
out_has '0:  1  1' 'a launch changes it'
out_has '0:  1  7  2' 'then its bytes are those of before the next fault'
done_testing
