/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Decodes the video instructions: vadd, vsub, vabsdiff, vmin, vmax, vshl, vshr, vmad and vset.
 * Some, such as vadd2, vset4 and vavrg2, do the same for two halves or four bytes at once. The
 * words after the opcode and the parts of registers (%r1.b0, %r1.h32) become a struct video.
 * video.c runs it.
 */
#include "sim/decode/decode.h"
#include "sim/exec/video.h"

#include <string.h>

enum { WHOLE = 5 << VIDEO_WIDTH_SHIFT };

static const struct word_number video_ops[] = {
    {"vadd", VIDEO_ADD},         {"vsub", VIDEO_SUB}, {"vabsdiff", VIDEO_ABSDIFF},
    {"vmin", VIDEO_MIN},         {"vmax", VIDEO_MAX}, {"vavrg", VIDEO_AVRG},
    {"vshl", VIDEO_SHL},         {"vshr", VIDEO_SHR}, {"vmad", VIDEO_MAD},
    {"vset", VIDEO_SET},         {NULL, 0}};

/* ---- the opcode ------------------------------------------------------------------------ */

static bool take_operation(const char *word, struct video *x)
{
    char stem[16];
    size_t n = strlen(word);
    if (n < 4 || n >= sizeof stem)
        return false;
    const bool many = word[n - 1] == '2' || word[n - 1] == '4';
    x->count = many ? (uint32_t)(word[n - 1] - '0') & 7u : 1;
    memcpy(stem, word, n + 1);
    stem[n - many] = '\0';
    const int op = number_of_word(video_ops, stem);
    const bool alone = op == VIDEO_SHL || op == VIDEO_SHR || op == VIDEO_MAD;
    x->op = (uint32_t)op & 15u;
    return op >= 0 && !(many && alone) && (many || op != VIDEO_AVRG);
}

/* Reads the types of the result, of a and of b. vset has no type for its result. */
static bool take_types(const struct op_tokens *t, struct video *x, unsigned *next)
{
    bool is_signed[3] = {false, false, false};
    const unsigned first = x->op == VIDEO_SET;
    for (unsigned k = first; k < 3; k++, ++*next) {
        const char *w = *next < t->count ? t->word[*next] : "";
        is_signed[k] = same_word(w, "s32");
        if (!is_signed[k] && !same_word(w, "u32"))
            return false;
    }
    x->d_signed = is_signed[0], x->a_signed = is_signed[1], x->b_signed = is_signed[2];
    return !(is_signed[2] && (x->op == VIDEO_SHL || x->op == VIDEO_SHR));
}

static bool take_word(const char *w, struct video *x)
{
    static const struct word_number compares[] = {
        {"eq", VIDEO_EQ}, {"ne", VIDEO_NE}, {"lt", VIDEO_LT}, {"le", VIDEO_LE},
        {"gt", VIDEO_GT}, {"ge", VIDEO_GE}, {NULL, 0}};
    static const struct word_number seconds[] = {
        {"add", VIDEO_THEN_ADD}, {"min", VIDEO_THEN_MIN}, {"max", VIDEO_THEN_MAX}, {NULL, 0}};
    static const struct word_number shifts[] = {{"shr7", 7}, {"shr15", 15}, {NULL, 0}};
    const bool shift = x->op == VIDEO_SHL || x->op == VIDEO_SHR, mad = x->op == VIDEO_MAD;
    const int compare = number_of_word(compares, w), second = number_of_word(seconds, w);
    const int by = number_of_word(shifts, w);
    if (compare >= 0 && x->op == VIDEO_SET)
        x->compare = (uint32_t)compare & 7u;
    else if (second >= 0 && !mad && (x->count == 1 || second == VIDEO_THEN_ADD))
        x->second = (uint32_t)second & 7u;
    else if (by >= 0 && mad)
        x->shift = (uint32_t)by & 15u;
    else if (same_word(w, "sat") && x->op != VIDEO_SET)
        x->saturates = true;
    else if (same_word(w, "po") && mad)
        x->plus_one = true;
    else if ((same_word(w, "wrap") || same_word(w, "clamp")) && shift)
        x->wraps = w[0] == 'w';
    else
        return false;
    return true;
}

/* ---- parts of registers ---------------------------------------------------------------- */

/* The part of a register that .b0 to .b3, .h0 or .h1 names. Without a name it is the whole
 * register. -1: the name is wrong. */
