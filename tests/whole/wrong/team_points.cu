// wrong: use-after-free
// Points of the teams of a league after all rounds.
#include <stdio.h>
#include <stdlib.h>
#include <cuda_runtime.h>

#define TEAMS 18
#define ROUNDS 34

typedef struct {
    int *points;
    int *goals;
} League;

static void check(cudaError_t e, const char *what)
{
    if (e != cudaSuccess) {
        printf("%s: %s\n", what, cudaGetErrorString(e));
        exit(1);
    }
}

__global__ void play(League l)
{
    int t = threadIdx.x;
    if (t >= TEAMS) return;
    int points = 0, goals = 0;
    for (int r = 0; r < ROUNDS; r++) {
        int own = (t * 3 + r) % 5;
        int other = (t + 2 * r) % 4;
        points += own > other ? 3 : own == other ? 1 : 0;
        goals += own;
    }
    l.points[t] = points;
    l.goals[t] = goals;
}

static void make_league(League *l)
{
    check(cudaMalloc((void **)&l->points, TEAMS * sizeof(int)), "points");
    check(cudaMalloc((void **)&l->goals, TEAMS * sizeof(int)), "goals");
}

static void free_league(League *l)
{
    check(cudaFree(l->points), "free points");
    check(cudaFree(l->goals), "free goals");  // OR HERE
}

int main(void)
{
    int points[TEAMS], goals[TEAMS];
    League league;
    make_league(&league);
    play<<<1, 32>>>(league);
    check(cudaGetLastError(), "launch");
    check(cudaMemcpy(points, league.points, sizeof(points), cudaMemcpyDeviceToHost), "copy points");
    free_league(&league);  // OR HERE

    int best = 0;
    for (int t = 1; t < TEAMS; t++) {
        if (points[t] > points[best]) best = t;
    }
    printf("first place: team %d with %d points\n", best, points[best]);

    check(cudaMemcpy(goals, league.goals, sizeof(goals), cudaMemcpyDeviceToHost), "copy goals");  // HERE
    printf("it has %d goals\n", goals[best]);
    return 0;
}
