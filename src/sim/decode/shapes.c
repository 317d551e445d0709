/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which instructions are more than a line of the table, and the decoders of those by which
 * lanes talk to lanes: shuffles, votes, barriers. Each decoder turns one PTX instruction into
 * the raw instructions that do it. shapes-memory.c and shapes-call.c have the others.
 */
#include "sim/decode/decode.h"
#include "sim/warp.h"

#include <stdio.h>
#include <string.h>

const struct ptx_operand *arg(const struct decoder *d, unsigned i)
{
    static const struct ptx_operand none = {.kind = PTX_OP_SINK};
    return i < d->from->operand_count ? &d->from->operands[i] : &none;
}

int wants(struct decoder *d, unsigned least)
{
    if (d->from->operand_count >= least)
        return 0;
    close_function(d, "%s has too few operands", d->from->opcode);
    return -1;
}

/* ---- lanes --------------------------------------------------------------------------- */

static int decode_shfl(struct decoder *d, const struct op_tokens *t)
{
    static const char *const modes[] = {"up", "down", "bfly", "idx"};
    bool sync = has_token(t, "sync");
    if (wants(d, sync ? 5 : 4) < 0)
        return 0;
    uint32_t a = source(d, arg(d, 1), SIM_B32), b = source(d, arg(d, 2), SIM_B32);
    uint32_t c = source(d, arg(d, 3), SIM_B32);
    uint32_t mask = sync ? source(d, arg(d, 4), SIM_B32) : constant_row(d, ALL_LANES, 4, false);
    uint32_t pair = arg(d, 0)->pair ? predicate(d, arg(d, 0)->pair, NULL, 0) : 0;
    uint32_t to = result(d, arg(d, 0), 4);
    struct raw *r = emit(d, "*shfl");
    r->in.a = a, r->in.b = b, r->in.c = c, r->in.offset = mask, r->in.d = to, r->in.e = pair;
    for (unsigned i = 0; i < 4; i++)
        if (has_token(t, modes[i]))
            r->in.type = (uint8_t)i;
    return 0;
}

static int decode_vote(struct decoder *d, const struct op_tokens *t)
{
    static const char *const modes[] = {"all", "any", "uni", "ballot"};
    unsigned mode = 4;
    uint8_t flags = 0;
    for (unsigned i = 0; i < 4; i++)
        if (has_token(t, modes[i]))
            mode = i;
    if (mode == 4 || wants(d, has_token(t, "sync") ? 3 : 2) < 0)
        return unsupported(d);
    need(d, has_token(t, "sync") ? 30 : 0);
    uint32_t p = predicate(d, arg(d, 1), &flags, INSN_FLIP_A);
    uint32_t mask =
        has_token(t, "sync") ? source(d, arg(d, 2), SIM_B32) : constant_row(d, ALL_LANES, 4, false);
    uint32_t to = mode == 3 ? result(d, arg(d, 0), 4) : predicate(d, arg(d, 0), NULL, 0);
    struct raw *r = emit(d, "*vote");
    r->in.type = (uint8_t)mode, r->in.a = p, r->in.b = mask, r->in.d = to, r->in.flags = flags;
    return 0;
}

static int decode_activemask(struct decoder *d, const struct op_tokens *t)
{
    (void)t;
    uint32_t to = result(d, arg(d, 0), 4);
    emit(d, "*activemask")->in.d = to;
    return 0;
}

/* match, redux and elect: d|p, a value, the mask of lanes that must all come. */
static int decode_match(struct decoder *d, const struct op_tokens *t)
{
    const char *type = t->word[t->count - 1];
    unsigned bytes = sim_type_size((enum sim_type)ptx_type_named(type, strlen(type)));
    if (wants(d, 3) < 0 || (bytes != 4 && bytes != 8))
        return unsupported(d);
    uint32_t a = source(d, arg(d, 1), bytes == 4 ? SIM_B32 : SIM_B64);
    uint32_t mask = source(d, arg(d, 2), SIM_B32), to = result(d, arg(d, 0), 4);
    uint32_t pair = arg(d, 0)->pair ? predicate(d, arg(d, 0)->pair, NULL, 0) : 0;
    struct raw *r = emit(d, has_token(t, "all") ? "*match.all" : "*match.any");
    r->in.a = a, r->in.b = mask, r->in.d = to, r->in.e = pair, r->in.bytes = (uint8_t)bytes;
    return 0;
}

