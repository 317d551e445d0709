/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * NVRTC: a program compiles CUDA C++ while it runs. The compiler is where cudalab is. It gets the
 * text, the headers and the options in one request, and leaves the log, the PTX, the cubin and the
 * names of the kernels that were asked for.
 */
#include "run/client/client.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum nvrtcResult {
#define NVRTC_RESULT(number, name) name = number,
#include "run/client/nvrtc-errors.def"
#undef NVRTC_RESULT
};
typedef enum nvrtcResult nvrtcResult;

/* Texts one behind the other, each with its NUL. */
struct texts { char *at; size_t bytes; unsigned count; bool failed; };

struct nvrtc_piece { const char *at; size_t bytes; };

typedef struct _nvrtcProgram {
    struct texts source, headers, expressions; /* the source: its name, and the text */
    bool is_compiled;
    char *left;
    struct nvrtc_piece log, ptx, cubin, names;
} *nvrtcProgram;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of what a request leaves */

static void add_text(struct texts *t, const char *text)
{
    const size_t n = strlen(text) + 1;
    char *grown = t->failed ? NULL : realloc(t->at, t->bytes + n);
    t->failed = !grown;
    if (!grown)
        return;
    t->at = grown;
    memcpy(grown + t->bytes, text, n);
    t->bytes += n;
    t->count++;
}

static void add_texts(struct texts *t, const struct texts *more)
{
    const char *at = more->at;
    for (unsigned i = 0; i < more->count; i++, at += strlen(at) + 1)
        add_text(t, at);
}

static nvrtcResult failed(const char *name, nvrtcResult result)
{
    return (nvrtcResult)run_failed(name, (cudaError_t)result);
}

static void free_program(nvrtcProgram p)
{
    free(p->source.at);
    free(p->headers.at);
    free(p->expressions.at);
    free(p->left);
    free(p);
}

/* ---- programs -------------------------------------------------------------------------- */

API nvrtcResult nvrtcCreateProgram(nvrtcProgram *out, const char *source, const char *name,
                                   int count, const char *const *headers, const char *const *names)
{
    if (!out)
        return failed(__func__, NVRTC_ERROR_INVALID_PROGRAM);
    if (!source || count < 0 || (count && (!headers || !names)))
        return failed(__func__, NVRTC_ERROR_INVALID_INPUT);
    nvrtcProgram p = calloc(1, sizeof *p);
    if (!p)
        return failed(__func__, NVRTC_ERROR_OUT_OF_MEMORY);
    add_text(&p->source, name && *name ? name : "default_program");
    add_text(&p->source, source);
    for (int i = 0; i < count; i++) {
        add_text(&p->headers, names[i]);
        add_text(&p->headers, headers[i]);
    }
    if (p->source.failed || p->headers.failed) {
        free_program(p);
        return failed(__func__, NVRTC_ERROR_OUT_OF_MEMORY);
    }
    *out = p;
    return NVRTC_SUCCESS;
}

API nvrtcResult nvrtcDestroyProgram(nvrtcProgram *p)
{
    if (!p || !*p)
        return failed(__func__, NVRTC_ERROR_INVALID_PROGRAM);
    free_program(*p);
    *p = NULL;
    return NVRTC_SUCCESS;
}

API nvrtcResult nvrtcAddNameExpression(nvrtcProgram p, const char *expression)
{
    if (!p || !expression)
        return failed(__func__, p ? NVRTC_ERROR_INVALID_INPUT : NVRTC_ERROR_INVALID_PROGRAM);
    if (p->is_compiled)
        return failed(__func__, NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION);
    add_text(&p->expressions, expression);
    return p->expressions.failed ? failed(__func__, NVRTC_ERROR_OUT_OF_MEMORY) : NVRTC_SUCCESS;
}

/* ---- compiling ------------------------------------------------------------------------- */

static struct nvrtc_piece next_piece(const char **at, uint64_t bytes)
{
    const struct nvrtc_piece p = {*at, (size_t)bytes};
    *at += bytes;
    return p;
}

