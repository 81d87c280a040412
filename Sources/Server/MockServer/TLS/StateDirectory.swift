// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Where data that is made once is kept for the next time (XDG Base Directory Specification).
enum StateDirectory {
    /// `$XDG_STATE_HOME/mockapi`, else `~/.local/state/mockapi`, where `~` is a directory in `/tmp` for a user without a home.
    static var path: String {
        if let base = variable("XDG_STATE_HOME"), base.hasPrefix("/") { return base + "/mockapi" }
        return home + "/.local/state/mockapi"
    }

    private static var home: String {
        if let home = variable("HOME") { return home }
        guard let entry = getpwuid(getuid()), let directory = entry.pointee.pw_dir else {
            return "/tmp/mockapi-\(getuid())"
        }
        return String(cString: directory)
    }

    private static func variable(_ name: String) -> String? {
        guard let value = getenv(name), value.pointee != 0 else { return nil }
        return String(cString: value)
    }
}
