/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Function bodies. A { } scope hides outer names until it closes, by remembering what each
 * of its names meant before. Labels belong to their scope as well, and inline assembly
 * repeats them: a second label of one name gets a name of its own, and the branches that
 * mean it are told when its scope closes.
 */
#include "ptx/parse.h"

#include "base/names.h"

#include <stdio.h>
#include <string.h>

/* ---- scopes --------------------------------------------------------------------------- */

int open_scope(struct parser *p)
{
    if (p->depth == MOST_NESTING)
        return lex_fail(&p->lex, &p->lex.token, "more than %d { inside each other", MOST_NESTING);
    struct scope *s = &p->scopes[p->depth++];
    *s = (struct scope){.id = ++p->last_scope, .shadowed = p->shadowed.count};
    s->labels = p->labels.count;
    s->references = p->references.count;
    return 0;
}

/* Tell branches of this scope to its labels; what finds none may mean one further out. */
static void resolve_labels(struct parser *p, const struct scope *s)
{
    struct label_note *labels = p->labels.items;
    for (size_t i = s->labels; i < p->labels.count; i++)
        if (labels[i].scope == s->id) {
            labels[i].word->label_scope = s->id;
            labels[i].word->label_name = labels[i].label.name;
        }
    struct label_reference *references = p->references.items;
    size_t kept = s->references;
    for (size_t i = s->references; i < p->references.count; i++) {
        const struct word *w = references[i].word;
        if (w->label_scope == s->id)
            references[i].operand->name = w->label_name;
        else
            references[kept++] = references[i];
    }
    p->references.count = kept;
}

int close_scope(struct parser *p)
{
    struct scope *s = &p->scopes[--p->depth];
    resolve_labels(p, s);
    const struct shadowed *shadowed = p->shadowed.items;
    while (p->shadowed.count > s->shadowed) {
        const struct shadowed *was = &shadowed[--p->shadowed.count];
        was->word->variable = was->variable;
        was->word->variable_scope = was->variable_scope;
        was->word->range = was->range;
        was->word->range_scope = was->range_scope;
    }
    return 0;
}

/* ---- labels --------------------------------------------------------------------------- */

static const char *another_name(struct parser *p, const struct word *w, unsigned scope)
{
    char suffix[16];
    int n = snprintf(suffix, sizeof suffix, "@%u", scope);
    char *name = arena_alloc(&p->module->arena, w->length + (size_t)n + 1);
    if (name) {
        memcpy(name, w->text, w->length);
        memcpy(name + w->length, suffix, (size_t)n);
    }
    return name;
}

static int add_label(struct parser *p, const struct ptx_token *at)
{
    struct word *w = at->word;
    unsigned scope = current_scope(p);
    bool again = w->label_in == p->function;
    if (again && w->label_scope == scope)
        return lex_fail(&p->lex, at, "label %s is there twice in %s", w->text, p->function->name);
    struct label_note *note = push(p, &p->labels);
    if (!note)
        return -1;
    const char *name = again ? another_name(p, w, scope) : w->text;
    if (!name)
        return lex_fail_memory(&p->lex);
    *note = (struct label_note){w, {name, (uint32_t)p->code.count}, scope};
    w->label_in = p->function;
    w->label_scope = scope;
    w->label_name = name;
    return 0;
}

/* Where targets of this name belong: in the place of others in the function, or in one more. */
static struct ptx_targets *targets_of(struct parser *p, struct word *w)
{
    if (w->targets_in != p->function && !push(p, &p->targets))
        return NULL;
    if (w->targets_in != p->function)
        w->targets = p->targets.count - 1;
    w->targets_in = p->function;
    struct ptx_targets *t = (struct ptx_targets *)p->targets.items + w->targets;
    *t = (struct ptx_targets){.name = w->text};
    return t;
}

/* name: .branchtargets A, B; */
static int targets(struct parser *p, struct word *name)
{
    struct ptx_targets *t = targets_of(p, name);
    if (!t)
        return -1;
    lex_next(&p->lex);
    p->names.count = 0;
    do {
        const struct word *w = take_word(p, "a label");
        const char **label = w ? push(p, &p->names) : NULL;
        if (!label)
            return -1;
        *label = w->text;
    } while (take(p, ','));
    t->count = (unsigned)p->names.count;
    t->labels = settle(p, &p->names, 0);
    return t->labels ? expect(p, ';', "';'") : -1;
}

