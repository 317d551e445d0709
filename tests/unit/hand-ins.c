/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Hand-ins of one student and of a class: as files, folders and archives, as Moodle and Canvas name
 * them, and as nobody should hand them in. Each case makes its files in a folder of its own, and
 * says which hand-ins must come of them, with the bytes of all copies.
 */
#include "grade/hand-ins.h"
#include "os/fd.h"
#include "zips.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static int tests_run;

static void ok(bool good, const char *what)
{
    printf("%sok %d - %s\n", good ? "" : "not ", ++tests_run, what);
}

/* ---- files ---------------------------------------------------------------------------- */

/* The folder of this case, and of the copies of each reading. */
struct place {
    char base[200], here[240];
    unsigned cases, reads;
};

static void must(bool good, const char *what)
{
    if (!good) {
        perror(what);
        exit(1);
    }
}

static void begin(struct place *p)
{
    snprintf(p->here, sizeof p->here, "%s/case%u", p->base, ++p->cases);
    must(mkdir(p->here, 0700) == 0 && chdir(p->here) == 0, p->here);
}

static void put_bytes(const struct place *p, const char *name, const void *bytes, size_t n)
{
    must(fd_make_file(p->here, name, bytes, n) == 0, name);
}

static void put_file(const struct place *p, const char *name, const char *text)
{
    put_bytes(p, name, text, strlen(text));
}

static void put_zip(const struct place *p, const char *name, const struct zipped *entries)
{
    struct buf b = zip_made_of(entries, NULL);
    put_bytes(p, name, b.data, b.len);
    buf_free(&b);
}

/* ---- reading -------------------------------------------------------------------------- */

static void tell_file(const char *folder, const struct hand_in *h, const struct hand_in_file *f,
                      struct buf *out)
{
    char path[600];
    struct buf bytes = {0};
    buf_printf(out, " %s", f->name);
    if (f->path && strcmp(f->path, f->name) != 0)
        buf_printf(out, "(%s)", f->path);
    if (f->path) {
        snprintf(path, sizeof path, "%s/%s/%s", folder, h->folder, f->path);
        int fd = open(path, O_RDONLY);
        must(fd >= 0 && fd_read_all(fd, 1 << 20, &bytes) == FD_WHOLE && bytes.len == f->size, path);
        close(fd);
        buf_printf(out, "=%s", buf_text(&bytes));
    }
    if (f->wrong)
        buf_printf(out, "!%s", f->wrong);
    buf_free(&bytes);
}

/* A line for each hand-in: "student#id: NAME=BYTES [wrong] {note}". */
static void tell(struct place *p, const char *const *arguments, struct buf *out)
{
    char folder[300];
    struct hand_ins all;
    struct err e;
    size_t count = 0;
    snprintf(folder, sizeof folder, "%s/copies%u", p->base, ++p->reads);
    must(mkdir(folder, 0700) == 0, folder);
    while (arguments[count])
        count++;
    if (hand_ins_read(&all, arguments, count, &(struct hand_ins_want){.folder = folder}, &e) != 0)
        buf_printf(out, "error: %s\n", e.text);
    for (unsigned i = 0; i < all.count; i++) {
        const struct hand_in *h = &all.at[i];
        buf_printf(out, "%s#%s:", h->student, h->id);
        for (unsigned k = 0; k < h->count; k++)
            tell_file(folder, h, &h->file[k], out);
        if (h->wrong)
            buf_printf(out, " [%s]", h->wrong);
        if (h->note)
            buf_printf(out, " {%s}", h->note);
        buf_putc(out, '\n');
    }
    hand_ins_free(&all);
}

#define ARGUMENTS(...)    \
    (const char *const[]) \
    {                     \
        __VA_ARGS__, NULL \
    }

static void lists(struct place *p, const char *const *arguments, const char *wanted,
                  const char *what)
{
    struct buf told = {0};
    tell(p, arguments, &told);
    const bool same = strcmp(buf_text(&told), wanted) == 0;
    ok(same, what);
    if (!same)
        printf("# wanted: %s\n# got:    %s\n", wanted, buf_text(&told));
    buf_free(&told);
}

/* ---- one student ---------------------------------------------------------------------- */

