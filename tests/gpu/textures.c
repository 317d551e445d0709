/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a GPU gives for each case of textures.h, a line each, for tests/h100/textures.txt: the
 * case, and the hash of what its kernel left; or that the driver refuses it, and with what.
 *
 *     cc -Isrc -o textures tests/gpu/textures.c src/dev/gpu/driver.c src/base/buf.c src/base/mem.c \
 *        src/base/err.c -ldl
 *     ./textures > tests/h100/textures.txt
 *
 * With a folder as argument, the bytes of each result go to a file there, named by the case's
 * number: `tests/unit/textures FOLDER` tells how the simulator's differ.
 */
#include "card.h"
#include "textures.h"

#include <unistd.h>

/* Bytes of a row in pitched memory: any multiple of what a card wants. */
enum { PITCH = 512 };

struct run {
    struct thread threads[COUNT];
    unsigned char image[1 << 18], left[1 << 18];
    uint64_t in, out, memory, handle; /* memory: of an image that is no array */
    void *array, *module;
    const char *failed; /* the first call that did, and with what */
    int status;
};

static void start(bool say)
{
    int device = card_open(), version;
    char name[100];
    check(cu.cuDeviceGetName(name, sizeof name, device), "cuDeviceGetName");
    check(cu.cuDriverGetVersion(&version), "cuDriverGetVersion");
    if (say)
        printf("# What a GPU gives for each case of tests/gpu/textures.h, as a hash of all\n"
               "# results, by tests/gpu/textures.c: %s, driver for CUDA %d.%d.\n",
               name, version / 1000, version % 1000 / 10);
}

/* One call of a case: once one failed, no other is made, and status says nothing. */
static bool good(struct run *r, int status, const char *what)
{
    if (status && !r->failed) {
        r->failed = what;
        r->status = status;
    }
    return !status;
}
#define TRY(r, f, ...) good(r, (r)->failed ? -1 : cu.f(__VA_ARGS__), #f)

/* ---- images ------------------------------------------------------------------------------ */

static const int formats[] = {FORMAT_U8,  FORMAT_S8,  FORMAT_U16, FORMAT_S16,
                              FORMAT_U32, FORMAT_S32, FORMAT_F16, FORMAT_F32};

/* Of a cube map and of layers, depth counts slices. */
static struct image_storage storage_of(const struct access_case *c)
{
    const struct sim_image *i = &c->texture.image;
    unsigned slices = (i->kind == SIM_IMAGE_CUBE ? 6 : 1) * (i->layers ? i->layers : 1);
    bool sliced = i->kind == SIM_IMAGE_CUBE || i->layers;
    unsigned flags = (i->layers ? IMAGE_LAYERED : 0) |
                     (i->kind == SIM_IMAGE_CUBE ? IMAGE_CUBEMAP : 0) |
                     (c->edge ? IMAGE_SURFACE : 0) | (c->verb == GATHER ? IMAGE_GATHER : 0);
    return (struct image_storage){.width = i->width,
                                  .height = i->kind == SIM_IMAGE_1D ? 0 : i->height,
                                  .depth = sliced ? slices : i->depth,
                                  .format = formats[i->channel],
                                  .channels = i->channels,
                                  .flags = flags};
}

/* The whole image, between the array and the host. */
static void copy_image(struct run *r, const struct access_case *c, bool to_array)
{
    struct image_storage s = storage_of(c);
    struct copy_side array = {.memory = MEMORY_OF_IMAGE, .image = r->array};
    struct copy_side host = {.memory = MEMORY_OF_HOST,
                             .host = to_array ? r->image : r->left,
                             .pitch = s.width * c->texel_bytes,
                             .height = s.height ? s.height : 1};
    struct copy_box box = {to_array ? host : array, to_array ? array : host,
                           s.width * c->texel_bytes, s.height ? s.height : 1,
                           s.depth ? s.depth : 1};
    TRY(r, cuMemcpy3DAsync_v2, &box, NULL);
    TRY(r, cuStreamSynchronize, NULL);
}

static struct image_source make_array(struct run *r, const struct access_case *c)
{
    struct image_storage s = storage_of(c);
    struct image_source source = {.type = SOURCE_IMAGE};
    if (TRY(r, cuArray3DCreate_v2, &r->array, &s))
        copy_image(r, c, true);
    source.of.image = r->array;
    return source;
}

static struct image_source make_memory(struct run *r, const struct access_case *c)
{
    const struct sim_image *i = &c->texture.image;
    size_t row = (size_t)i->width * c->texel_bytes, rows = i->height ? i->height : 1;
    struct image_source source = {.type = c->pitched ? SOURCE_PITCHED : SOURCE_MEMORY};
    TRY(r, cuMemAlloc_v2, &r->memory, PITCH * rows);
    for (size_t y = 0; y < rows; y++)
        TRY(r, cuMemcpyHtoD_v2, r->memory + y * PITCH, r->image + y * row, row);
    if (c->pitched) {
        source.of.pitched.address = r->memory;
        source.of.pitched.format = formats[i->channel];
        source.of.pitched.channels = i->channels;
        source.of.pitched.width = i->width;
        source.of.pitched.height = i->height;
        source.of.pitched.pitch = PITCH;
    } else {
        source.of.memory.address = r->memory;
        source.of.memory.format = formats[i->channel];
        source.of.memory.channels = i->channels;
        source.of.memory.bytes = row;
    }
    return source;
}

