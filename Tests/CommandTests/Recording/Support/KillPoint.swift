// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiWireSupport

/// A library that, loaded before all others, kills its process at one of the calls that change files; half of what was to be written is
/// written then.
struct KillPoint {
    private let directory: TemporaryDirectory

    private static let source = """
        #define _GNU_SOURCE
        #include <dlfcn.h>
        #include <fcntl.h>
        #include <signal.h>
        #include <stdarg.h>
        #include <stdio.h>
        #include <stdatomic.h>
        #include <stdlib.h>
        #include <sys/stat.h>
        #include <unistd.h>
        static atomic_int calls;
        static int now(void) {
            const char *at = getenv("KILL_AT");
            return at && atomic_fetch_add(&calls, 1) + 1 == atoi(at);
        }
        static void end(void) { kill(getpid(), SIGKILL); for (;;) pause(); }
        #define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
        int rename(const char *from, const char *to) { if (now()) end(); return REAL(rename)(from, to); }
        int renameat(int a, const char *from, int b, const char *to) { if (now()) end(); return REAL(renameat)(a, from, b, to); }
        int unlinkat(int folder, const char *path, int flags) { if (now()) end(); return REAL(unlinkat)(folder, path, flags); }
        int mkdirat(int folder, const char *path, mode_t mode) { if (now()) end(); return REAL(mkdirat)(folder, path, mode); }
        int linkat(int a, const char *from, int b, const char *to, int flags) { if (now()) end(); return REAL(linkat)(a, from, b, to, flags); }
        int syncfs(int file) { if (now()) end(); return REAL(syncfs)(file); }
        int openat(int folder, const char *path, int flags, ...) {
            va_list list;
            va_start(list, flags);
            mode_t mode = flags & O_CREAT ? va_arg(list, mode_t) : 0;
            va_end(list);
            if (flags & O_CREAT && now()) end();
            return REAL(openat)(folder, path, flags, mode);
        }
        int unlink(const char *path) { if (now()) end(); return REAL(unlink)(path); }
        int mkdir(const char *path, mode_t mode) { if (now()) end(); return REAL(mkdir)(path, mode); }
        int fsync(int file) { if (now()) end(); return REAL(fsync)(file); }
        ssize_t write(int file, const void *bytes, size_t count) {
            struct stat status;
            if (file > 2 && fstat(file, &status) == 0 && S_ISREG(status.st_mode) && now()) {
                REAL(write)(file, bytes, count / 2);
                end();
            }
            return REAL(write)(file, bytes, count);
        }

        """

    init() async throws {
        directory = try TemporaryDirectory(["point.c": Self.source])
        let end = try await Command(line: [
            "/usr/bin/env", "clang", "-shared", "-fPIC", "-o", "\(directory.path)/point.so",
            "\(directory.path)/point.c",
            "-ldl",
        ]).end()
        guard end.code == 0 else { throw ForeignServer.Failure(text: end.errors) }
    }

    /// - Parameter call: counted from 1.
    func environment(call: Int) -> [String: String] {
        ["LD_PRELOAD": "\(directory.path)/point.so", "KILL_AT": "\(call)"]
    }
}