static void test_one(struct place *p)
{
    begin(p);
    put_file(p, "anna.cu", "a");
    put_file(p, "b/x.cu", "b");
    put_file(p, "b/util.cuh", "");
    put_file(p, "b/data/in.bin", "1");
    put_file(p, "b/.git/config", "2");
    put_file(p, "c/src/x.cu", "c");
    put_zip(p, "d.zip",
            TWO({E("hw/", "")}, {E("hw/x.cu", "hello"), HELLO}, {E("hw/y.h", "")},
                {E("__MACOSX/hw/._x.cu", "3")}, {E("hw/.DS_Store", "4")}));
    put_zip(p, "e.zip", TWO({E("main.cu", "e")}, {E("kernel.cu", "f")}));
    lists(p, ARGUMENTS("anna.cu"), "anna#: anna.cu=a\n", "a file");
    lists(p, ARGUMENTS("b"), "b#: data/in.bin=1 util.cuh= x.cu=b\n", "a folder of one student");
    lists(p, ARGUMENTS("./b/"), "b#: data/in.bin=1 util.cuh= x.cu=b\n", "with a slash");
    lists(p, ARGUMENTS("c"), "c#: src/x.cu=c\n", "a folder with only src in it");
    lists(p, ARGUMENTS("d.zip"), "d#: x.cu=hello y.h=\n", "an archive with an outer folder");
    lists(p, ARGUMENTS("e.zip"), "e#: kernel.cu=f main.cu=e\n", "an archive of two sources");
    lists(p, ARGUMENTS("e.zip", "anna.cu", "b"),
          "anna#: anna.cu=a\nb#: data/in.bin=1 util.cuh= x.cu=b\ne#: kernel.cu=f main.cu=e\n",
          "sorted by name, whatever the order of arguments");
    lists(p, ARGUMENTS("anna.cu", "nobody.cu"),
          "error: `nobody.cu` can't be read: No such file or directory\n",
          "a file that is not there");
    must(chdir("b") == 0, "b");
    lists(p, ARGUMENTS("."), "b#: data/in.bin=1 util.cuh= x.cu=b\n", "the folder that we are in");
}

/* ---- a class -------------------------------------------------------------------------- */

static void test_folder(struct place *p)
{
    begin(p);
    put_file(p, "all/anna.cu", "a");
    put_file(p, "all/ben/x.cu", "b");
    put_file(p, "all/ben/y.cu", "c");
    put_zip(p, "all/cleo.zip", ONE(E("x.cu", "d")));
    put_file(p, "all/zoe.lab", "e");
    lists(p, ARGUMENTS("all"),
          "anna#: anna.cu=a\nben#: x.cu=b y.cu=c\ncleo#: x.cu=d\nzoe#: zoe.lab=e\n",
          "a folder with files, a folder and an archive");
    struct buf a = zip_made_of(ONE(E("x.cu", "a")), NULL),
               b = zip_made_of(ONE(E("x.cu", "b")), NULL);
    put_zip(p, "all.zip",
            TWO({.name = "class/anna.zip", .bytes = "", .raw = &a},
                {.name = "class/ben.zip", .bytes = "", .raw = &b}));
    lists(p, ARGUMENTS("all.zip"), "anna#: x.cu=a\nben#: x.cu=b\n", "an archive of archives");
    buf_free(&a);
    buf_free(&b);

    begin(p);
    put_file(p, "all/anna-2.cu", "new");
    put_file(p, "all/anna.cu", "old");
    put_file(p, "all/team-1.cu", "1");
    put_file(p, "all/team-2.cu", "2");
    lists(p, ARGUMENTS("all"),
          "anna#: anna-2.cu=new {all: anna.cu is left out, because there is a later one.}\n"
          "team-1#: team-1.cu=1\nteam-2#: team-2.cu=2\n",
          "anna-2 is anna, and team-2 is no team-1");
    lists(p, ARGUMENTS("all/anna.cu", "all"),
          "anna#: anna-2.cu=new {all/anna.cu is left out, because there is a later one. "
          "all: anna.cu is left out, because there is a later one.}\n"
          "team-1#: team-1.cu=1\nteam-2#: team-2.cu=2\n",
          "three of one student");
    put_file(p, "more/anna-2.cu", "other");
    lists(p, ARGUMENTS("all/anna-2.cu", "more/anna-2.cu", "all/anna.cu"),
          "anna#: anna-2.cu=other [There are two hand-ins of this student, and nothing says which "
          "one is later: all/anna-2.cu and more/anna-2.cu.] "
          "{all/anna.cu is left out, because there is a later one.}\n",
          "two that are different, and neither is later");
}

#define MOODLE(who, id) who "_" id "_assignsubmission_file_"

