// SPDX-License-Identifier: GPL-3.0-or-later
// launch: 1 32: i32[] 0 step 1, i32[] 0
enum Color {
    RED,
    GREEN = 5,
    BLUE
};

enum class State : unsigned char {
    Idle = 1,
    Running = 2,
    Done = 9
};

__device__ State nextState(State s) {
    if (s == State::Idle) {
        return State::Running;
    }
    return State::Done;
}

extern "C" __global__ void enums(const int *x, int *out) {
    int t = threadIdx.x;
    int v = x[t] % 3;
    Color color = RED;
    if (v == 1) {
        color = GREEN;
    } else if (v == 2) {
        color = BLUE;
    }
    State state = State::Idle;
    int ticks = 0;
    while (state != State::Done && ticks < v) {
        state = nextState(state);
        ticks++;
    }
    int code = static_cast<int>(state) * 100;
    code += color;
    out[t] = code;
    out[t + 64] = ticks;
}
