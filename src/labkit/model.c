/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The formulas of the model.
 */
#include "labkit/model.h"

#include "labkit/props.h"
#include "labkit/shape.h"

uint64_t model_memory_mb_s(const struct device_props *p)
{
    return (uint64_t)(peak_gb_s(p) * 1000 + 0.5);
}

/* A chip that shares its memory with the CPU copies within that memory: it reads and writes it. */
uint64_t model_link_mb_s(const struct device_props *p)
{
    return p->integrated == 1 ? (uint64_t)(peak_gb_s(p) / 2 * 1000 + 0.5) : device_link_mb_s(p);
}

/* n * by / of, where n * by may need more than 64 bits. */
static uint64_t times(uint64_t n, uint64_t by, uint64_t of)
{
    return n / of * by + n % of * by / of;
}

uint64_t model_ps(uint64_t bytes, uint64_t mb_s)
{
    return mb_s ? times(bytes, 1000000, mb_s) : 0;
}

uint64_t model_issue_ps(uint64_t blocks, uint64_t instructions, const struct device_props *p)
{
    const struct capability *c = capability_of(p->major, p->minor);
    const uint64_t schedulers = c && c->partitions > 0 ? (uint64_t)c->partitions : 1;
    const uint64_t khz = p->clock_khz > 0 ? (uint64_t)p->clock_khz : 1000000;
    const uint64_t sms = p->multiprocessors > 0 ? (uint64_t)p->multiprocessors : 1;
    return times(divide_up(blocks, sms) * instructions / schedulers, 1000000000, khz);
}
