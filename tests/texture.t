# SPDX-License-Identifier: GPL-3.0-or-later
#
# texture(...) and surface(...) as arguments of a launch: what is read, what is refused, and the
# same on a GPU. What lies between texels is for tests/ptx/textures.ptx.
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"

# at: out[i] = t(x0 + i * step, 1.5); row: the same of one dimension, whole numbers; put: i to s
cat >"$tmp/k.ptx" <<'PTX'
.version 6.4
.target sm_70
.address_size 64
.visible .entry at(.param .u64 t, .param .u64 out, .param .f32 x0, .param .f32 step)
{
    .reg .b64 %t, %o, %w;
    .reg .b32 %n;
    .reg .f32 %f<4>, %x, %s, %i;
    ld.param.u64 %t, [t];
    ld.param.u64 %o, [out];
    ld.param.f32 %x, [x0];
    ld.param.f32 %s, [step];
    mov.u32 %n, %tid.x;
    cvt.rn.f32.u32 %i, %n;
    fma.rn.f32 %x, %i, %s, %x;
    tex.2d.v4.f32.f32 {%f0, %f1, %f2, %f3}, [%t, {%x, 0f3FC00000}];
    mul.wide.u32 %w, %n, 4;
    add.u64 %o, %o, %w;
    st.global.f32 [%o], %f0;
    ret;
}
.visible .entry row(.param .u64 t, .param .u64 out)
{
    .reg .b64 %t, %o, %w;
    .reg .b32 %n, %r<4>;
    ld.param.u64 %t, [t];
    ld.param.u64 %o, [out];
    mov.u32 %n, %tid.x;
    tex.1d.v4.s32.s32 {%r0, %r1, %r2, %r3}, [%t, {%n}];
    mul.wide.u32 %w, %n, 4;
    add.u64 %o, %o, %w;
    st.global.u32 [%o], %r1;
    ret;
}
.visible .entry put(.param .u64 s)
{
    .reg .b64 %s;
    .reg .b32 %n, %z;
    .reg .f32 %f;
    ld.param.u64 %s, [s];
    mov.u32 %n, %tid.x;
    mov.b32 %z, 2;
    cvt.rn.f32.u32 %f, %n;
    shl.b32 %n, %n, 2;
    sust.b.a1d.b32.trap [%s, {%z, %n}], {%f};
    ret;
}
PTX
begin="load $tmp/k.ptx; array a f32 4x4 iota; array b i32 16 iota; array out f32 4; array w i32 4"

# launched CALL [ARGUMENT...]: the launch, then what is in out, w and the first rows of a
launched() {
    call=$1
    shift
    say "$begin; launch $call; print out; print w; print a" "$@"
}

reads() { # on DEVICE
    launched 'at<<<1,4>>>(texture(a), out, 0.5, 1)' --device "$1"
    status_is 0 "$1: a texture of an array with a shape"
    out_has '0:  4  5  6  7' "$1: has that shape, is read at points, in texels"
    launched 'at<<<1,4>>>(texture(a, linear), out, 0.5, 0.25)' --device "$1"
    out_like '0: +4 +4.25 +4.5 +4.75' "$1: a linear one is read between them"
    launched 'at<<<1,4>>>(texture(a, 2x8), out, 6.5, 1)' --device "$1"
    out_has '0:  14  15  15  15' "$1: a shape that is typed goes before, the edge goes on"
    launched 'at<<<1,4>>>(texture(a, 2x8, border), out, 6.5, 1)' --device "$1"
    out_has '0:  14  15   0   0' "$1: or the border is 0"
    launched 'at<<<1,4>>>(texture(a, wrap, normalized), out, 0.125, 0.5)' --device "$1"
    out_like '0: +8 +10 +8 +10' "$1: normalized ones go round"
    launched 'row<<<1,4>>>(texture(b, x2), w)' --device "$1"
    out_has '0:  1  3  5  7' "$1: two elements a texel"
    launched 'put<<<1,4>>>(surface(a, 4x4, layered))' --device "$1"
    out_like '2: +0 +1 +2 +3' "$1: a surface is written to, its array has it"
}
reads sim
fake=$top_builddir/tests/fake
if test -f "$fake/libcuda.so.1"; then
    LD_LIBRARY_PATH=$fake
    export LD_LIBRARY_PATH
    reads gpu
    unset LD_LIBRARY_PATH
else
    skip 'the libcuda for tests is not built' 'the same on a GPU'
fi

say_json "$begin; launch row<<<1,4>>>(texture(b, x2), w)"
out_has '"texture_requests":1,' 'a texture read is counted'

refused() { # refused CALL WORDS NAME
    launched "$1"
    status_is 1 "$3"
    err_has "$2" 'and it says why'
}
refused 'at<<<1,4>>>(texture(a, lineer), out, 0, 1)' 'did you mean linear?' 'a word that is none'
refused 'at<<<1,4>>>(texture(c), out, 0, 1)' 'there is no array' 'an array that is not there'
refused 'at<<<1,4>>>(texture(a, 8x8), out, 0, 1)' 'has 16 elements' 'a shape that is too big'
refused 'row<<<1,4>>>(texture(b, linear), w)' 'between integers' 'a linear one of integers'
refused 'put<<<1,4>>>(surface(a, wrap))' 'has no property' 'a surface that wraps'
refused 'at<<<1,4>>>(texture(a), out, texture(a), 1)' 'is not a texture object' 'one for a number'
launched 'row<<<1,4>>>(texture(b, array), w)'
err_has 'tex1Dfetch does, which is for linear memory' 'an array is not fetched from'
launched 'put<<<1,5>>>(surface(a, 4x4, layered))'
err_has 'out-of-bounds' 'a store beyond the edge is a fault'
out_like '2: +8 +9 +10 +11' 'and changes nothing'

