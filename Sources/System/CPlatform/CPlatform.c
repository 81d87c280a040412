// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

#define _GNU_SOURCE
#include "CPlatform.h"

#include <string.h>

const void *cplatform_find(const void *text, size_t textCount, const void *needle, size_t needleCount) {
    return memmem(text, textCount, needle, needleCount);
}

#ifdef __linux__

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

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

ssize_t cplatform_send_file(int socket, int file, off_t offset, size_t count) {
    sigset_t pipe, before, waiting;
    sigemptyset(&pipe);
    sigaddset(&pipe, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe, &before);
    // A signal that waits already, because the host blocks it, is the host's.
    int is_hosts = sigismember(&before, SIGPIPE) && sigpending(&waiting) == 0 && sigismember(&waiting, SIGPIPE);
    ssize_t sent = sendfile(socket, file, &offset, count);
    int error = errno;
    // A call that has sent a part may have met the end of the connection behind it.
    if (!is_hosts && (sent < 0 ? error == EPIPE : (size_t)sent < count)) {
        struct timespec none = {0, 0};
        while (sigtimedwait(&pipe, NULL, &none) < 0 && errno == EINTR) {
        }
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = error;
    return sent;
}

int cplatform_make_whole_file(int folder, const char *name, const void *bytes, size_t count) {
    int file = openat(folder, ".", O_TMPFILE | O_WRONLY | O_CLOEXEC, 0644);
    if (file < 0) {
        return -1;
    }
    char path[32];
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    int result = write(file, bytes, count) == (ssize_t)count
        ? linkat(AT_FDCWD, path, folder, name, AT_SYMLINK_FOLLOW)
        : -1;
    int error = errno;
    close(file);
    errno = error;
    return result;
}

int cplatform_sync_file_system(int file) {
    return syncfs(file);
}

void cplatform_map_large_blocks(int size, int spare) {
#ifdef M_MMAP_THRESHOLD
    mallopt(M_MMAP_THRESHOLD, size);
    mallopt(M_TRIM_THRESHOLD, spare);
#endif
}

void cplatform_limit_arenas(int count) {
#ifdef M_ARENA_MAX
    mallopt(M_ARENA_MAX, count);
#endif
}

void cplatform_give_back_memory(void) {
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}

size_t cplatform_resident_bytes(void) {
    int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    if (file < 0) {
        return 0;
    }
    char text[96];
    ssize_t count = read(file, text, sizeof text - 1);
    close(file);
    size_t all = 0, resident = 0;
    text[count < 0 ? 0 : count] = 0;
    return sscanf(text, "%zu %zu", &all, &resident) == 2 ? resident * (size_t)sysconf(_SC_PAGESIZE) : 0;
}

#endif