/* name: .callprototype ... ; says nothing that the call doesn't. */
static int prototype(struct parser *p, struct word *name)
{
    if (!targets_of(p, name))
        return -1;
    while (kind_here(p) != ';' && kind_here(p) != TOKEN_END)
        lex_next(&p->lex);
    return expect(p, ';', "';' after .callprototype");
}

static int label(struct parser *p, const struct ptx_token *at)
{
    int d = directive_here(p);
    if (d == DIRECTIVE_TARGETS)
        return targets(p, at->word);
    if (d == DIRECTIVE_PROTOTYPE)
        return prototype(p, at->word);
    return add_label(p, at);
}

/* ---- .loc ----------------------------------------------------------------------------- */

static bool same_position(const struct position *a, const struct position *b)
{
    return a->file == b->file && a->line == b->line && a->column == b->column;
}

static struct inlining *inlining_at(struct parser *p, const struct position *at)
{
    unsigned mixed = (unsigned)at->line * 31u + (unsigned)at->column * 7u + (unsigned)at->file;
    return &p->inlinings[mixed % INLININGS];
}

/*
 * The call at `at`, which the code here was inlined for. That place may have been inlined too, and
 * then its own .loc came before. Only recent ones are remembered, which is where they are. Equal
 * lines in a row share one call. NULL: out of memory.
 */
static const struct ptx_call *call_at(struct parser *p, const struct position *at)
{
    const struct inlining *around = inlining_at(p, at);
    struct inlining *known = inlining_at(p, &p->here);
    const bool found = around->in == p->function && same_position(&around->inner, at);
    const struct ptx_call call = {at->file, at->line, found ? around->call : NULL};
    if (known->in == p->function && same_position(&known->inner, &p->here) &&
        known->call->file == call.file && known->call->line == call.line &&
        known->call->outer == call.outer)
        return known->call;
    struct ptx_call *fresh = arena_alloc(&p->module->arena, sizeof *fresh);
    if (!fresh) {
        lex_fail_memory(&p->lex);
        return NULL;
    }
    *fresh = call;
    *known = (struct inlining){p->function, p->here, fresh};
    return fresh;
}

/* Up to three numbers, all on the line of the directive. */
static void position(struct parser *p, int line, struct position *at)
{
    int *parts[3] = {&at->file, &at->line, &at->column};
    *at = (struct position){0};
    for (int i = 0; i < 3 && kind_here(p) == TOKEN_NUMBER && p->lex.token.line == line; i++) {
        uint64_t n = p->lex.token.number.bits;
        *parts[i] = n <= INT32_MAX ? (int)n : 0;
        lex_next(&p->lex);
    }
}

/* .loc 1 16 38, function_name $L__info_string0+4, inlined_at 1 22 3 */
static int loc(struct parser *p)
{
    int line = p->lex.token.line;
    struct position call = {0};
    int64_t ignored = 0;
    lex_next(&p->lex);
    position(p, line, &p->here);
    while (p->lex.token.line == line && take(p, ',')) {
        const struct word *what = take_word(p, "function_name or inlined_at");
        if (!what)
            return -1;
        if (strcmp(what->text, "inlined_at") == 0)
            position(p, line, &call);
        else if (!take(p, TOKEN_WORD) || offset_sum(p, &ignored) != 0)
            return unexpected(p, "a name");
    }
    p->call = call.line ? call_at(p, &call) : NULL;
    return p->lex.failed ? -1 : 0;
}

int pragma(struct parser *p)
{
    lex_next(&p->lex);
    do {
        if (!take(p, TOKEN_STRING))
            return unexpected(p, "a text in \" \"");
    } while (take(p, ','));
    take(p, ';');
    return 0;
}

/* ---- instructions --------------------------------------------------------------------- */

static const char *after_comment(const char *s, const char *end)
{
    bool line = s[1] == '/';
    for (s += 2; s < end; s++)
        if (line ? *s == '\n' : s[0] == '*' && s[1] == '/')
            return line ? s : s + 2;
    return end;
}

