// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The number of descriptors this process may have open.
package enum DescriptorLimit {
    #if canImport(Glibc)
        private static let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
        private static let resource = RLIMIT_NOFILE
    #endif

    /// The limit in force.
    package static var current: Int {
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { return 256 }
        return limit.rlim_cur > 1 << 30 ? 1 << 30 : Int(limit.rlim_cur)
    }

    /// Raises the limit to the hard one.
    package static func raise() {
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { return }
        limit.rlim_cur = limit.rlim_max
        #if canImport(Darwin)
            // Darwin refuses more than OPEN_MAX, whatever the hard limit says.
            limit.rlim_cur = min(limit.rlim_max, rlim_t(OPEN_MAX))
        #endif
        _ = setrlimit(resource, &limit)
    }

    /// Descriptors kept back from connections, for files, logs and the loops: an eighth of the limit, at least 40.
    package static var reserve: Int { max(40, current / 8) }
}
