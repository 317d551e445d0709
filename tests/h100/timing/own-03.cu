// SPDX-License-Identifier: GPL-3.0-or-later
// One time step of particles that are stored as an array of structs of seven floats.
// Neighbouring threads are 28 bytes apart.
//: small   array in f32 14336 random; array out f32 14336; launch step<<<16, 128>>>(in, out, 0.01, 2048)
//: middle  array in f32 458752 random; array out f32 458752; launch step<<<512, 128>>>(in, out, 0.01, 65536)
//: large   array in f32 29360128 random; array out f32 29360128; launch step<<<32768, 128>>>(in, out, 0.01, 4194304)

struct Particle {
    float x, y, z;
    float vx, vy, vz;
    float mass;
};

__global__ void step(const Particle *in, Particle *out, float dt, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        Particle p = in[i];
        float drag = 1.0f - 0.1f * dt * p.mass;
        p.vx *= drag;
        p.vy *= drag;
        p.vz = p.vz * drag - 9.81f * dt;
        p.x += p.vx * dt;
        p.y += p.vy * dt;
        p.z += p.vz * dt;
        out[i] = p;
    }
}
