/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From the command line to a session: read the options, open the device, run the scripts in
 * the order they were given, prompt if that is wanted, and end with the right status.
 * Options that are settings are put through the settings' own table.
 */
#include "base/near.h"
#include "dev/device.h"
#include "repl/commands.h"
#include "os/tty.h"
#include "programs/programs.h"
#include "repl/files-named.h"
#include "repl/interrupt.h"
#include "repl/scripting.h"
#include "repl/settings.h"
#include "repl/shell.h"
#include "repl/talk.h"

#include <fcntl.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#ifdef WITH_PROGRAMS
static const struct programs *const programs = &programs_of_this_system;
#else
static const struct programs *const programs = NULL;
#endif

#ifdef WITH_MPI
#include "mpi/team.h"
static const struct team_ops *const mpi = &team_of_mpi;
#else
static const struct team_ops *const mpi = NULL;
#endif

const char *const device_program = "/proc/self/exe";

enum { USAGE = 2 };

enum option_kind { OPTION_SETTING, OPTION_FLAG, OPTION_SCRIPT, OPTION_COMMANDS, OPTION_ALLOW,
                   OPTION_CACHE, OPTION_HELP, OPTION_JUPYTER, OPTION_VERSION };

struct option {
    const char *name, *value; /* value NULL: it takes none */
    enum option_kind kind;
    size_t flag; /* OPTION_FLAG: a bool in struct shell */
    const char *help;
};

#define FLAG(field) OPTION_FLAG, offsetof(struct shell, field)

static const struct option options[] = {
    {"-c", "COMMANDS", OPTION_COMMANDS, 0, "run these, with ; between them; may be repeated"},
    {"-f", "FILE", OPTION_SCRIPT, 0, "run a script or load a source, as FILE alone; - is stdin"},
    {"-i", NULL, FLAG(prompting), "stay at the prompt after -c and scripts"},
    {"--device", "DEVICE", OPTION_SETTING, 0, "auto, sim, sim:PROFILE or gpu[:N]"},
    {"--json", NULL, FLAG(json), "print one JSON object for each command"},
    {"--talk", NULL, FLAG(talking), "talk to another program: requests and answers in JSON"},
    {"--bail", NULL, FLAG(bail), "stop at the first command that fails"},
    {"--grade", NULL, FLAG(grade), "tell by the exit status what went wrong"},
    {"--safe", NULL, FLAG(safe), "for other people's scripts: no files, bounded time"},
    {"--allow", "FILE", OPTION_ALLOW, 0, "a file that --safe may read; may be repeated"},
    {"--cache", "FOLDER", OPTION_CACHE, 0, "keep compiled code here, also under --safe"},
    {"--step-limit", "N", OPTION_SETTING, 0, "warp instructions per launch on sim (2^34)"},
    {"--time-limit", "S", OPTION_SETTING, 0, "seconds per command; 60 in a script, else none"},
    {"--session-time", "S", OPTION_SETTING, 0, "seconds per session; 600 with --safe, else none"},
    {"--output-limit", "N", OPTION_SETTING, 0, "bytes a session writes; 64M with --safe"},
    {"--memory-limit", "N", OPTION_SETTING, 0, "bytes of memory; 2G with --safe"},
    {"--threads", "N", OPTION_SETTING, 0, "processor cores that cudalab may use; 0: all (0)"},
    {"--seed", "N", OPTION_SETTING, 0, "the number from which random choices are computed (1)"},
    {"--schedule", "S", OPTION_SETTING, 0, "lockstep, independent or random:SEED (lockstep)"},
    {"--echo", NULL, FLAG(echo), "show each command of a script before it runs"},
    {"--quiet", NULL, FLAG(quiet), "no banner"},
    {"--color", "WHEN", OPTION_SETTING, 0, "auto, always or never"},
    {"--charset", "WHICH", OPTION_SETTING, 0, "auto, ascii or utf8"},
    {"--no-init", NULL, FLAG(no_init), "don't read the start-up file"},
    {"--jupyter", NULL, OPTION_JUPYTER, 0, "install the kernel for Jupyter notebooks and end"},
    {"--version", NULL, OPTION_VERSION, 0, "print the version and end"},
    {"--help", NULL, OPTION_HELP, 0, "print this and end"},
    {0}};