/* The statement on one line: blanks and comments become single blanks, none just inside ( ). */
static const char *one_line(struct parser *p, const char *start, const char *end)
{
    char *text = arena_alloc(&p->module->arena, (size_t)(end - start) + 1), *o = text;
    if (!text) {
        lex_fail_memory(&p->lex);
        return NULL;
    }
    for (const char *s = start; s < end;) {
        bool comment = s[0] == '/' && (s[1] == '/' || s[1] == '*');
        if (comment || (unsigned char)*s <= ' ') {
            s = comment ? after_comment(s, end) : s + 1;
            if (o > text && o[-1] != ' ' && o[-1] != '(')
                *o++ = ' ';
        } else {
            if (o > text && o[-1] == ' ' && (*s == ',' || *s == ')' || *s == ';'))
                o--;
            *o++ = *s++;
        }
    }
    *o = '\0';
    return text;
}

static int guard(struct parser *p, struct ptx_instruction *i)
{
    i->guard_negated = take(p, '!');
    if (kind_here(p) != TOKEN_WORD)
        return unexpected(p, "a predicate after @");
    struct word *w = p->lex.token.word;
    i->guard = w->text;
    i->guard_var = variable_of(p, w, &i->guard_index);
    if (!i->guard_var || i->guard_var->type != PTX_PRED)
        return lex_fail(&p->lex, &p->lex.token, "%s is not a predicate register declared here",
                        w->text);
    lex_next(&p->lex);
    return 0;
}

bool ptx_is_call(const struct ptx_instruction *i)
{
    return strncmp(i->opcode, "call", 4) == 0 && (i->opcode[4] == '\0' || i->opcode[4] == '.');
}

static int operands(struct parser *p, struct ptx_instruction *i)
{
    bool call = ptx_is_call(i);
    p->operands.count = 0;
    if (kind_here(p) == ';')
        return 0;
    do {
        struct ptx_operand o = {0}, *place;
        int rc = call && take(p, '(') ? call_list(p, &o) : operand(p, &o, 0);
        if (rc != 0 || !(place = push(p, &p->operands)))
            return -1;
        *place = o;
    } while (take(p, ','));
    i->operand_count = (unsigned)p->operands.count;
    i->operands = settle(p, &p->operands, 0);
    return i->operands ? 0 : -1;
}

static int note_references(struct parser *p, const struct ptx_instruction *i)
{
    for (unsigned k = 0; k < i->operand_count; k++) {
        struct ptx_operand *o = &i->operands[k];
        if (o->kind != PTX_OP_SYMBOL || o->var)
            continue;
        struct word *w = lex_find(&p->lex, o->name, strlen(o->name));
        struct label_reference *r = w ? push(p, &p->references) : NULL;
        if (w && !r)
            return -1;
        if (r)
            *r = (struct label_reference){w, o};
    }
    return 0;
}

static void place_instruction(const struct parser *p, struct ptx_instruction *i, int line)
{
    i->ptx_line = line;
    i->file = p->here.file;
    i->line = p->here.line;
    i->call = p->call;
    if (p->depth > 2) /* below the scopes of the parameters and of the whole body */
        i->locals = p->scopes[p->depth - 1].first;
}

static int instruction(struct parser *p, const struct ptx_token *first, struct ptx_instruction *i,
                       const struct word *opcode)
{
    i->opcode = opcode->text;
    if (operands(p, i) != 0)
        return -1;
    if (kind_here(p) != ';')
        return unexpected(p, "',' or ';'");
    i->text = one_line(p, first->at, p->lex.token.at + 1);
    place_instruction(p, i, first->line);
    struct ptx_instruction *place = i->text ? push(p, &p->code) : NULL;
    if (!place)
        return -1;
    *place = *i;
    lex_next(&p->lex);
    return note_references(p, i);
}

/* ---- statements ----------------------------------------------------------------------- */

static int guarded(struct parser *p)
{
    struct ptx_instruction i = {0};
    struct ptx_token first = p->lex.token;
    lex_next(&p->lex);
    if (guard(p, &i) != 0)
        return -1;
    const struct word *opcode = take_word(p, "an instruction");
    return opcode ? instruction(p, &first, &i, opcode) : -1;
}