static int decode_redux(struct decoder *d, const struct op_tokens *t)
{
    char name[48];
    if (wants(d, 3) < 0)
        return 0;
    snprintf(name, sizeof name, "*redux.%s.%s", t->count == 4 ? t->word[2] : "?",
             t->word[t->count - 1]);
    if (!ops_find(d->m->sim, name))
        return unsupported(d);
    uint32_t a = source(d, arg(d, 1), SIM_B32), mask = source(d, arg(d, 2), SIM_B32);
    uint32_t to = result(d, arg(d, 0), 4);
    struct raw *r = emit(d, name);
    r->in.a = a, r->in.b = mask, r->in.d = to;
    return 0;
}

static int decode_elect(struct decoder *d, const struct op_tokens *t)
{
    (void)t;
    if (wants(d, 2) < 0)
        return 0;
    uint32_t mask = source(d, arg(d, 1), SIM_B32);
    uint32_t to = arg(d, 0)->kind == PTX_OP_SINK ? 0 : result(d, arg(d, 0), 4);
    uint32_t pair = arg(d, 0)->pair ? predicate(d, arg(d, 0)->pair, NULL, 0) : 0;
    struct raw *r = emit(d, "*elect");
    r->in.b = mask, r->in.d = to, r->in.e = pair;
    return 0;
}

/* ---- barriers ------------------------------------------------------------------------ */

/* barrier.cluster.arrive and .wait: in what order others see memory is the same for all forms. */
static int decode_cluster(struct decoder *d, const struct op_tokens *t)
{
    bool arrive = has_token(t, "arrive");
    if (arrive == has_token(t, "wait"))
        return unsupported(d);
    emit(d, arrive ? "*cluster.arrive" : "*cluster.wait");
    return 0;
}

/* bar.sync a{, b}; bar.arrive a, b; bar.red.popc d, a{, b}, p; bar.red.and and .or p, a{, b}, q */
static int decode_bar(struct decoder *d, const struct op_tokens *t)
{
    static const char *const forms[] = {"sync", "popc", "and", "or", "arrive"};
    unsigned form = 0, count = d->from->operand_count;
    uint8_t flags = 0;
    if (has_token(t, "warp")) { /* needs nothing: lanes that never part have nothing to wait for */
        uint32_t mask = source(d, arg(d, 0), SIM_B32);
        emit(d, "*warpsync")->in.a = mask;
        return 0;
    }
    if (has_token(t, "cluster"))
        return decode_cluster(d, t);
    while (form < 5 && !has_token(t, forms[form]))
        form++;
    bool red = form >= BARRIER_POPC && form <= BARRIER_OR;
    if (form == 5)
        return unsupported(d);
    if (wants(d, red ? 3 : form == BARRIER_ARRIVE ? 2 : 1) < 0)
        return 0;
    uint32_t number = source(d, arg(d, red), SIM_B32), threads = 0, p = 0, to = 0;
    if (red ? count > 3 : count > 1)
        threads = source(d, arg(d, red + 1u), SIM_B32);
    d->writes = red;
    if (red) {
        p = predicate(d, arg(d, count - 1), &flags, INSN_FLIP_C);
        to = form == BARRIER_POPC ? result(d, arg(d, 0), 4) : predicate(d, arg(d, 0), NULL, 0);
    }
    struct raw *r = emit(d, "*barrier");
    r->in.a = number, r->in.b = threads, r->in.c = p, r->in.d = to;
    r->in.type = (uint8_t)form, r->in.flags = flags;
    return 0;
}

/* A proxy fence orders accesses that reach memory in different ways. Here all accesses reach memory
 * in the same way, so such a fence does nothing. Observers are told of those for asynchronous
 * copies: fence.proxy.async{.global, .shared::cta, .shared::cluster} and .async::generic. */
static int decode_proxy_fence(struct decoder *d, const struct op_tokens *t)
{
    const bool one_way = has_token(t, "async::generic");
    if (!one_way && !has_token(t, "async")) {
        emit(d, "*nop");
        return 0;
    }
    const enum sim_space space = one_way || t->count < 4           ? SIM_GENERIC
                                 : same_word(t->word[3], "global") ? SIM_GLOBAL
                                                                   : SIM_SHARED;
    emit(d, "*fence.proxy")->in.space = (uint8_t)space;
    return 0;
}