static void test_moodle(struct place *p)
{
    static const char wanted[] = "Ada_Lovelace de#100: sub/y.cuh= x.cu=b\n"
                                 "M\xc3\xbcller J\xc3\xb6rg#22: answer.txt=text x.cu=a\n"
                                 "M\xc3\xbcller J\xc3\xb6rg#23: x.cu=c\n";
    begin(p);
    struct buf inner = zip_made_of(TWO({E("x.cu", "b")}, {E("sub/y.cuh", "")}), NULL);
    const struct zipped folders[] = {
        {E(MOODLE("M\xc3\xbcller J\xc3\xb6rg", "23") "/x.cu", "c")},
        {E("M\xc3\xbcller J\xc3\xb6rg_22_assignsubmission_onlinetext_/answer.txt", "text")},
        {E(MOODLE("M\xc3\xbcller J\xc3\xb6rg", "22") "/x.cu", "a")},
        {.name = MOODLE("Ada_Lovelace de", "100") "/all.zip", .bytes = "", .raw = &inner},
        {0}};
    put_zip(p, "moodle.zip", folders);
    lists(p, ARGUMENTS("moodle.zip"), wanted, "Moodle, with folders");
    const struct zipped flat[] = {
        {E(MOODLE("M\xc3\xbcller J\xc3\xb6rg", "23") "x.cu", "c")},
        {E("M\xc3\xbcller J\xc3\xb6rg_22_assignsubmission_onlinetext_answer.txt", "text")},
        {E(MOODLE("M\xc3\xbcller J\xc3\xb6rg", "22") "x.cu", "a")},
        {.name = MOODLE("Ada_Lovelace de", "100") "all.zip", .bytes = "", .raw = &inner},
        {0}};
    put_zip(p, "flat.zip", flat);
    lists(p, ARGUMENTS("flat.zip"), wanted, "Moodle, without folders");
    for (int i = 0; folders[i].name; i++)
        put_bytes(p, folders[i].name, zip_bytes(&folders[i]).at, zip_bytes(&folders[i]).n);
    unlink("moodle.zip");
    unlink("flat.zip");
    lists(p, ARGUMENTS("."), wanted, "the same, unpacked");
    lists(p,
          ARGUMENTS(MOODLE("M\xc3\xbcller J\xc3\xb6rg", "22"),
                    "M\xc3\xbcller J\xc3\xb6rg_22_assignsubmission_onlinetext_"),
          "M\xc3\xbcller J\xc3\xb6rg#22: answer.txt=text x.cu=a\n", "two folders of one student");
    put_file(p, "README", "who am I");
    lists(p, ARGUMENTS("."),
          "Ada_Lovelace de#100: sub/y.cuh= x.cu=b\n"
          "M\xc3\xbcller J\xc3\xb6rg#22: answer.txt=text x.cu=a\n"
          "M\xc3\xbcller J\xc3\xb6rg#23: x.cu=c\n"
          "README#: README=who am I [Its name does not show the student.]\n",
          "a file that is nobody's");
    buf_free(&inner);
}

static void test_canvas(struct place *p)
{
    static const char wanted[] =
        "annabell#12345: main.cu=new util.cuh=u {annabell_12345_67890_main.cu is left out, because "
        "there is a later one.}\n"
        "benx#77: x.cu=late {benx_77_1_x.cu is left out, because there is a later one. "
        "benx_77_2_y.cu is left out, because there is a later one.}\n";
    begin(p);
    put_zip(p, "canvas.zip",
            TWO({E("annabell_12345_67890_main.cu", "old")},
                {E("annabell_12345_67899_main-1.cu", "new")},
                {E("annabell_12345_67891_util.cuh", "u")}, {E("benx_77_1_x.cu", "early")},
                {E("benx_77_2_y.cu", "early")}, {E("benx_LATE_77_9_x-2.cu", "late")}));
    lists(p, ARGUMENTS("canvas.zip"), wanted, "Canvas");
    put_file(p, "c/annabell_12345_67899_main-1.cu", "new");
    put_file(p, "c/annabell_12345_67890_main.cu", "old");
    put_file(p, "c/annabell_12345_67891_util.cuh", "u");
    put_file(p, "c/benx_LATE_77_9_x-2.cu", "late");
    put_file(p, "c/benx_77_2_y.cu", "early");
    put_file(p, "c/benx_77_1_x.cu", "early");
    lists(p, ARGUMENTS("c"), wanted, "Canvas, unpacked");
    lists(p,
          ARGUMENTS("c/benx_77_1_x.cu", "c/annabell_12345_67899_main-1.cu",
                    "c/annabell_12345_67891_util.cuh"),
          "annabell#12345: main.cu=new util.cuh=u\nbenx#77: x.cu=early\n", "file by file");
}

/* ---- what nobody should hand in ------------------------------------------------------- */

