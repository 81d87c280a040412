// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

#if os(Linux)
    import CMockapiPlatform
#elseif canImport(Darwin)
    import Darwin
#endif

/// How many processors this process may use.
package enum Processors {
    #if os(Linux)
        /// The processors of the affinity mask, or fewer if the control group allows less time; at least 1.
        package static var usable: Int {
            let allowed = Int(cplatform_affinity_count())
            return max(1, min(allowed, quota(from: readText("/sys/fs/cgroup/cpu.max")) ?? allowed))
        }

        private static func readText(_ path: String) -> String? {
            (try? FileReader.readAnything(path, limit: 1024)).flatMap { $0 }.map { String(decoding: $0, as: UTF8.self) }
        }
    #else
        /// The processors that are online; at least 1.
        package static var usable: Int { max(1, sysconf(_SC_NPROCESSORS_ONLN)) }
    #endif

    /// The processors that a line of `cpu.max` (`quota period`, in microseconds) amounts to, rounded up; nil for no limit.
    package static func quota(from line: String?) -> Int? {
        let words = line?.split(whereSeparator: \.isWhitespace) ?? []
        guard words.count == 2, let quota = Int(words[0]), let period = Int(words[1]), quota > 0, period > 0 else {
            return nil
        }
        return (quota + period - 1) / period
    }
}
