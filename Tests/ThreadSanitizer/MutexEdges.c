// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

// Tells the thread sanitizer of the half of Swift's Mutex that it cannot see.
//
// A Mutex that is free is taken and given back by atomics that the compiler puts into the code that uses it, where they are instrumented. One
// that is contended is so by `_lockSlow`, `_tryLockSlow` and `_unlockSlow` of libswiftSynchronization.so, which is not: every access
// behind a contended lock would be reported. This library is loaded before that one, calls it, and says what was acquired and released, at
// the address that the atomics use. Without the sanitizer in the process it only calls.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *self

__attribute__((weak)) void __tsan_acquire(void *address);
__attribute__((weak)) void __tsan_release(void *address);

#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define TRY_LOCK "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

SWIFT void lockSlow(uint32_t thread, SELF) __asm__(LOCK);
SWIFT _Bool tryLockSlow(SELF) __asm__(TRY_LOCK);
SWIFT void unlockSlow(SELF) __asm__(UNLOCK);

static SWIFT void (*realLock)(uint32_t, SELF);
static SWIFT _Bool (*realTryLock)(SELF);
static SWIFT void (*realUnlock)(SELF);

__attribute__((constructor)) static void resolve(void) {
    realLock = dlsym(RTLD_NEXT, LOCK);
    realTryLock = dlsym(RTLD_NEXT, TRY_LOCK);
    realUnlock = dlsym(RTLD_NEXT, UNLOCK);
}

SWIFT void lockSlow(uint32_t thread, SELF) {
    if (!realLock) resolve();
    realLock(thread, self);
    if (__tsan_acquire) __tsan_acquire(self);
}

SWIFT _Bool tryLockSlow(SELF) {
    if (!realTryLock) resolve();
    _Bool isLocked = realTryLock(self);
    if (isLocked && __tsan_acquire) __tsan_acquire(self);
    return isLocked;
}

SWIFT void unlockSlow(SELF) {
    if (__tsan_release) __tsan_release(self);
    if (!realUnlock) resolve();
    realUnlock(self);
}