static void test_names(struct place *p)
{
    begin(p);
    put_file(p, "all/-rf \n$(reboot);.cu", "a");
    put_file(p, "all/\xff\xfe.cu", "b");
    put_file(p, "all/;x;/a b.cu", "c");
    put_file(p, "all/;x;/a_b.cu", "d");
    put_file(p, "all/;x;/a_b.cu~/z.cuh", "e");
    lists(p, ARGUMENTS("all"),
          "-rf \n$(reboot);#: -rf \n$(reboot);.cu(_rf____reboot__.cu)=a\n"
          ";x;#: a b.cu(a_b.cu)=c a_b.cu(2_a_b.cu)=d a_b.cu~/z.cuh(a_b.cu_/z.cuh)=e\n"
          "\xff\xfe#: \xff\xfe.cu(__.cu)=b\n",
          "names with blanks, newlines and other signs");
    put_zip(p, "up.zip", TWO({E("../../x.cu", "a")}, {E("/etc/y.cu", "b")}, {E("z.cu", "c")}));
    lists(p, ARGUMENTS("up.zip"),
          "up#: ../../x.cu!has a path with `..` /etc/y.cu!has an absolute path z.cu=c\n",
          "an archive that leads out of its folder");
}

static void test_kinds(struct place *p)
{
    begin(p);
    mkdir("a", 0700), mkdir("none", 0700);
    must(mkfifo("a/fifo.cu", 0600) == 0 && symlink("/etc/passwd", "a/link.cu") == 0, "mkfifo");
    put_file(p, "a/x.h", "1");
    put_file(p, "secret", "s");
    must(symlink("../secret", "a/secret.h") == 0 && symlink("..", "a/up") == 0, "symlink");
    put_file(p, "b.cu", "");
    put_bytes(p, "c.cu", "a\0b", 3);
    put_bytes(p, "d.cu", "\177ELF\1\0", 6);
    put_bytes(p, "e.cu", "\377\376a\0", 4);
    put_bytes(p, "f.zip", "PK\3\4 and no more", 15);
    put_file(p, "g.zip", "this is no archive");
    put_zip(p, "h.zip", ONE(.name = NULL));
    put_zip(p, "i.zip", TWO({E("x.cu", "1"), .crc = 1}, {E("y.h", "2")}));
    put_zip(p, "j.zip", ONE(E("x.cu", "secret"), .flags = 1));
    put_file(p, "k.rar", "Rar!...");
    put_file(p, "l/x.cu", "");
    put_file(p, "l/y.cuh", "");
    put_file(p, "l/z.ptx", "");
    put_bytes(p, "m/x.cu", "a\0b", 3);
    put_bytes(p, "m/data.in", "a\0b", 3);
    lists(p,
          ARGUMENTS("a", "b.cu", "c.cu", "d.cu", "e.cu", "f.zip", "g.zip", "h.zip", "i.zip",
                    "j.zip", "k.rar", "l", "m", "none", "/dev/null"),
          "a#: fifo.cu!is a FIFO link.cu!is a link secret.h!is a link up!is a link x.h=1\n"
          "b#: b.cu=!is empty [b.cu is empty.]\n"
          "c#: c.cu=a!has NUL bytes, so it is not a text "
          "[c.cu has NUL bytes, so it is not a text.]\n"
          "d#: d.cu=\177ELF\1!is a compiled program [d.cu is a compiled program.]\n"
          "e#: e.cu=\377\376a!is text in UTF-16, and UTF-8 is needed "
          "[e.cu is text in UTF-16, and UTF-8 is needed.]\n"
          "f#: f.zip!can't be unpacked: the zip archive is damaged: its end is missing "
          "[f.zip can't be unpacked: the zip archive is damaged: its end is missing.]\n"
          "g#: g.zip=this is no archive!is not a zip archive [g.zip is not a zip archive.]\n"
          "h#: h.zip!has no files [h.zip has no files.]\n"
          "i#: x.cu!can't be unpacked: its checksum is wrong: the archive is damaged y.h=2 "
          "[x.cu can't be unpacked: its checksum is wrong: the archive is damaged.]\n"
          "j#: x.cu!is encrypted [x.cu is encrypted.]\n"
          "k#: k.rar=Rar!...!is a RAR archive, and only zip archives are unpacked "
          "[k.rar is a RAR archive, and only zip archives are unpacked.]\n"
          "l#: x.cu=!is empty y.cuh= z.ptx=!is empty\n"
          "m#: data.in=a!has NUL bytes, so it is not a text x.cu=a!has NUL bytes, so it is not a text "
          "[No file can be used, and the first one: data.in has NUL bytes, so it is not a text.]\n"
          "none#: [There is no file in it.]\n"
          "null#: null!is a device [null is a device.]\n",
          "special files, and files that are no text");
    if (geteuid() != 0) {
        put_file(p, "closed.cu", "1");
        chmod("closed.cu", 0);
        lists(p, ARGUMENTS("closed.cu"),
              "closed#: closed.cu!can't be read: Permission denied "
              "[closed.cu can't be read: Permission denied.]\n",
              "no right to read it");
    } else {
        ok(true, "no right to read it # SKIP root may read all files");
    }
}

