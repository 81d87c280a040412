// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

// Counts the heap allocations and the system calls of a process that loads this library before its own: eight counters of 64 bits, in a
// file that whoever started the process reads. What the C library calls of itself is not seen.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

enum { ALLOCATIONS, RECEIVES, SENDS, WAITS, CHANGES, OTHERS, KINDS };

static uint64_t *counts;

__attribute__((constructor)) static void begin(void)
{
    const char *path = getenv("MOCKAPI_COUNTS");
    int file = path ? open(path, O_RDWR) : -1;
    if (file < 0)
        return;
    void *memory = mmap(NULL, KINDS * sizeof *counts, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (memory != MAP_FAILED)
        counts = memory;
    close(file);
}

static void count(int kind)
{
    if (counts)
        __atomic_fetch_add(&counts[kind], 1, __ATOMIC_RELAXED);
}

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

void *malloc(size_t size)
{
    count(ALLOCATIONS);
    return __libc_malloc(size);
}

void *calloc(size_t number, size_t size)
{
    count(ALLOCATIONS);
    return __libc_calloc(number, size);
}

void *realloc(void *memory, size_t size)
{
    count(ALLOCATIONS);
    return __libc_realloc(memory, size);
}

void *memalign(size_t alignment, size_t size)
{
    count(ALLOCATIONS);
    return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size)
{
    *memory = memalign(alignment, size);
    return *memory ? 0 : 12;
}

// The function of the C library behind the one of the same name here.
#define NEXT(name)                                                                                                     \
    static __typeof__(name) *next;                                                                                     \
    if (!next)                                                                                                         \
        next = (__typeof__(name) *)dlsym(RTLD_NEXT, #name)

ssize_t recv(int descriptor, void *bytes, size_t size, int flags)
{
    NEXT(recv);
    count(RECEIVES);
    return next(descriptor, bytes, size, flags);
}

ssize_t recvmsg(int descriptor, struct msghdr *message, int flags)
{
    NEXT(recvmsg);
    count(RECEIVES);
    return next(descriptor, message, flags);
}

ssize_t read(int descriptor, void *bytes, size_t size)
{
    NEXT(read);
    count(OTHERS);
    return next(descriptor, bytes, size);
}

ssize_t pread(int descriptor, void *bytes, size_t size, off_t offset)
{
    NEXT(pread);
    count(OTHERS);
    return next(descriptor, bytes, size, offset);
}

ssize_t pread64(int descriptor, void *bytes, size_t size, off64_t offset)
{
    NEXT(pread64);
    count(OTHERS);
    return next(descriptor, bytes, size, offset);
}

ssize_t write(int descriptor, const void *bytes, size_t size)
{
    NEXT(write);
    count(OTHERS);
    return next(descriptor, bytes, size);
}

ssize_t send(int descriptor, const void *bytes, size_t size, int flags)
{
    NEXT(send);
    count(SENDS);
    return next(descriptor, bytes, size, flags);
}

ssize_t sendmsg(int descriptor, const struct msghdr *message, int flags)
{
    NEXT(sendmsg);
    count(SENDS);
    return next(descriptor, message, flags);
}

ssize_t writev(int descriptor, const struct iovec *pieces, int number)
{
    NEXT(writev);
    count(SENDS);
    return next(descriptor, pieces, number);
}

ssize_t sendfile(int to, int from, off_t *offset, size_t size)
{
    NEXT(sendfile);
    count(SENDS);
    return next(to, from, offset, size);
}

ssize_t sendfile64(int to, int from, off64_t *offset, size_t size)
{
    NEXT(sendfile64);
    count(SENDS);
    return next(to, from, offset, size);
}

int epoll_wait(int set, struct epoll_event *events, int most, int timeout)
{
    NEXT(epoll_wait);
    count(WAITS);
    return next(set, events, most, timeout);
}

int epoll_ctl(int set, int change, int descriptor, struct epoll_event *event)
{
    NEXT(epoll_ctl);
    count(CHANGES);
    return next(set, change, descriptor, event);
}