static int label_or_instruction(struct parser *p)
{
    struct ptx_instruction i = {0};
    struct ptx_token first = p->lex.token;
    lex_next(&p->lex);
    if (take(p, ':'))
        return label(p, &first);
    return instruction(p, &first, &i, first.word);
}

static int statement(struct parser *p)
{
    switch (kind_here(p)) {
    case TOKEN_WORD: return label_or_instruction(p);
    case '@': return guarded(p);
    case '{': lex_next(&p->lex); return open_scope(p);
    case '}':
        p->function->end_line = p->lex.token.line;
        close_scope(p);
        lex_next(&p->lex);
        return p->lex.failed ? -1 : 0;
    case ';': lex_next(&p->lex); return 0;
    default: break;
    }
    switch (directive_here(p)) {
    case -1: return unexpected(p, "an instruction or '}'");
    case DIRECTIVE_LOC: return loc(p);
    case DIRECTIVE_PRAGMA: return pragma(p);
    default: return declaration(p, (struct visibility){0}, &p->locals);
    }
}

static int settle_labels(struct parser *p, struct ptx_function *f)
{
    const struct label_note *notes = p->labels.items;
    f->label_count = (uint32_t)p->labels.count;
    f->labels = arena_alloc(&p->module->arena, f->label_count * sizeof *f->labels);
    if (!f->labels)
        return lex_fail_memory(&p->lex);
    for (uint32_t i = 0; i < f->label_count; i++)
        f->labels[i] = notes[i].label;
    names_sort(f->labels, f->label_count, sizeof *f->labels);
    f->target_count = (uint32_t)p->targets.count;
    f->targets = settle(p, &p->targets, 0);
    names_sort(f->targets, f->target_count, sizeof *f->targets);
    return f->targets || !f->target_count ? 0 : -1;
}

int64_t ptx_label_at(const struct ptx_function *f, const char *name)
{
    const struct ptx_label *l = names_find(f->labels, f->label_count, sizeof *l, name);
    return l ? (int64_t)l->at : -1;
}

const struct ptx_targets *ptx_targets_named(const struct ptx_function *f, const char *name)
{
    return names_find(f->targets, f->target_count, sizeof *f->targets, name);
}

static int whole_body(struct parser *p, struct ptx_function *f)
{
    unsigned outside = p->depth;
    lex_next(&p->lex);
    p->locals = (struct variable_list){0};
    p->here = (struct position){0};
    p->call = NULL;
    p->code.count = p->labels.count = p->targets.count = p->references.count = 0;
    if (open_scope(p) != 0)
        return -1;
    while (p->depth > outside) {
        if (kind_here(p) == TOKEN_END)
            return unexpected(p, "'}' at the end of a function");
        if (statement(p) != 0)
            return -1;
    }
    f->variables = p->locals.first;
    f->code_count = (uint32_t)p->code.count;
    f->code = settle(p, &p->code, 0);
    return f->code || !f->code_count ? settle_labels(p, f) : -1;
}

/* After an error: the function is as good as closed, and reading goes on behind its '}'. */
static int broken_body(struct parser *p, struct ptx_function *f, const struct lex_place *start,
                       unsigned outside)
{
    struct err why = *p->lex.err;
    lex_return(&p->lex, start);
    if (lex_skip_block(&p->lex) != 0) {
        *p->lex.err = why;
        return -1;
    }
    while (p->depth > outside)
        close_scope(p);
    f->broken = arena_text(&p->module->arena, why.text, strlen(why.text));
    f->broken_line = why.line;
    f->end_line = p->lex.token.line;
    f->variables = NULL;
    f->code_count = f->label_count = 0;
    if (!f->broken)
        return lex_fail_memory(&p->lex);
    if (!p->broken.text[0])
        p->broken = why;
    lex_next(&p->lex);
    return 0;
}

int body(struct parser *p, struct ptx_function *f)
{
    const struct lex_place start = lex_here(&p->lex);
    unsigned outside = p->depth;
    p->function = f;
    int rc = whole_body(p, f);
    if (rc == 0)
        p->any_whole = true;
    else if (!p->lex.given_up)
        rc = broken_body(p, f, &start, outside);
    p->function = NULL;
    f->has_body = rc == 0;
    return rc;
}