static int decode_fence(struct decoder *d, const struct op_tokens *t)
{
    const bool proxy = has_token(t, "proxy");
    need(d, has_token(t, "mbarrier_init") || (proxy && !has_token(t, "alias")) ? 90 : 0);
    if (proxy)
        return decode_proxy_fence(d, t);
    d->now->order = SIM_ACQ_REL;
    for (unsigned i = 1; i < t->count; i++)
        decode_scope(d, t->word[i]);
    emit(d, "*fence");
    return 0;
}

/* Prefetches, waits and advice change no value here. */
static int decode_nothing(struct decoder *d, const struct op_tokens *t)
{
    (void)t;
    emit(d, "*nop");
    return 0;
}

static int decode_sleep(struct decoder *d, const struct op_tokens *t)
{
    (void)t;
    emit(d, "*yield");
    return 0;
}

/* Instructions that the simulator will never have. The message says why. */
static int decode_closed(struct decoder *d, const struct op_tokens *t)
{
    (void)t;
    return lacks(d, "unsupported instruction %s: it works on the memory of several GPUs",
                 d->from->opcode);
}

/* ---- which decoder ------------------------------------------------------------------- */

static const struct instruction_shape shapes[] = {
    {"ld", decode_load, true, 0},                   {"ldu", decode_load, true, 0},
    {"st", decode_store, false, 0},                 {"atom", decode_atomic, true, 0},
    {"red", decode_atomic, false, 0},               {"isspacep", decode_isspacep, true, 0},
    {"cp", decode_copy, false, 80},                {"cvta", decode_cvta, true, 0},
    {"shfl", decode_shfl, true, 0},                 {"vote", decode_vote, true, 0},
    {"activemask", decode_activemask, true, 0},     {"bar", decode_bar, false, 0},
    {"barrier", decode_bar, false, 30},             {"match", decode_match, true, 0},
    {"redux", decode_redux, true, 0},               {"elect", decode_elect, true, 0},
    {"griddepcontrol", decode_nothing, false, 90},  {"membar", decode_fence, false, 0},
    {"fence", decode_fence, false, 0},              {"prefetch", decode_nothing, false, 0},
    {"prefetchu", decode_nothing, false, 0},        {"nanosleep", decode_sleep, false, 0},
    {"pmevent", decode_nothing, false, 0},          {"discard", decode_nothing, false, 80},
    {"applypriority", decode_nothing, false, 80},   {"setmaxnreg", decode_nothing, false, 90},
    {"brx", decode_brx, false, 0},                  {"mapa", decode_mapa, true, 0},
    {"getctarank", decode_mapa, true, 0},          {"alloca", decode_stack, true, 0},
    {"stacksave", decode_stack, true, 0},           {"stackrestore", decode_stack, false, 0},
    {"createpolicy", decode_policy, true, 80},      {"bra", decode_bra, false, 0},
    {"ret", decode_exit, false, 0},                 {"exit", decode_exit, false, 0},
    {"trap", decode_trap, false, 0},                {"brkpt", decode_trap, false, 0},
    {"call", decode_call, false, 0},                {"mov", decode_mov, true, 0},
    {"tex", decode_texture, true, 0},               {"tld4", decode_texture, true, 0},
    {"txq", decode_image_query, true, 0},           {"suq", decode_image_query, true, 0},
    {"suld", decode_surface, true, 0},              {"sust", decode_surface, false, 0},
    {"sured", decode_surface_reduction, false, 0},  {"istypep", decode_istypep, true, 0},
    {"multimem", decode_closed, false, 90},
    {"mma", decode_mma, true, 0},                   {"wmma", decode_wmma, true, 0},
    {"ldmatrix", decode_ldmatrix, true, 0},         {"stmatrix", decode_ldmatrix, false, 0},
    {"movmatrix", decode_movmatrix, true, 0},
    {"mbarrier", decode_mbarrier, true, 80},
};

const struct instruction_shape *shape_named(const char *opcode)
{
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        if (same_word(shapes[i].name, opcode))
            return &shapes[i];
    return NULL;
}