static int part_named(const char *component)
{
    if (!component)
        return WHOLE;
    const bool byte = component[0] == 'b';
    if (!byte && component[0] != 'h')
        return -1;
    const int at = component[1] - '0';
    if (at < 0 || at >= (byte ? 4 : 2) || component[2])
        return -1;
    return byte ? at * 8 | 3 << VIDEO_WIDTH_SHIFT : at * 16 | 4 << VIDEO_WIDTH_SHIFT;
}

/* Reads .h32 or .b7520: which part of a or b each result uses. The digits begin with the highest
 * result. Parts of b have higher digits than parts of a. -1: the name is wrong. */
static int choices_named(const struct video *x, const char *component, bool of_b)
{
    int choices = 0;
    if (!component) {
        for (unsigned k = 0; k < x->count; k++)
            choices |= (int)(k + of_b * x->count) << 3 * k;
        return choices;
    }
    if (component[0] != (x->count == 2 ? 'h' : 'b') || strlen(component) != (size_t)x->count + 1)
        return -1;
    for (unsigned k = 0; k < x->count; k++) {
        const int part = component[x->count - k] - '0';
        if (part < 0 || part >= 2 * (int)x->count)
            return -1;
        choices |= part << 3 * k;
    }
    return choices;
}

/* Reads .h10 or .b20: which results are written, as a mask. The digits begin with the highest
 * result. -1: the name is wrong. */
static int mask_named(const struct video *x, const char *component)
{
    int mask = 0, before = (int)x->count;
    if (!component)
        return (1 << x->count) - 1;
    if (component[0] != (x->count == 2 ? 'h' : 'b') || !component[1])
        return -1;
    for (const char *p = component + 1; *p; p++) {
        const int part = *p - '0';
        if (part < 0 || part >= before)
            return -1;
        mask |= 1 << part;
        before = part;
    }
    return mask;
}

/* The same operand without a sign and as a whole register. */
static struct ptx_operand whole(const struct ptx_operand *o)
{
    struct ptx_operand plain = *o;
    plain.component = NULL;
    plain.negated = false;
    return plain;
}

static bool take_parts(const struct decoder *d, struct video *x)
{
    const char *name[3] = {arg(d, 0)->component, arg(d, 1)->component, arg(d, 2)->component};
    const bool one = x->count == 1;
    const int to = one ? part_named(name[0]) : mask_named(x, name[0]);
    const int a = one ? part_named(name[1]) : choices_named(x, name[1], false);
    const int b = one ? part_named(name[2]) : choices_named(x, name[2], true);
    const bool merges = one && name[0];
    if (to < 0 || a < 0 || b < 0 || arg(d, 3)->component ||
        (merges && (x->second || x->op == VIDEO_MAD)))
        return false;
    x->d = (uint32_t)to & 255u, x->a = (uint32_t)a & 4095u, x->b = (uint32_t)b & 4095u;
    x->second = merges ? VIDEO_MERGE : x->second;
    return true;
}

/* Reads the minus signs of operands. Only vmad has them. */
static bool take_signs(const struct decoder *d, struct video *x)
{
    const bool a = arg(d, 1)->negated, b = arg(d, 2)->negated, c = arg(d, 3)->negated;
    x->negates_product = a != b;
    x->negates_c = c;
    return x->op == VIDEO_MAD || !(a || b || c);
}

bool decode_has_parts(const struct decoder *d)
{
    for (unsigned i = 0; i < d->from->operand_count; i++)
        if (d->from->operands[i].component)
            return true;
    return false;
}

int decode_video(struct decoder *d, const struct op_tokens *t)
{
    struct video x = {0};
    unsigned next = 1;
    bool known = take_operation(t->word[0], &x) && take_types(t, &x, &next);
    for (; known && next < t->count; next++)
        known = take_word(t->word[next], &x);
    if (!known || !take_parts(d, &x) || !take_signs(d, &x))
        return unsupported(d);
    const bool third = x.count > 1 || x.second || x.op == VIDEO_MAD;
    if (wants(d, 3 + third) < 0)
        return 0;
    need(d, x.count > 1 ? 30 : 0);
    const struct ptx_operand to = whole(arg(d, 0));
    uint32_t row[3] = {0};
    for (unsigned k = 0; k < 2u + third; k++) {
        const struct ptx_operand o = whole(arg(d, k + 1));
        row[k] = source(d, &o, SIM_B32);
    }
    const uint32_t into = result(d, &to, 4);
    struct raw *r = emit(d, "*video");
    r->in.a = row[0], r->in.b = row[1], r->in.c = third ? row[2] : row[1], r->in.d = into;
    memcpy(&r->in.offset, &x, sizeof x);
    finish_result(d, into, 4, x.d_signed);
    return 0;
}