enum input_kind { INPUT_SCRIPT, INPUT_SOURCE, INPUT_COMMANDS, INPUT_RUN };

/* What the command line asks for. Scripts and sources keep their order. */
struct start {
    struct shell *sh;
    char **argv;
    int argc, at;
    struct input { enum input_kind kind; const char *text; } *items;
    unsigned item_count, script_count; /* scripts and -c */
    const char **allowed;
    unsigned allowed_count;
    char *cache; /* from malloc */
    bool time_given;
    struct buf run; /* the command, where the command line is one */
    struct talk talk; /* with --talk */
};

/* ---- the command line ----------------------------------------------------------------- */

static int wrong_usage(const char *format, const char *what, const char *best)
{
    fprintf(stderr, "cudalab: ");
    fprintf(stderr, format, what);
    if (best)
        fprintf(stderr, "; did you mean %s?", best);
    fprintf(stderr, "\n`cudalab --help` lists the options\n");
    return USAGE;
}

static const char *nearest_option(const char *word)
{
    struct near n = {.word = word};
    const char *best = NULL, *bare = word + strspn(word, "-");
    for (const struct option *o = options; o->name; o++)
        if (o->name[1] == '-' && near_try(&n, o->name))
            best = o->name;
    for (const struct option *o = options; !best && o->name; o++)
        if (*bare && strcmp(bare, o->name + strspn(o->name, "-")) == 0)
            best = o->name; /* only its dashes are wrong */
    return best;
}

static const struct option *option_named(const char *word, size_t n)
{
    for (const struct option *o = options; o->name; o++)
        if (strlen(o->name) == n && memcmp(o->name, word, n) == 0)
            return o;
    return NULL;
}

static int put_setting(struct start *st, const char *name, const char *value)
{
    struct err e = {0};
    const struct setting *s = setting_named(name, &e);
    if (!s || setting_put(st->sh, s, value, &e) != 0)
        return wrong_usage("--%s", e.text, NULL);
    if (strcmp(name, "time-limit") == 0)
        st->time_given = true;
    return 0;
}

static void add_item(struct start *st, enum input_kind kind, const char *text)
{
    st->items[st->item_count++] = (struct input){kind, text};
    st->script_count += kind != INPUT_SOURCE;
}

static void add_file(struct start *st, const char *path)
{
    add_item(st, source_named(path) ? INPUT_SOURCE : INPUT_SCRIPT, path);
}

/* Where there is no such folder, and none can be made, nothing is kept. */
static void put_cache(struct start *st, const char *path)
{
    mkdir(path, 0700);
    free(st->cache);
    st->cache = realpath(path, NULL);
}

static int take_option(struct start *st, const struct option *o, const char *value)
{
    switch (o->kind) {
    case OPTION_SETTING: return put_setting(st, o->name + 2, value);
    case OPTION_FLAG: *(bool *)((char *)st->sh + o->flag) = true; return 0;
    case OPTION_SCRIPT: add_file(st, value); return 0;
    case OPTION_COMMANDS: add_item(st, INPUT_COMMANDS, value); return 0;
    case OPTION_ALLOW: st->allowed[st->allowed_count++] = value; return 0;
    case OPTION_CACHE: put_cache(st, value); return 0;
    default: return 0;
    }
}

