/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Walking the help texts by name. The list of embedded files is the list of topics, so that a
 * new text needs no entry anywhere; a word that should lead to it stands in the text itself.
 */
#include "text/topics.h"

#include "os/asset.h"
#include "base/near.h"

#include <stdio.h>
#include <string.h>

static bool name_of(const struct asset *a, char name[TOPIC_NAME])
{
    enum { AROUND = sizeof "help/" - 1 + sizeof ".txt" - 1 };
    size_t n = strlen(a->name);
    if (strncmp(a->name, "help/", 5) != 0 || n <= AROUND || n - AROUND >= TOPIC_NAME ||
        !ends_in(a->name, ".txt"))
        return false;
    memcpy(name, a->name + 5, n - AROUND);
    name[n - AROUND] = '\0';
    return true;
}

struct span topic_also(struct span *text)
{
    struct span rest = *text, line, also = {text->at, 0};
    while (next_line(&rest, &line) && begins(line, "also:")) {
        *text = rest;
        also.n = (size_t)(rest.at - also.at);
    }
    return also;
}

static bool ends_word(char c)
{
    return c == ' ' || c == '\n';
}

/* The next word; the `also:` at the head of each line is none. */
static bool take_word(struct span *words, char word[TOPIC_NAME])
{
    size_t n = 0;
    do {
        words->at += n;
        words->n -= n;
        while (words->n && ends_word(words->at[0])) {
            words->at++;
            words->n--;
        }
        for (n = 0; n < words->n && !ends_word(words->at[n]);)
            n++;
        snprintf(word, TOPIC_NAME, "%.*s", (int)n, words->at);
    } while (strcmp(word, "also:") == 0);
    words->at += n;
    words->n -= n;
    return n > 0;
}

bool topic_next(struct topic_walk *w)
{
    struct span line;
    if (w->also.n && take_word(&w->also, w->word))
        return true;
    while (w->next < assets_count && !name_of(&assets[w->next], w->name))
        w->next++;
    if (w->next >= assets_count)
        return false;
    const struct asset *a = &assets[w->next++];
    struct span text = {(const char *)a->data, a->size};
    w->also = next_line(&text, &line) ? topic_also(&text) : text;
    memcpy(w->word, w->name, TOPIC_NAME);
    return true;
}

bool topic_find(const char *word, char name[TOPIC_NAME])
{
    struct topic_walk w = {.next = 0};
    bool found = false;
    while (topic_next(&w))
        if (near_same(word, w.word) && (!found || strcmp(word, w.word) == 0)) {
            memcpy(name, w.name, TOPIC_NAME);
            found = true;
        }
    return found;
}
