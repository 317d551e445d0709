// SPDX-License-Identifier: GPL-3.0-or-later
// launch: 1 32: f32[] 1, i32 4
struct Vec {
    float x;
    float y;
};

struct Particle {
    Vec pos;
    Vec vel;
    int bounces;
    bool alive;
};

__device__ void advance(Particle *p, float dt) {
    p->pos.x += p->vel.x * dt;
    p->pos.y += p->vel.y * dt;
    if (p->pos.y < 0.0f) {
        p->pos.y = -p->pos.y;
        p->vel.y *= -0.5f;
        p->bounces++;
    }
    p->alive = p->bounces < 2;
}

extern "C" __global__ void particles(float *y, int steps) {
    int i = threadIdx.x;
    Particle p = {{0.0f, y[i]}, {1.0f, -0.25f * i}, 0, true};
    float time = 0.0f;
    for (int s = 0; s < steps && p.alive; s++) {
        float dt = 0.5f;
        advance(&p, dt);
        time += dt;
    }
    y[i] = p.pos.x + p.pos.y;
    y[i + 64] = (float)p.bounces;
    y[i + 128] = time;
}
