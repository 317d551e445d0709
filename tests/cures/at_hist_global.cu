// SPDX-License-Identifier: GPL-3.0-or-later
//@ launch array votes u32 2000 random; array tally u32 10 zero; launch tallyVotes<<<8, 250>>>(votes, tally)
//@ kind race-global
//@ cure atomic
#define PARTIES 10
#define TID (blockIdx.x * blockDim.x + threadIdx.x)
#ifdef CURED
#define INC(p) atomicAdd((p), 1u)
#else
#define INC(p) (*(p) += 1u)
#endif

__global__ void tallyVotes(const unsigned int *votes, unsigned int *tally)
{
    unsigned int party = votes[TID] % PARTIES;
    INC(&tally[party]);
}