/* One word of the command line that isn't a script; its value may be the next word. */
static int take_word(struct start *st)
{
    const char *word = st->argv[st->at++], *equals = strchr(word, '=');
    bool is_long = word[1] == '-';
    size_t n = is_long ? strcspn(word, "=") : 2;
    const struct option *o = option_named(word, n);
    const char *value = is_long && equals ? equals + 1 : !is_long && word[2] ? word + 2 : NULL;
    if (!o)
        return wrong_usage("there is no option %s", word, nearest_option(word));
    if (!o->value && value)
        return wrong_usage(is_long ? "%s takes no value" : "there is no option %s",
                           is_long ? o->name : word, is_long ? NULL : nearest_option(word));
    if (o->value && !value && st->at >= st->argc)
        return wrong_usage("%s needs a value", o->name, NULL);
    if (o->value && !value)
        value = st->argv[st->at++];
    return take_option(st, o, value);
}

/* `cudalab run hw.cu 100` is that command, and all that follows belongs to it. */
static bool begins_command(const char *word)
{
    static const char *const alone[] = {"run", "grade", "similar"};
    struct stat is;
    bool is_one = false;
    for (size_t i = 0; i < sizeof alone / sizeof alone[0]; i++)
        is_one = is_one || strcmp(word, alone[i]) == 0;
    return is_one && (stat(word, &is) != 0 || S_ISDIR(is.st_mode));
}

/* A word of this process's arguments, as one word of a command. */
static void add_quoted(struct buf *out, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_./:=+,@%-";
    if (*word && word[strspn(word, plain)] == '\0') {
        buf_puts(out, word);
        return;
    }
    buf_putc(out, '"');
    for (; *word; word++) {
        if (*word == '"' || *word == '\\' || *word == '$')
            buf_putc(out, '\\');
        buf_putc(out, *word);
    }
    buf_putc(out, '"');
}

static int take_command(struct start *st)
{
    const char *command = st->argv[st->at];
    for (; st->at < st->argc; st->at++) {
        if (strchr(st->argv[st->at], '\n')) /* what follows would be a command of its own */
            return wrong_usage("an argument of `%s` can't have a line break", command, NULL);
        if (st->run.len)
            buf_putc(&st->run, ' ');
        add_quoted(&st->run, st->argv[st->at]);
    }
    if (st->run.failed)
        return wrong_usage("%s", "out of memory", NULL);
    add_item(st, INPUT_RUN, buf_text(&st->run));
    return 0;
}

static int read_command_line(struct start *st)
{
    bool options_ended = false;
    while (st->at < st->argc) {
        const char *word = st->argv[st->at];
        if (!options_ended && strcmp(word, "--") == 0) {
            st->at++;
            if (st->script_count) { /* what follows belongs to the script */
                st->sh->script.arguments = (const char *const *)(st->argv + st->at);
                st->sh->script.argument_count = (unsigned)(st->argc - st->at);
                return 0;
            }
            options_ended = true;
        } else if (!options_ended && !st->item_count && begins_command(word)) {
            return take_command(st);
        } else if (options_ended || word[0] != '-' || !word[1]) {
            add_file(st, word);
            st->at++;
        } else {
            int status = take_word(st);
            if (status)
                return status;
        }
    }
    return 0;
}

/* --help and --version answer whatever else stands there, right or wrong. */
static const struct option *asks_only(int argc, char **argv)
{
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
        const char *word = strcmp(argv[i], "-h") == 0 ? "--help" : argv[i];
        const struct option *o = option_named(word, strlen(word));
        if (begins_command(word))
            return NULL;
        if (o && (o->kind == OPTION_HELP || o->kind == OPTION_VERSION || o->kind == OPTION_JUPYTER))
            return o;
        if (o && o->value)
            i++;
    }
    return NULL;
}

