/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * CUDA had these names once, or other parameters for them. Courses and books still show them, and
 * the compiler only says that it doesn't know them. A table says what to write instead. Comments
 * and strings are skipped; the text of a #define is read.
 */
#include "cc/host.h"

#include <string.h>

enum where {
    BEFORE_PAREN, /* only where a ( follows is it the old name; */
    BEFORE_ANGLE, /* only where a < does; */
    FIELD,        /* only after . or ->, as of cudaDeviceProp; */
    CALL,         /* a function of the runtime that its headers don't have any more */
    PLACE,        /* a function that takes a place in memory now, if the compiler says so */
    NAMED,        /* only if the compiler speaks of it, as of a name that others have too */
    ANYWHERE
};

struct old_name {
    const char *old;
    enum where where;
    const char *now;
};

#define WARP "the _sync form, with the mask of the lanes that take part: "
#define ATTRIBUTE(name) "cudaDeviceGetAttribute(&value, cudaDevAttr" name ", device)"
#define HOST_PLACE "; for the host {cudaMemLocationTypeHost, 0}"

static const struct old_name table[] = {
    {"__shfl", BEFORE_PAREN, WARP "__shfl_sync(0xffffffff, value, lane)"},
    {"__shfl_up", BEFORE_PAREN, WARP "__shfl_up_sync(0xffffffff, value, delta)"},
    {"__shfl_down", BEFORE_PAREN, WARP "__shfl_down_sync(0xffffffff, value, delta)"},
    {"__shfl_xor", BEFORE_PAREN, WARP "__shfl_xor_sync(0xffffffff, value, mask)"},
    {"__all", BEFORE_PAREN, WARP "__all_sync(0xffffffff, test)"},
    {"__any", BEFORE_PAREN, WARP "__any_sync(0xffffffff, test)"},
    {"__ballot", BEFORE_PAREN, WARP "__ballot_sync(0xffffffff, test)"},
    {"texture", BEFORE_ANGLE, "a cudaTextureObject_t, passed to the kernel as a parameter"},
    {"surface", BEFORE_ANGLE, "a cudaSurfaceObject_t, passed to the kernel as a parameter"},
    {"cudaBindTexture", CALL, "cudaCreateTextureObject"},
    {"cudaBindTexture2D", CALL, "cudaCreateTextureObject"},
    {"cudaBindTextureToArray", CALL, "cudaCreateTextureObject"},
    {"cudaUnbindTexture", CALL, "cudaDestroyTextureObject"},
    {"cudaBindSurfaceToArray", CALL, "cudaCreateSurfaceObject"},
    {"cudaGetTextureReference", CALL, "cudaCreateTextureObject"},
    {"cudaThreadSynchronize", CALL, "cudaDeviceSynchronize"},
    {"cudaThreadExit", CALL, "cudaDeviceReset"},
    {"cudaThreadSetLimit", CALL, "cudaDeviceSetLimit"},
    {"cudaThreadGetLimit", CALL, "cudaDeviceGetLimit"},
    {"cudaThreadSetCacheConfig", CALL, "cudaDeviceSetCacheConfig"},
    {"cudaThreadGetCacheConfig", CALL, "cudaDeviceGetCacheConfig"},
    {"cudaConfigureCall", CALL, "kernel<<<grid, block>>>(...) or cudaLaunchKernel"},
    {"cudaSetupArgument", CALL, "kernel<<<grid, block>>>(...) or cudaLaunchKernel"},
    {"cudaLaunch", CALL, "kernel<<<grid, block>>>(...) or cudaLaunchKernel"},
    {"cudaGetTextureAlignmentOffset", CALL, "cudaCreateTextureObject"},
    {"cudaLaunchCooperativeKernelMultiDevice", CALL, "cudaLaunchCooperativeKernel, one per device"},
    {"cudaSetDoubleForDevice", CALL, "nothing: every device has double now"},
    {"cudaSetDoubleForHost", CALL, "nothing: every device has double now"},
    {"clockRate", FIELD, ATTRIBUTE("ClockRate")},
    {"memoryClockRate", FIELD, ATTRIBUTE("MemoryClockRate")},
    {"deviceOverlap", FIELD, "asyncEngineCount"},
    {"kernelExecTimeoutEnabled", FIELD, ATTRIBUTE("KernelExecTimeout")},
    {"computeMode", FIELD, ATTRIBUTE("ComputeMode")},
    {"singleToDoublePrecisionPerfRatio", FIELD, ATTRIBUTE("SingleToDoublePrecisionPerfRatio")},
    {"maxTexture1DLinear", FIELD, "cudaDeviceGetTexture1DLinearMaxWidth"},
    {"cudaMemPrefetchAsync", PLACE,
     "cudaMemPrefetchAsync(p, bytes, {cudaMemLocationTypeDevice, device}, 0, stream)" HOST_PLACE},
    {"cudaMemAdvise", PLACE,
     "cudaMemAdvise(p, bytes, advice, {cudaMemLocationTypeDevice, device})" HOST_PLACE},
    {"unary_function", NAMED, "no base class: a functor needs none"},
    {"binary_function", NAMED, "no base class: a functor needs none"},
    {"cuPrintf", ANYWHERE, "printf"},
    {"CUDA_SAFE_CALL", ANYWHERE, "a check of what each call returns, with cudaGetErrorString"},
    {"cutilSafeCall", ANYWHERE, "a check of what each call returns, with cudaGetErrorString"},
};

