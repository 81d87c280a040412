// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

#ifdef __linux__

#define _GNU_SOURCE
#include "CPlatform.h"

#include <malloc.h>
#include <sched.h>
#include <sys/socket.h>

int cplatform_accept(int listener, void *address, unsigned int *length) {
    return accept4(listener, address, length, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

int cplatform_affinity_count(void) {
    cpu_set_t mask;
    if (sched_getaffinity(0, sizeof mask, &mask) != 0) {
        return 1;
    }
    return CPU_COUNT(&mask);
}

void cplatform_map_large_blocks(int size) {
#ifdef M_MMAP_THRESHOLD
    mallopt(M_MMAP_THRESHOLD, size);
#endif
}

#endif
