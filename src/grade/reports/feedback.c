/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A text for each student.
 */
#include "grade/reports/form.h"

const struct mark_form form_feedback = {.name = "feedback",
                                        .ending = "txt",
                                        .help = "a text for each student",
                                        .one = true,
                                        .joins = true,
                                        .most = 1000000,
                                        .write = student_text};
