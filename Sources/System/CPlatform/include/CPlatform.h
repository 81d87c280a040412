// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

// What Swift's module of the C library does not export.

#ifndef CPLATFORM_H
#define CPLATFORM_H

/// Has the processor fetch what it will need, where it can, without waiting for it.
static inline void cplatform_prefetch(const void *address) { __builtin_prefetch(address); }

#include <stddef.h>

/// memmem: where bytes stand in others, in time that grows with the sum of their lengths; null where they do not.
const void *cplatform_find(const void *text, size_t textCount, const void *needle, size_t needleCount);

#ifdef __linux__

#include <sys/epoll.h>
#include <sys/inotify.h>
#include <sys/sendfile.h>
#include <sys/timerfd.h>
#include <sys/types.h>

/// accept4 with SOCK_NONBLOCK and SOCK_CLOEXEC; the address is a sockaddr.
int cplatform_accept(int listener, void *address, unsigned int *length);

/// The number of processors in this process's affinity mask; 1 where it cannot be read.
int cplatform_affinity_count(void);

/// sendfile without SIGPIPE, which it has no flag against: the thread blocks the signal meanwhile and takes the one that came.
/// The process's disposition stays as it is.
ssize_t cplatform_send_file(int socket, int file, off_t offset, size_t count);

/// Has malloc map blocks from a size on by themselves, so that they go back to the system when they are freed, and keep so much at the end
/// of its heap that is free.
void cplatform_map_large_blocks(int size, int spare);

/// Has malloc share so many heaps among all threads, where it would make more.
void cplatform_limit_arenas(int count);

/// syncfs: 0, or -1 with errno.
int cplatform_sync_file_system(int file);

/// Makes a file in a folder that has its content from the first moment it has a name; -1 with errno where that cannot be, or the name is taken.
int cplatform_make_whole_file(int folder, const char *name, const void *bytes, size_t count);

/// Gives what malloc holds and nobody uses back to the system.
void cplatform_give_back_memory(void);

/// The memory that the process has in the machine, in bytes; 0 if that is unknown.
size_t cplatform_resident_bytes(void);

#endif

#endif
