// SPDX-License-Identifier: GPL-3.0-or-later
// launch: 1 32: i32[] 0 step 1, i32[] 0
class Counter {
public:
    __device__ Counter(int start, int step) : value(start), step(step), calls(0) {
    }
    __device__ int next() {
        int before = value;
        value += step;
        calls++;
        return before;
    }
    __device__ int used() const {
        return calls;
    }

private:
    int value;
    int step;
    int calls;
};

extern "C" __global__ void counterclass(const int *x, int *out) {
    int tid = threadIdx.x;
    int data[4] = {x[tid], x[tid + 1], x[tid + 2], x[tid + 3]};
    Counter up(tid, 2); // set: up
    Counter down(100, -3); // set: down
    int sum = 0;
    for (int d : data) {
        int weight = up.next();
        if (d % 2 != 0) {
            weight -= down.next();
        }
        sum += d * weight;
    }
    int calls = up.used() * 10 + down.used();
    out[tid] = sum;
    out[tid + 64] = calls;
}