/* The answer's numbers: the result, and the bytes of all pieces, and of each. */
static nvrtcResult take(nvrtcProgram p, const struct run_message *m)
{
    const size_t n = (size_t)m->number[1];
    struct run_message left = {.what = RUN_LEFT};
    free(p->left);
    p->left = calloc(1, n + 1);
    const char *at = p->left;
    if (!at || (n && run_ask(&left, NULL, 0, p->left, n) != cudaSuccess))
        return NVRTC_ERROR_OUT_OF_MEMORY;
    p->log = next_piece(&at, m->number[2]);
    p->ptx = next_piece(&at, m->number[3]);
    p->cubin = next_piece(&at, m->number[4]);
    p->names = next_piece(&at, m->number[5]);
    return (nvrtcResult)m->number[0];
}

API nvrtcResult nvrtcCompileProgram(nvrtcProgram p, int count, const char *const *options)
{
    if (!p || count < 0 || (count && !options))
        return failed(__func__, p ? NVRTC_ERROR_INVALID_INPUT : NVRTC_ERROR_INVALID_PROGRAM);
    struct texts all = {0};
    add_texts(&all, &p->source);
    for (int i = 0; i < count; i++)
        add_text(&all, options[i]);
    add_texts(&all, &p->headers);
    add_texts(&all, &p->expressions);
    struct run_message m = REQUEST(COMPILE, (uint64_t)count, p->headers.count / 2,
                                   p->expressions.count);
    nvrtcResult result = NVRTC_ERROR_OUT_OF_MEMORY;
    pthread_mutex_lock(&lock);
    if (!all.failed)
        result = run_ask(&m, all.at, all.bytes, NULL, 0) == cudaSuccess
                     ? take(p, &m) : NVRTC_ERROR_INTERNAL_ERROR;
    pthread_mutex_unlock(&lock);
    free(all.at);
    p->is_compiled = true;
    return result ? failed(__func__, result) : NVRTC_SUCCESS;
}

/* ---- what came of it ------------------------------------------------------------------- */

static nvrtcResult size_of(const char *name, nvrtcProgram p, const struct nvrtc_piece *piece,
                           size_t *out)
{
    if (!p || !out)
        return failed(name, p ? NVRTC_ERROR_INVALID_INPUT : NVRTC_ERROR_INVALID_PROGRAM);
    *out = piece->bytes;
    return NVRTC_SUCCESS;
}

static nvrtcResult bytes_of(const char *name, nvrtcProgram p, const struct nvrtc_piece *piece,
                            char *out)
{
    if (!p || !out)
        return failed(name, p ? NVRTC_ERROR_INVALID_INPUT : NVRTC_ERROR_INVALID_PROGRAM);
    memcpy(out, piece->at ? piece->at : "", piece->bytes);
    return NVRTC_SUCCESS;
}

API nvrtcResult nvrtcGetPTXSize(nvrtcProgram p, size_t *out)
{
    return p && !p->ptx.bytes ? failed(__func__, NVRTC_ERROR_INVALID_PROGRAM)
                              : size_of(__func__, p, &p->ptx, out);
}

API nvrtcResult nvrtcGetPTX(nvrtcProgram p, char *out)
{
    return p && !p->ptx.bytes ? failed(__func__, NVRTC_ERROR_INVALID_PROGRAM)
                              : bytes_of(__func__, p, &p->ptx, out);
}

API nvrtcResult nvrtcGetCUBINSize(nvrtcProgram p, size_t *out)
{
    return size_of(__func__, p, &p->cubin, out);
}

API nvrtcResult nvrtcGetCUBIN(nvrtcProgram p, char *out)
{
    return bytes_of(__func__, p, &p->cubin, out);
}

/* Who reads the log has looked at the error. */
API nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram p, size_t *out)
{
    run_looked_at((cudaError_t)NVRTC_ERROR_COMPILATION);
    return size_of(__func__, p, &p->log, out);
}