static int answer(const struct option *asked)
{
    struct sink to = {.fd = STDOUT_FILENO};
    struct buf out = {0};
    buf_printf(&out, "cudalab %s\n", PACKAGE_VERSION);
    if (asked->kind == OPTION_VERSION)
        buf_puts(&out, "GPL-3.0-or-later: free software, without any warranty.\n");
    else
        buf_puts(&out, "CUDA labs at a prompt, on a GPU or on a simulated one.\n\n"
                       "usage: cudalab [OPTION | SCRIPT | SOURCE]...\n"
                       "       cudalab [OPTION]... run PROGRAM [ARGUMENT]...\n"
                       "       cudalab [OPTION]... grade EXERCISE HAND-IN...\n"
                       "       cudalab [OPTION]... similar FILE...\n\n");
    for (const struct option *o = options; asked->kind == OPTION_HELP && o->name; o++) {
        char left[40];
        snprintf(left, sizeof left, "%s %s", o->name, o->value ? o->value : "");
        buf_printf(&out, "  %-18s  %s\n", left, o->help);
    }
    if (asked->kind == OPTION_HELP)
        buf_puts(&out, "\nA SOURCE is a file NAME.cu or NAME.ptx: its kernels are loaded."
                       "\nWithout a script or -c: a prompt at a terminal, else commands from stdin."
                       "\nAt the prompt `help` lists the commands."
                       "\nAfter a script, -- begins its arguments: $1 is the first."
                       "\nExit status: 0, or 1 if a command failed, or 2 if the command line is wrong"
                       "\nor a script can't be read. With --grade: 1 a check failed, 2 the script is"
                       "\nwrong, 3 a source does not compile, 4 a fault, 5 a limit.\n");
    sink_write(&to, buf_text(&out), out.len);
    buf_free(&out);
    if (to.error)
        fprintf(stderr, "cudalab: cannot write the output: %s\n", strerror(to.error));
    return to.error ? 1 : 0;
}

/* What follows --jupyter are options of the kernel's own installation. */
static int install_kernel(char **argv)
{
    struct err e = {0};
    while (*argv && strcmp(*argv, "--jupyter") != 0)
        argv++;
    if (!programs)
        fail(&e, "this cudalab was built without other programs (configure --disable-compile)");
    else
        programs->jupyter((const char *const *)(argv + 1), &e);
    fprintf(stderr, "cudalab: --jupyter: %s\n", e.text);
    return 1;
}

/* ---- the session ---------------------------------------------------------------------- */

/* A file opened where stdin, stdout or stderr should be would be read or written by mistake.
 * What stands in for them here can't be used either, so that a closed stdout is noticed. */
static void keep_standard_files(void)
{
    for (int fd = 0; fd <= 2; fd++)
        if (fcntl(fd, F_GETFD) < 0)
            if (open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY) < 0)
                return;
}

/* Where the operator gave no bound, --safe does. */
static void put_safe_bounds(struct shell *sh)
{
    static const char *const bounds[][2] = {{"time-limit", "60"}, {"session-time", "600"},
                                            {"output-limit", "64M"}, {"memory-limit", "2G"}};
    struct err ignored;
    struct buf now = {0};
    for (size_t i = 0; i < sizeof bounds / sizeof bounds[0]; i++) {
        const struct setting *s = setting_exact(bounds[i][0]);
        buf_clear(&now);
        setting_get(sh, s, &now);
        if (strcmp(buf_text(&now), "0") == 0)
            setting_put(sh, s, bounds[i][1], &ignored);
    }
    buf_free(&now);
}

/* What depends on the terminal, which is known by now. */
static void put_initial(struct shell *sh, const char *name)
{
    struct err ignored;
    const struct setting *s = setting_exact(name);
    setting_put(sh, s, setting_initial(sh, s), &ignored);
}

static void set_bounds(struct start *st)
{
    struct shell *sh = st->sh;
    if (!st->time_given)
        put_initial(sh, "time-limit");
    if (sh->out_is_terminal)
        put_initial(sh, "volatile");
    if (sh->safe) {
        put_safe_bounds(sh);
        shell_lock(sh);
    }
    sh->allowed = st->allowed;
    sh->allowed_count = st->allowed_count;
    sh->cache = st->cache;
}

