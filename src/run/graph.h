/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * CUDA graphs. A graph is a list of requests and which of them come before which. Launching it puts
 * its requests into the queue. A graph that was instantiated is a copy of the graph, whose nodes
 * know the nodes that they are copies of.
 */
#ifndef RUN_GRAPH_H
#define RUN_GRAPH_H

#include "run/run.h"

#include "cudalab_runtime_types.h"

struct run_node {
    uint64_t number;          /* the program's handle */
    uint64_t origin;          /* the node that this one is a copy of; 0: none */
    enum cudaGraphNodeType type;
    bool disabled;
    struct run_message message; /* for the queue */
    void *params;             /* of a launch, message.bytes of them */
    uint64_t *after;          /* the nodes that come before it */
    size_t after_count;
    uint64_t child;           /* the graph that this node is; 0: none */
    uint64_t *bodies;         /* of a conditional node: the graphs that it chooses from */
    size_t body_count;
    size_t operation;         /* of the launch that is being made; 0: not yet */
};

struct run_graph {
    uint64_t handle;
    unsigned level;           /* how many graphs it lies in */
    bool is_exec;             /* it was instantiated */
    bool is_child;            /* a node has it: the program doesn't destroy it */
    unsigned long long flags; /* of the instantiation */
    size_t last;              /* the last operation of its last launch */
    struct run_clock clock;   /* of that operation */
    struct run_node **nodes;
    size_t count;
};

/* NULL: there is no such graph. */
struct run_graph *graph_of(const struct run *, uint64_t handle, bool is_exec);
struct run_node *graph_node(const struct run_graph *, uint64_t number);
size_t graph_index(const struct run_graph *, uint64_t number); /* of a node that it has */
/* A node of any graph that was not instantiated; *handle is the graph. */
struct run_node *graph_find(const struct run *, uint64_t number, uint64_t *handle);

enum { GRAPH_LEVELS = 512 }; /* a graph that would lie deeper is refused */
int32_t graph_make(struct run *, unsigned level, uint64_t *handle);
void graph_free(struct run *, uint64_t handle);
/* Adds a node behind others of the graph. Not 0: there is no node. */
int32_t graph_add(struct run *, uint64_t handle, enum cudaGraphNodeType, const struct run_message *,
                  const void *params, const uint64_t *after, size_t count, struct run_node **);
/* The same for what a program asked for: it is checked first, and a child graph is copied. */
int32_t graph_add_request(struct run *, uint64_t graph, enum cudaGraphNodeType,
                          struct run_message *, const void *params, const uint64_t *after,
                          size_t count, uint64_t child, struct run_node **);
/* The request of a node that will bring memory, behind others of the graph. Its address is known
 * from now on. */
int32_t graph_memory(struct run *, const struct run_message *, uint64_t graph,
                     const uint64_t *after, size_t count, uint64_t bytes,
                     struct run_message *inner);
int32_t graph_set(struct run_node *, const struct run_message *, const void *params);
void graph_remove(struct run *, struct run_graph *, struct run_node *);
int32_t graph_add_edge(struct run_node *from, struct run_node *to);
int32_t graph_copy(struct run *, uint64_t from, unsigned level, uint64_t *handle);
/* The nodes in an order in which each comes behind those that it waits for: `place` has the graph's
 * count of numbers. False: some wait for each other. */
bool graph_sort(const struct run_graph *, size_t *place);
int32_t graph_launch(struct run *, const struct run_message *);

/* condition.c: conditional nodes. The node that was added gets its bodies, which are empty graphs;
 * *first is the first of their handles. */
int32_t graph_add_bodies(struct run *, const struct run_graph *, struct run_node *,
                         uint64_t *first);
/* Has each condition that was made for the graph a node? */
bool graph_uses_conditions(const struct run *, const struct run_graph *);
int32_t graph_check_condition(const struct run *, const struct run_message *);
/* Conditions of the graph and of those in it get their first values, before a launch's nodes:
 * *begin is the operation that these come behind. */
int32_t graph_reset_conditions(struct run *, const struct run_graph *, size_t *begin);
/* The request of a conditional node for the queue, and what its bodies may touch. */
struct run_message graph_condition(const struct run_graph *, const struct run_node *);
void graph_guard_bodies(struct run *, size_t operation, const struct run_node *);
/* What was launched reads this graph when it is done. So it is done before the graph changes. */
void graph_settle(struct run *, const struct run_graph *);

#endif