API nvrtcResult nvrtcGetProgramLog(nvrtcProgram p, char *out)
{
    return bytes_of(__func__, p, &p->log, out);
}

API nvrtcResult nvrtcGetLoweredName(nvrtcProgram p, const char *expression, const char **out)
{
    if (!p || !expression || !out)
        return failed(__func__, p ? NVRTC_ERROR_INVALID_INPUT : NVRTC_ERROR_INVALID_PROGRAM);
    if (!p->is_compiled)
        return failed(__func__, NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION);
    const char *asked = p->expressions.at, *name = p->names.at, *end = name + p->names.bytes;
    for (unsigned i = 0; i < p->expressions.count && name < end; i++) {
        if (strcmp(asked, expression) == 0) {
            *out = name;
            return NVRTC_SUCCESS;
        }
        asked += strlen(asked) + 1;
        name += strlen(name) + 1;
    }
    return failed(__func__, NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID);
}

#define LACKING(name) \
    API nvrtcResult name(void) { return (nvrtcResult)run_lacking(#name); }
LACKING(nvrtcGetLTOIRSize)
LACKING(nvrtcGetLTOIR)
LACKING(nvrtcGetOptiXIRSize)
LACKING(nvrtcGetOptiXIR)
LACKING(nvrtcGetPCHCreateStatus)
LACKING(nvrtcGetPCHHeapSize)
LACKING(nvrtcGetPCHHeapSizeRequired)
LACKING(nvrtcSetPCHHeapSize)
LACKING(nvrtcSetFlowCallback)
#undef LACKING

/* ---- the library ----------------------------------------------------------------------- */

API const char *nvrtcGetErrorString(nvrtcResult result)
{
    static const struct { nvrtcResult number; const char *name; } known[] = {
#define NVRTC_RESULT(number, name) {name, #name},
#include "run/client/nvrtc-errors.def"
#undef NVRTC_RESULT
    };
    run_looked_at((cudaError_t)result);
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (known[i].number == result)
            return known[i].name;
    return "NVRTC_ERROR unknown";
}

/* What the compiler is, which does not change. */
static struct { pthread_mutex_t lock; bool known; int major, minor, count, archs[64]; } compiler =
    {.lock = PTHREAD_MUTEX_INITIALIZER};

static bool ask_compiler(void)
{
    struct run_message m = {.what = RUN_COMPILER};
    pthread_mutex_lock(&compiler.lock);
    if (!compiler.known &&
        run_ask(&m, NULL, 0, compiler.archs, sizeof compiler.archs) == cudaSuccess) {
        compiler.known = true;
        compiler.major = (int)m.number[0];
        compiler.minor = (int)m.number[1];
        compiler.count = (int)m.number[2];
    }
    pthread_mutex_unlock(&compiler.lock);
    return compiler.known;
}

API nvrtcResult nvrtcVersion(int *major, int *minor)
{
    if (!major || !minor)
        return failed(__func__, NVRTC_ERROR_INVALID_INPUT);
    if (!ask_compiler())
        return failed(__func__, NVRTC_ERROR_INTERNAL_ERROR);
    *major = compiler.major;
    *minor = compiler.minor;
    return NVRTC_SUCCESS;
}

API nvrtcResult nvrtcGetNumSupportedArchs(int *count)
{
    if (!count || !ask_compiler())
        return failed(__func__, count ? NVRTC_ERROR_INTERNAL_ERROR : NVRTC_ERROR_INVALID_INPUT);
    *count = compiler.count;
    return NVRTC_SUCCESS;
}

API nvrtcResult nvrtcGetSupportedArchs(int *out)
{
    if (!out || !ask_compiler())
        return failed(__func__, out ? NVRTC_ERROR_INTERNAL_ERROR : NVRTC_ERROR_INVALID_INPUT);
    memcpy(out, compiler.archs, (size_t)compiler.count * sizeof *out);
    return NVRTC_SUCCESS;
}
