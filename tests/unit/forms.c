/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Every arithmetic form of tests/data/forms.txt is an instruction that the simulator takes. A
 * line is the form and its operands, a letter each: h r d registers of 16, 32 and 64 bits, f g
 * floats and doubles, p a predicate, q two of them, n a negated one, i a number. Each form
 * becomes a kernel; none may be closed. What they compute is tests/ptx's business.
 */
#include "base/buf.h"
#include "sim/sim.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_FORMS = 4000, LONGEST = 96 };

static const char *operand(char letter)
{
    switch (letter) {
    case 'h': return "%h1";
    case 'r': return "%r1";
    case 'd': return "%d1";
    case 'f': return "%f1";
    case 'g': return "%g1";
    case 'p': return "%p1";
    case 'q': return "%p1|%p2";
    case 'n': return "!%p3";
    case 'i': return "0x5A";
    default: return "?";
    }
}

static void add_kernel(struct buf *ptx, const char *form, unsigned number)
{
    const char *letters = strchr(form, ' ');
    buf_printf(ptx, ".entry k%u() {\n.reg .b16 %%h<2>;\n.reg .b32 %%r<2>;\n.reg .b64 %%d<2>;\n"
               ".reg .f32 %%f<2>;\n.reg .f64 %%g<2>;\n.reg .pred %%p<4>;\n%.*s", number,
               (int)(letters - form), form);
    for (const char *p = letters + 1; *p; p++)
        buf_printf(ptx, "%s %s", p == letters + 1 ? "" : ",", operand(*p));
    buf_puts(ptx, ";\nret;\n}\n");
}

static unsigned read_forms(char forms[][LONGEST])
{
    const char *top = getenv("top_srcdir");
    char path[1024];
    unsigned count = 0;
    snprintf(path, sizeof path, "%s/tests/data/forms.txt", top ? top : ".");
    FILE *f = fopen(path, "r");
    while (f && count < MAX_FORMS && fgets(forms[count], LONGEST, f)) {
        forms[count][strcspn(forms[count], "\n")] = 0;
        count += strchr(forms[count], ' ') != NULL;
    }
    if (f)
        fclose(f);
    return count;
}

/* The reason why a kernel doesn't run, or NULL. */
static const char *closed(struct sim_module *m, unsigned number)
{
    char name[32];
    snprintf(name, sizeof name, "k%u", number);
    const struct sim_kernel *k = m ? sim_kernel_find(m, name) : NULL;
    return k ? k->closed : "it isn't there";
}

int main(void)
{
    static char forms[MAX_FORMS][LONGEST];
    unsigned count = read_forms(forms), bad = 0;
    struct buf ptx;
    buf_init(&ptx);
    buf_puts(&ptx, ".version 8.6\n.target sm_90\n.address_size 64\n");
    for (unsigned i = 0; i < count; i++)
        add_kernel(&ptx, forms[i], i);
    buf_puts(&ptx, ".entry none() {\n.reg .f32 %f<2>;\nadd.no.f32 %f1, %f1, %f1;\nret;\n}\n");
    struct sim *s = sim_open(NULL);
    struct sim_module *m = s ? sim_module_load(s, "forms", buf_text(&ptx), ptx.len) : NULL;
    if (!m)
        printf("# line %d: %s\n", s ? sim_message_line(s) : 0, s ? sim_message(s) : "no memory");
    for (unsigned i = 0; i < count; i++) {
        const char *why = closed(m, i);
        if (why && ++bad)
            printf("# %s: %s\n", forms[i], why);
    }
    printf("%sok 1 - every form of forms.txt can be run: %u\n", bad || !count ? "not " : "", count);
    const struct sim_kernel *none = m ? sim_kernel_find(m, "none") : NULL;
    bool refused = none && none->closed;
    printf("%sok 2 - and one that isn't there can't\n1..2\n", refused ? "" : "not ");
    sim_close(s);
    buf_free(&ptx);
    return bad || !count || !refused;
}
