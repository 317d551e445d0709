/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stand-in for a header of NVIDIA's samples: timers of the host. See helper_cuda.h. */
#ifndef CUDALAB_HELPER_TIMER_H
#define CUDALAB_HELPER_TIMER_H
#ifndef __CUDACC_RTC__

class StopWatchInterface {
public:
    virtual ~StopWatchInterface() {}
    virtual void start() = 0;
    virtual void stop() = 0;
    virtual void reset() = 0;
    virtual float getTime() = 0;
    virtual float getAverageTime() = 0;
};
bool sdkCreateTimer(StopWatchInterface **timer);
bool sdkDeleteTimer(StopWatchInterface **timer);
bool sdkStartTimer(StopWatchInterface **timer);
bool sdkStopTimer(StopWatchInterface **timer);
bool sdkResetTimer(StopWatchInterface **timer);
float sdkGetTimerValue(StopWatchInterface **timer);
float sdkGetAverageTimerValue(StopWatchInterface **timer);

#endif
#endif