/* `cudalab hello 4` is a slip for -c: the first word names a command, and no file. */
static void cannot_read(struct shell *sh, const struct input *item, const struct err *e)
{
    struct buf message = {0};
    char name[64];
    buf_puts(&message, e->text);
    snprintf(name, sizeof name, "%.*s", (int)strcspn(item->text, " ;"), item->text);
    if (command_exact(sh, name))
        buf_printf(&message, "; commands come after -c, as in cudalab -c '%.200s'", item->text);
    shell_complain(sh, buf_text(&message), 0);
    buf_free(&message);
}

static void run_stdin(struct shell *sh)
{
    const struct script_place place = {.name = "<stdin>", .line = 1};
    struct script_place at = place;
    struct err e;
    if (shell_run_fd(sh, STDIN_FILENO, place.name, &e) == 0)
        return;
    sh->place = &at;
    shell_complain(sh, e.text, 0);
    sh->place = NULL;
    sh->unreadable = true;
}

static void run_item(struct shell *sh, const struct input *item)
{
    struct err e;
    if (item->kind == INPUT_COMMANDS) {
        shell_run_text(sh, item->text, "-c");
    } else if (item->kind == INPUT_RUN) {
        shell_run_alone(sh, item->text);
    } else if (item->kind == INPUT_SOURCE) {
        shell_load(sh, item->text);
    } else if (strcmp(item->text, "-") == 0) {
        run_stdin(sh);
    } else if (shell_run_file(sh, item->text, &e) != 0) {
        cannot_read(sh, item, &e);
        sh->unreadable = true;
    }
}

/* ---- the ranks of mpirun ----------------------------------------------------------------- */

/* mpirun gives its own input to rank 0 alone. */
static bool reads_input(const struct start *st)
{
    bool input = st->sh->prompting || !st->script_count;
    for (unsigned i = 0; i < st->item_count; i++)
        input |= st->items[i].kind == INPUT_SCRIPT && strcmp(st->items[i].text, "-") == 0;
    return input;
}

/* Rank 0 alone speaks. mpirun may give a rank a terminal that nobody sees. The first command that
 * fails ends the session, as --bail does. */
static int join_team(struct start *st, struct team *team)
{
    struct shell *sh = st->sh;
    struct err e = {0};
    sh->session.has_mpi = mpi != NULL;
    if (!mpi || team_started() < 2)
        return 0;
    *team = (struct team){.ops = mpi};
    if (mpi->join(team, &e) != 0) {
        fprintf(stderr, "cudalab: %s\n", e.text);
        mpi->end_all(1);
        return 1;
    }
    sh->session.team = team;
    sh->out_is_terminal = false;
    sh->bail = true;
    if (!team_speaks(team)) {
        const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
        if (nowhere < 0 || dup2(nowhere, STDOUT_FILENO) < 0 || dup2(nowhere, STDERR_FILENO) < 0)
            return 1;
        close(nowhere);
    }
    return reads_input(st)
               ? wrong_usage("under mpirun, commands come from %s: only rank 0 has an input",
                             "a script or from -c", NULL)
               : 0;
}

/* Told to end: nobody waits then. */
static int not_ended(void *self, struct err *e)
{
    (void)self;
    return interrupt_ending() ? fail(e, "interrupted") : 0;
}

static int leave_team(struct shell *sh, int status)
{
    const struct go_on waits = {.ask = not_ended};
    char says[TEAM_TEXT + 40];
    if (!sh->session.team)
        return status;
    status = team_end(sh->session.team, status, &waits, says);
    if (says[0])
        fprintf(stderr, "cudalab: %s\n", says);
    sh->session.team = NULL;
    return status;
}

/* From here on the program can open only the scripts and what --allow names. Without Landlock this
 * does nothing. With a GPU it does nothing either, because the driver opens many files. */
static int confine(struct start *st, struct err *e)
{
    struct shell *sh = st->sh;
    if (!sh->programs || strcmp(sh->session.device->kind, "sim") != 0)
        return 0;
    unsigned count = 0;
    const char **files = calloc(st->item_count + st->allowed_count + 1, sizeof *files);
    if (!files)
        return fail_memory(e);
    for (unsigned i = 0; i < st->item_count; i++)
        if (st->items[i].kind == INPUT_SCRIPT)
            files[count++] = st->items[i].text;
    for (unsigned i = 0; i < st->allowed_count; i++)
        files[count++] = st->allowed[i];
    int rc = sh->programs->confine(files, sh->cache, &sh->scratch, e);
    free(files);
    return rc;
}