enum { COUNT = sizeof table / sizeof *table };

/* ---- in a text ---------------------------------------------------------------------------- */

/* Gives the character after a word and blanks. 0: there is none. */
static char follows(const struct token *word, const char *end)
{
    const char *at = word->at + word->length;
    while (at < end && (*at == ' ' || *at == '\t'))
        at++;
    return at < end ? *at : '\0';
}

static bool stands_right(enum where where, const struct token *before, char after)
{
    switch (where) {
    case BEFORE_PAREN: return after == '(';
    case BEFORE_ANGLE: return after == '<';
    case FIELD: return token_is(before, ".") || token_is(before, "->");
    default: return true;
    }
}

static const struct old_name *named(const struct token *before, const struct token *word,
                                    const char *end)
{
    for (size_t i = 0; i < COUNT; i++)
        if (token_is(word, table[i].old) &&
            stands_right(table[i].where, before, follows(word, end)))
            return &table[i];
    return NULL;
}

bool old_name_is_gone(const struct token *before, const struct token *word)
{
    const struct old_name *o = named(before, word, word->at + word->length);
    return o && (o->where == FIELD || o->where == CALL);
}

struct telling {
    const char *path;
    struct buf *out;
    size_t said; /* bytes of `out` that are the compiler's */
    bool told[COUNT];
};

/* Does the compiler itself speak of the name? It shows lines of the program too, but puts names of
 * its own between quotation marks. */
static bool is_said(const struct telling *t, const char *name)
{
    const char *at = buf_text(t->out), *end = at + t->said;
    const size_t n = strlen(name);
    while ((at = strstr(at, name)) && at < end) {
        at += n;
        if (*at == '"' || *at == '\'')
            return true;
    }
    return false;
}

static void tell_word(struct telling *t, const struct token *before, const struct token *word,
                      const char *end)
{
    const struct old_name *o = named(before, word, end);
    if (!o || t->told[o - table] || (o->where == PLACE && !is_said(t, "cudaMemLocation")) ||
        (o->where == NAMED && !is_said(t, o->old)))
        return;
    t->told[o - table] = true;
    buf_printf(t->out, "%s:%d: ", t->path, word->line);
    buf_printf(t->out, o->where == PLACE ? "`%s` has other parameters now; write %s\n"
                                         : "CUDA has no `%s` any more; write %s\n",
               o->old, o->now);
}

static void tell_all(struct telling *t, struct token_reader from)
{
    struct token each, before = {.length = 0};
    for (; token_next(&from, &each); before = each) {
        struct token_reader rest;
        if (each.kind == TOKEN_WORD) {
            tell_word(t, &before, &each, from.end);
        } else if (each.kind == TOKEN_DIRECTIVE) {
            token_directive(&each, &rest);
            tell_all(t, rest);
        }
    }
}

void old_names(const char *path, const char *text, size_t n, struct buf *out)
{
    struct telling t = {.path = path, .out = out, .said = out->len};
    tell_all(&t, tokens_of(text, n));
}