# What looks along each axis, and a corner between three faces; then the same of layer 1.
cat >"$tmp/cube.cu" <<'CU'
__constant__ float way[7][3] = {{1, 0, 0},  {-1, 0, 0}, {0, 1, 0}, {0, -1, 0},
                                {0, 0, 1},  {0, 0, -1}, {.5f, .25f, 0}};
__global__ void look(cudaTextureObject_t t, float *out)
{
    float *w = way[threadIdx.x];
    out[threadIdx.x] = texCubemap<float>(t, w[0], w[1], w[2]);
}
__global__ void look_layer(cudaTextureObject_t t, float *out)
{
    float *w = way[threadIdx.x];
    out[threadIdx.x] = texCubemapLayered<float>(t, w[0], w[1], w[2], 1);
}
CU
if can_load; then
    say "load $tmp/cube.cu; array a f32 12x2x2 iota; array out f32 7; fill out zero
launch look<<<1,7>>>(texture(a, 6x2x2, cubemap), out); print out
launch look_layer<<<1,7>>>(texture(a, 12x2x2, cubemap, layered), out); print out"
    out_like '0: +3 +7 +11 +15 +19 +23 +1' 'a cubemap: six faces'
    out_like '0: +27 +31 +35 +39 +43 +47 +25' 'a layered one: its second six'
    for shape in 6x2x1 5x2x2 12x2x2 24; do
        say "load $tmp/cube.cu; array a f32 12x2x2; array out f32 7
launch look<<<1,7>>>(texture(a, $shape, cubemap), out)"
        err_has 'a cubemap has six square faces' "a cubemap of $shape is refused"
    done
else
    skip 'there is no compiler here' 'cubemaps'
fi

cat >"$tmp/c.cu" <<'CU'
#include <cuda_runtime.h>
__global__ void all(cudaTextureObject_t row, cudaTextureObject_t line, cudaTextureObject_t t,
                    cudaSurfaceObject_t s, float *out)
{
    int i = threadIdx.x;
    float4 v = tex2D<float4>(t, i + 0.5f, 1.0f);
    float w;
    tex1D(&w, line, 2.5f);
    out[i] = tex1Dfetch<float>(row, i) + v.x + v.w + w + tex2DLod<float>(t, i, 0, 0) +
             tex2Dgather<float4>(t, 1.5f, 1.5f, 0).x;
    surf2Dwrite<float>(out[i], s, i * 4, 0);
    surf2Dwrite(make_float2(1, 2), s, i * 8, 1, cudaBoundaryModeZero);
    out[i] += surf2Dread<float>(s, i * 4, 1, cudaBoundaryModeClamp);
}
CU
cat >"$tmp/f.cu" <<'CU'
struct Images { int n; cudaTextureObject_t in[2]; cudaSurfaceObject_t to; };
__global__ void all(Images p)
{
    int i = threadIdx.x;
    float v = tex2D<float>(p.in[0], i, 1) + tex1Dfetch<float>(p.in[1], p.n);
    surf2Dwrite<float>(v, p.to, i * 4, 3);
}
CU
fields_on() { # fields_on DEVICE: textures and a surface as fields of a struct
    say "load $tmp/f.cu; array a f32 4x4 iota; array b f32 4 iota; array c f32 4x4 zero
launch all<<<1,4>>>({3, {texture(a), texture(b)}, surface(c)}); print c" --device "$1"
    out_like '3: +7 +8 +9 +10' "$1: textures and a surface in a struct"
    say "load $tmp/f.cu; array a f32 4x4; launch all<<<1,4>>>({texture(a), {null, null}, null})" \
        --device "$1"
    err_has 'field `n`, is not a texture object' "$1: a texture for a number in a struct"
}
if can_load; then
    fields_on sim
    LD_LIBRARY_PATH=$fake
    export LD_LIBRARY_PATH
    test ! -f "$fake/libcuda.so.1" || fields_on gpu
    unset LD_LIBRARY_PATH
else
    skip 'there is no compiler here' 'textures in structs'
fi

for compiler in nvrtc nvcc clang; do
    if can_load $compiler; then
        say "set compiler $compiler; load $tmp/c.cu; array a f32 4x4 iota; array b f32 4x4
array out f32 4
launch all<<<1,4>>>(texture(a, 16), texture(a, 16, array), texture(a), surface(b), out)
print out; print b"
        out_has '0:  16  20  22  26' "$compiler has the functions of textures"
        out_like '1: +1 +2 +1 +2' "$compiler has those of surfaces"
    else
        skip "there is no $compiler here" "$compiler has textures and surfaces"
    fi
done
done_testing
