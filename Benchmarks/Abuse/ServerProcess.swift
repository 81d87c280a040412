// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// What a process has of the machine, read from `/proc`.
struct ServerProcess {
    let identifier: Int

    /// Resident memory in KiB.
    var memory: Int { number(in: "status", behind: "VmRSS:") }
    /// The most there was, in KiB.
    var mostMemory: Int { number(in: "status", behind: "VmHWM:") }

    /// Open descriptors.
    var descriptors: Int {
        guard let stream = opendir("/proc/\(identifier)/fd") else { return 0 }
        defer { closedir(stream) }
        var count = 0
        while readdir(stream) != nil { count += 1 }
        // `.` and `..` are none.
        return max(0, count - 2)
    }

    /// Seconds of user and system time.
    var time: Double {
        let fields = text("stat").split(separator: ")").last?.split(separator: " ") ?? []
        guard fields.count > 12, let user = Double(fields[11]), let system = Double(fields[12]) else { return 0 }
        return (user + system) / Double(max(1, sysconf(Int32(_SC_CLK_TCK))))
    }

    /// Seconds that its threads, those there are, have waited for a processor.
    var waited: Double {
        guard let stream = opendir("/proc/\(identifier)/task") else { return 0 }
        defer { closedir(stream) }
        var nanoseconds = 0.0
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 1) { String(cString: $0) }
            }
            let fields = text("task/\(name)/schedstat").split(separator: " ")
            if fields.count == 3 { nanoseconds += Double(fields[1]) ?? 0 }
        }
        return nanoseconds / 1e9
    }

    /// The share of one processor that is used while so many seconds go by.
    func load(over seconds: Int) -> Double {
        let before = time
        sleep(UInt32(seconds))
        return (time - before) / Double(seconds)
    }

    private func number(in file: String, behind name: String) -> Int {
        let line = text(file).split(separator: "\n").first { $0.hasPrefix(name) }
        return line?.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first.flatMap { Int($0) } ?? 0
    }

    private func text(_ name: String) -> String {
        guard let file = fopen("/proc/\(identifier)/\(name)", "r") else { return "" }
        defer { fclose(file) }
        var buffer = [UInt8](repeating: 0, count: 8_192)
        let count = fread(&buffer, 1, buffer.count, file)
        return String(decoding: buffer[..<count], as: UTF8.self)
    }
}
