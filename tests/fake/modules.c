/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Modules and the linker of the libcuda for tests. PTX that calls CUDA's device runtime loads only
 * after linking it with a library. Of what was linked, the driver finds only visible variables.
 */
#include "fake.h"

/* The state whose product lies there; NULL: what lies there is PTX. */
static struct link *link_of(const void *image)
{
    for (unsigned i = 0; i < fake.link_count; i++)
        if (fake.links[i].text && fake.links[i].text == image)
            return &fake.links[i];
    return NULL;
}

static struct link *state_at(void *state)
{
    struct link *l = state;
    return l >= fake.links && l < fake.links + fake.link_count && !l->destroyed ? l : NULL;
}

int cuLinkCreate_v2(unsigned count, int *options, void **values, void **made)
{
    if (fake.link_count == sizeof fake.links / sizeof fake.links[0])
        return DRIVER_OUT_OF_MEMORY;
    struct link *l = &fake.links[fake.link_count++];
    for (unsigned i = 0; i + 1 < count; i++)
        if (options[i] == JIT_ERROR_LOG && options[i + 1] == JIT_ERROR_LOG_BYTES) {
            l->log = values[i];
            l->log_bytes = (size_t)(uintptr_t)values[i + 1];
        }
    note("FAKE_LINKS", 'C');
    *made = l;
    return state();
}

int cuLinkAddData_v2(void *at, int type, void *data, size_t bytes, const char *name,
                     unsigned count, int *options, void **values)
{
    struct link *l = state_at(at);
    (void)options;
    (void)values;
    note("FAKE_LINKS", 'D');
    if (!l || l->text || type != INPUT_PTX || !name || count || bytes != strlen(data) + 1)
        return DRIVER_INVALID_VALUE;
    l->text = malloc(bytes);
    if (!l->text)
        return DRIVER_OUT_OF_MEMORY;
    memcpy(l->text, data, bytes);
    return state();
}

int cuLinkAddFile_v2(void *at, int type, const char *path, unsigned count, int *options,
                     void **values)
{
    struct link *l = state_at(at);
    char begin[8] = "";
    FILE *f = fopen(path, "r");
    (void)options;
    (void)values;
    note("FAKE_LINKS", 'F');
    if (!f)
        return 301;
    size_t n = fread(begin, 1, sizeof begin, f);
    fclose(f);
    if (!l || !l->text || type != INPUT_LIBRARY || count)
        return DRIVER_INVALID_VALUE;
    if (n < sizeof begin || memcmp(begin, "!<arch>\n", sizeof begin) != 0)
        return DRIVER_INVALID_IMAGE;
    l->has_library = 1;
    return state();
}

int cuLinkComplete(void *at, void **cubin, size_t *bytes)
{
    struct link *l = state_at(at);
    note("FAKE_LINKS", 'M');
    if (!l || !l->text || !l->has_library)
        return DRIVER_INVALID_VALUE;
    if (is("unlinked")) {
        if (l->log)
            snprintf(l->log, l->log_bytes, "error   : Undefined reference to 'nowhere' in "
                                           "'kernels.ptx'\n");
        return DRIVER_INVALID_IMAGE;
    }
    l->complete = 1;
    *cubin = l->text;
    *bytes = strlen(l->text);
    return state();
}

int cuLinkDestroy(void *at)
{
    struct link *l = state_at(at);
    note("FAKE_LINKS", 'O');
    if (!l)
        return DRIVER_INVALID_VALUE;
    l->destroyed = 1; /* the text is still asked for which variables are visible */
    return state();
}

/* Is the variable visible in what was linked? */
static int is_visible(const char *text, const char *name)
{
    const size_t n = strlen(name);
    for (const char *end; *text; text = *end ? end + 1 : end) {
        end = text + strcspn(text, "\n");
        const char *at = strstr(text, name);
        if (strncmp(text, ".visible .", 10) == 0 && at && at < end && at[-1] == ' ' &&
            strchr(";[ =", at[n]))
            return 1;
    }
    return 0;
}