static int run(struct start *st)
{
    struct shell *sh = st->sh;
    struct err e;
    bool terminal = tty_is(STDIN_FILENO);
    bool reads = !sh->talking && (sh->prompting || !st->script_count);
    bool prompt = terminal && reads;
    bool from_stdin = !terminal && reads;
    /* the banner comes before the files load */
    bool greets_first = (prompt && !st->script_count) || sh->talking;
    if (sh->talking && sh->json)
        return wrong_usage("%s", "--talk prints the objects of --json too: leave out --json", NULL);
    sh->prompting = prompt || sh->talking;
    sh->reads_stdin = from_stdin;
    if (sh->talking && talk_begin(sh, &st->talk) != 0)
        return wrong_usage("%s", "out of memory", NULL);
    set_bounds(st);
    if (shell_open(sh, &e) != 0)
        return wrong_usage("--device: %s", e.text, NULL);
    if (sh->safe && confine(st, &e) != 0) {
        fprintf(stderr, "cudalab: --safe: %s\n", e.text);
        return USAGE;
    }
    interrupt_watch(&sh->session.stop);
    if (greets_first)
        shell_greet(sh);
    int before = sh->failures;
    for (unsigned i = 0; i < st->item_count && !shell_done(sh); i++)
        run_item(sh, &st->items[i]);
    if (greets_first)
        sh->failures = before;
    if (from_stdin && !shell_done(sh))
        run_stdin(sh);
    scripting_sums_up(sh);
    if (sh->talk)
        talk_serve(sh);
    if (prompt && !greets_first && !shell_done(sh))
        shell_greet(sh);
    if (prompt && !shell_done(sh))
        shell_prompt(sh);
    return shell_status(sh);
}

static int start(int argc, char **argv)
{
    struct shell sh;
    struct start st = {.sh = &sh, .argv = argv, .argc = argc, .at = argc ? 1 : 0};
    struct team team;
    int status = 1;
    shell_init(&sh);
    sh.programs = programs;
    st.items = calloc((size_t)argc + 1, sizeof *st.items);
    st.allowed = calloc((size_t)argc + 1, sizeof *st.allowed);
    sh.session.commands = commands_of_all();
    if (st.items && st.allowed && sh.session.commands) {
        status = read_command_line(&st);
        if (!status)
            status = join_team(&st, &team);
        if (!status)
            status = run(&st);
    }
    if (sh.talk)
        talk_end(&sh);
    shell_close(&sh);
    status = leave_team(&sh, status);
    free(st.items);
    buf_free(&st.run);
    free(st.allowed);
    free(st.cache);
    free((void *)(uintptr_t)sh.session.commands);
    return status;
}

/* Launches take and give back the same memory again and again, and the system is slow to hand it
 * out. So some of it is kept. */
static void keep_memory(void)
{
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, 32 << 20);
    mallopt(M_TRIM_THRESHOLD, 64 << 20);
    mallopt(M_TOP_PAD, 4 << 20);
#endif
}

int main(int argc, char **argv)
{
    int status;
    if (device_serve(argc, argv, &status))
        exit(status); /* cudalab's own other half, started by dev/gpu/link.c */
    if (programs && programs->serve(argc, argv, &status))
        exit(status); /* and another, started by programs/nvrtc.c */
    keep_memory();
    setlocale(LC_CTYPE, ""); /* never LC_ALL: a decimal comma is no number here */
    keep_standard_files();
    const struct option *asked = asks_only(argc, argv);
    if (asked && asked->kind == OPTION_JUPYTER)
        exit(install_kernel(argv));
    exit(asked ? answer(asked) : start(argc, argv));
}
