// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The processes that a command has started and left behind, in whatever process group or session: Linux shows the
/// environment that a process was started with, and each run marks its own. Elsewhere nothing is found.
struct Leftovers {
    /// The variable that tells a run from all others.
    static let variable = "MOCKAPI_RUN"

    /// How long they may take to end after the signal, and again once they are killed. 1 s.
    private static let grace = 100
    private static let graceStep: UInt32 = 10_000
    /// Bytes of an environment that are looked through. 1 MiB.
    private static let environmentLimit = 1024 * 1024

    private let line: [UInt8]
    private let first: pid_t

    /// - Parameters:
    ///   - value: of the variable.
    ///   - first: the command's own number, which is lower than those of all that it started.
    init(of value: String, after first: pid_t) {
        line = Array("\(Self.variable)=\(value)".utf8)
        self.first = first
    }

    /// Asks them to end, kills those that do not, and returns when there are none.
    func end() {
        for signal in [SIGTERM, SIGKILL] {
            var told: Set<pid_t> = []
            for _ in 0..<Self.grace {
                let left = processes
                if left.isEmpty { return }
                // One that was started meanwhile is reported, too.
                for process in left where told.insert(process).inserted { kill(process, signal) }
                usleep(Self.graceStep)
            }
        }
    }

    private var processes: [pid_t] {
        #if canImport(Glibc)
            guard let names = try? TextFile.names(in: "/proc") else { return [] }
            return names.compactMap { pid_t($0) }.filter { $0 > first && isMarked($0) }
        #else
            return []
        #endif
    }

    /// Whether the environment has the line. That of a process that has ended is empty.
    private func isMarked(_ process: pid_t) -> Bool {
        guard let environment = TextFile.read("/proc/\(process)/environ", limit: Self.environmentLimit) else {
            return false
        }
        return environment.split(separator: 0).contains { $0.elementsEqual(line) }
    }
}
