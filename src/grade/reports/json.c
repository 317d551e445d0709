/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * All that is known, as JSON that cudalab reads back: grade/marks-json.h.
 */
#include "grade/reports/form.h"

static void write_json(const struct form_ask *a, struct buf *out)
{
    marks_json(a->marks, out);
}

const struct mark_form form_json = {.name = "json",
                                    .ending = "json",
                                    .help =
                                        "all marks and texts, for other programs and for --compare",
                                    .write = write_json};
