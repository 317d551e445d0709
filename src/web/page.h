/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the page of a browser calls; see web.c.
 */
#ifndef WEB_PAGE_H
#define WEB_PAGE_H

void web_look(int columns, int rows, int light, int plain);
const char *web_open(void);
const char *web_line(const char *typed);
const char *web_drop(void);
const char *web_complete(const char *line);
const char *web_json(const char *line);
const char *web_picture(int dark);

#endif