static void make_object(struct run *r, const struct access_case *c)
{
    const struct sim_texture *t = &c->texture;
    struct image_reading reading = {.linear = t->linear};
    struct image_source source =
        c->linear_memory || c->pitched ? make_memory(r, c) : make_array(r, c);
    bool integers = t->image.channel < SIM_CHANNEL_F16 && !t->as_float;
    for (unsigned a = 0; a < 3; a++)
        reading.beyond[a] = (int)t->beyond[a];
    reading.flags = (integers ? READING_INTEGERS : 0) | (t->normalized ? READING_NORMALIZED : 0);
    if (c->edge)
        TRY(r, cuSurfObjectCreate, &r->handle, &source);
    else
        TRY(r, cuTexObjectCreate, &r->handle, &source, &reading, NULL);
}

/* ---- a case ------------------------------------------------------------------------------ */

static void run_kernel(struct run *r, const struct access_case *c)
{
    struct buf ptx = {0};
    void *function;
    uint32_t count = case_threads(c);
    void *params[] = {&r->handle, &r->in, &r->out, &count};
    case_ptx(&ptx, c);
    TRY(r, cuModuleLoadDataEx, &r->module, buf_text(&ptx), 0, NULL, NULL);
    TRY(r, cuModuleGetFunction, &function, r->module, "k");
    TRY(r, cuMemcpyHtoD_v2, r->in, r->threads, sizeof r->threads);
    TRY(r, cuMemsetD8_v2, r->out, 0, sizeof r->left);
    TRY(r, cuLaunchKernel, function, BLOCKS, 1, 1, THREADS, 1, 1, 0, NULL, params, NULL);
    TRY(r, cuStreamSynchronize, NULL);
    buf_free(&ptx);
}

static void clean_up(struct run *r, const struct access_case *c)
{
    if (r->handle)
        c->edge ? cu.cuSurfObjectDestroy(r->handle) : cu.cuTexObjectDestroy(r->handle);
    if (r->array)
        cu.cuArrayDestroy(r->array);
    if (r->memory)
        cu.cuMemFree_v2(r->memory);
    if (r->module)
        cu.cuModuleUnload(r->module);
}

static void keep_bytes(const char *folder, unsigned number, const struct run *r, size_t bytes)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%03u", folder, number);
    FILE *file = fopen(path, "wb");
    check(!file || fwrite(r->left, 1, bytes, file) != bytes || fclose(file) != 0, path);
}

static void one_case(struct run *r, const struct access_case *c, unsigned number,
                     const char *folder)
{
    r->handle = r->memory = 0;
    r->array = r->module = NULL;
    r->failed = NULL;
    image_fill(c, r->image);
    threads_fill(c, r->threads);
    if (!r->in)
        TRY(r, cuMemAlloc_v2, &r->in, sizeof r->threads);
    if (!r->out)
        TRY(r, cuMemAlloc_v2, &r->out, sizeof r->left);
    make_object(r, c);
    run_kernel(r, c);
    if (c->verb == STORE)
        copy_image(r, c, false);
    else
        TRY(r, cuMemcpyDtoH_v2, r->left, r->out, result_bytes(c));
    if (r->failed)
        printf("%s: refused %s %d\n", cases[number], r->failed, r->status);
    else
        printf("%s: %016llx\n", cases[number], (unsigned long long)result_hash(c, r->left));
    if (!r->failed && folder)
        keep_bytes(folder, number, r, result_bytes(c));
    fflush(stdout);
    clean_up(r, c);
}

/* A kernel that faults ruins the context for all that follow: these are a new process's. */
static void go_on_anew(char **argv, const char *folder, unsigned next)
{
    char number[16];
    snprintf(number, sizeof number, "%u", next);
    char *again[] = {argv[0], (char *)(uintptr_t)(folder ? folder : "-"), number, NULL};
    execv("/proc/self/exe", again);
    check(1, "execv");
}

int main(int argc, char **argv)
{
    static struct run r;
    const char *folder = argc > 1 && strcmp(argv[1], "-") != 0 ? argv[1] : NULL;
    unsigned first = argc > 2 ? (unsigned)atoi(argv[2]) : 0;
    start(first == 0);
    for (unsigned n = first; n < CASES; n++) {
        struct access_case c;
        if (!case_read(cases[n], &c)) {
            printf("%s: not understood\n", cases[n]);
            continue;
        }
        one_case(&r, &c, n, folder);
        if (cu.cuStreamSynchronize(NULL) != 0)
            go_on_anew(argv, folder, n + 1);
    }
    return 0;
}