static void test_large(struct place *p)
{
    begin(p);
    put_file(p, "a.cu", "1");
    must(truncate("a.cu", 100 << 20) == 0, "truncate");
    lists(p, ARGUMENTS("a.cu"),
          "a#: a.cu!has 104857600 bytes, and 67108864 are allowed "
          "[a.cu has 104857600 bytes, and 67108864 are allowed.]\n",
          "100 MiB");
    put_file(p, "b.zip", "1");
    must(truncate("b.zip", 100 << 20) == 0, "truncate");
    lists(p, ARGUMENTS("b.zip"),
          "b#: b.zip!has 104857600 bytes, and 67108864 are allowed "
          "[b.zip has 104857600 bytes, and 67108864 are allowed.]\n",
          "100 MiB that are no archive, though the name says so");
    char name[40];
    for (int i = 0; i < 501; i++) {
        snprintf(name, sizeof name, "many/f%03d.h", i);
        put_file(p, name, "");
    }
    struct buf told = {0};
    tell(p, ARGUMENTS("many"), &told);
    ok(strstr(buf_text(&told), "f499.h= [It has more than 500 files.]\n") != NULL, "501 files");
    buf_free(&told);
    struct buf bomb = zip_made_of(ONE(E("x.cu", ""), EMPTY, .size = 60 << 20), NULL);
    put_bytes(p, "bomb.zip", bomb.data, bomb.len);
    lists(p, ARGUMENTS("bomb.zip"),
          "bomb#: x.cu!has too many bytes for what it is packed in "
          "[x.cu has too many bytes for what it is packed in.]\n",
          "a bomb");
    buf_free(&bomb);
    struct buf inner = zip_made_of(ONE(E("x.cu", "1")), NULL);
    struct buf outer = zip_made_of(ONE(.name = "in.zip", .bytes = "", .raw = &inner), NULL);
    put_bytes(p, "nested.zip", outer.data, outer.len);
    struct buf told_nested = {0};
    tell(p, ARGUMENTS("nested.zip"), &told_nested);
    ok(strstr(buf_text(&told_nested), "!is a zip archive, or a document of an office program"),
       "an archive in an archive of one student");
    buf_free(&told_nested);
    buf_free(&inner);
    buf_free(&outer);
}

/* ---- stopped -------------------------------------------------------------------------- */

static int stop_after(void *self, struct err *e)
{
    int *left = self;
    return (*left)-- > 0 ? 0 : fail(e, "interrupted");
}

static void test_stop(struct place *p)
{
    char folder[300];
    begin(p);
    put_file(p, "a.cu", "1");
    put_file(p, "b.cu", "2");
    snprintf(folder, sizeof folder, "%s/stopped", p->base);
    must(mkdir(folder, 0700) == 0, folder);
    bool good = true;
    for (int n = 0; n < 4; n++) {
        int left = n;
        const struct go_on g = {stop_after, &left};
        struct hand_ins all;
        struct err e = {0};
        good &= hand_ins_read(&all, ARGUMENTS("a.cu", "b.cu"), 2,
                              &(struct hand_ins_want){.folder = folder, .go_on = &g}, &e) == -1 &&
                strcmp(e.text, "interrupted") == 0;
        hand_ins_free(&all);
        rmdir(folder);
        snprintf(folder, sizeof folder, "%s/stopped%d", p->base, n);
        must(mkdir(folder, 0700) == 0, folder);
    }
    ok(good, "it can be stopped at each file");
}

int main(void)
{
    struct place p = {.cases = 0};
    const char *where = getenv("TMPDIR");
    snprintf(p.base, sizeof p.base, "%s/hand-ins.XXXXXX",
             where && strlen(where) < 100 ? where : "/tmp");
    must(mkdtemp(p.base) != NULL, p.base);
    test_one(&p);
    test_folder(&p);
    test_moodle(&p);
    test_canvas(&p);
    test_names(&p);
    test_kinds(&p);
    test_large(&p);
    test_stop(&p);
    char command[300];
    snprintf(command, sizeof command, "rm -rf '%s'", p.base);
    must(chdir("/") == 0 && system(command) == 0, "rm");
    printf("1..%d\n", tests_run);
    return 0;
}