/* What a driver says of PTX that calls a function which is nowhere. */
static int calls_nowhere(const char *text, unsigned count, const int *options, void **values)
{
    if (!strstr(text, "__cudaCDP2"))
        return 0;
    for (unsigned i = 0; i + 1 < count; i++)
        if (options[i] == JIT_ERROR_LOG)
            snprintf(values[i], (size_t)(uintptr_t)values[i + 1],
                     "ptxas fatal   : Unresolved extern function '__cudaCDP2LaunchDeviceV2'\n");
    return 1;
}

int cuModuleLoadDataEx(void **module, const void *image, unsigned count, int *options,
                       void **values)
{
    struct link *l = link_of(image);
    if (l)
        note("FAKE_LINKS", 'L');
    if (l ? !l->complete || l->destroyed : calls_nowhere(image, count, options, values))
        return l ? DRIVER_INVALID_IMAGE : DRIVER_INVALID_PTX;
    if (is("refuse")) {
        for (unsigned i = 0; i + 1 < count; i++)
            if (options[i] == JIT_ERROR_LOG)
                snprintf(values[i], (size_t)(uintptr_t)values[i + 1],
                         "ptxas application ptx input, line 3; error   : Not this one\n");
        return DRIVER_INVALID_PTX;
    }
    *module = sim_module_load(fake.sim, "k.ptx", image, strlen(image));
    if (l)
        l->module = *module;
    for (unsigned i = 0; !*module && i + 1 < count; i++)
        if (options[i] == JIT_ERROR_LOG)
            snprintf(values[i], (size_t)(uintptr_t)values[i + 1], "line %d; error: %s\n",
                     sim_message_line(fake.sim), sim_message(fake.sim));
    return *module ? state() : DRIVER_INVALID_PTX;
}

int cuModuleUnload(void *module)
{
    for (unsigned i = 0; i < fake.link_count; i++)
        if (fake.links[i].module == module)
            fake.links[i].module = NULL;
    sim_module_unload(fake.sim, module);
    return state();
}

int cuModuleGetFunction(void **function, void *module, const char *name)
{
    *function = (void *)(uintptr_t)sim_kernel_find(module, name);
    return *function ? state() : 500;
}

int cuModuleGetGlobal_v2(uint64_t *address, size_t *bytes, void *module, const char *name)
{
    for (unsigned i = 0; i < fake.link_count; i++)
        if (fake.links[i].module == module && !is_visible(fake.links[i].text, name))
            return 500;
    for (size_t i = 0; i < sim_variable_count(module); i++) {
        const struct sim_variable *v = sim_variable_at(module, i);
        if (strcmp(v->name, name) == 0) {
            *address = v->address;
            *bytes = v->size;
            return state();
        }
    }
    return 500;
}

int cuFuncGetAttribute(int *value, int attribute, void *function)
{
    const struct sim_kernel *k = function;
    *value = attribute == FUNCTION_REGISTERS ? 16
             : attribute == FUNCTION_LOCAL   ? (int)k->local_bytes
             : attribute == FUNCTION_SHARED  ? (int)k->static_shared
                                             : 1024;
    return state();
}

/* By threads and places alone: the kernels asked for here have few registers. */
int cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, void *function, int threads,
                                                size_t dynamic_shared)
{
    const struct sim_kernel *k = function;
    size_t shared = (k->static_shared + dynamic_shared + 255) / 256 * 256;
    *blocks = 32 / ((threads + 31) / 32);
    *blocks = *blocks < 16 ? *blocks : 16;
    if (shared && 65536 / shared < (size_t)*blocks)
        *blocks = (int)(65536 / shared);
    return state();
}

int cuFuncSetAttribute(void *function, int attribute, int value)
{
    (void)function;
    if (attribute == FUNCTION_MAX_DYNAMIC_SHARED)
        fake.dynamic = (unsigned)value;
    return state();
}
