// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Runs the abuse and prints what it came to.
enum AbuseReport {
    /// Seconds that a server has to come to rest when the abuse is over.
    private static let rest = 30

    static func print(port: Int, _ server: ServerProcess, directory: String, seconds: Int) {
        // What is made on first use, such as certificates, is there before.
        for kind in OrdinaryClient.Kind.allCases { OrdinaryClient(kind, port: port).ask() }
        let load = server.load(over: 2)
        let memory = server.memory
        let descriptors = server.descriptors
        let time = server.time
        let waitedBefore = server.waited
        let mostDescriptors = Atomic<Int>(0)
        // It is the server that is measured: where processors are short, it and the ordinary clients go first, as if the others had
        // machines of their own.
        let attack = "nice -n 19 '\(CommandLine.arguments[0])' attack \(port) '\(directory)' \(seconds)"
        let began = OrdinaryClient.milliseconds()
        let run = AbuseRun.measure(port: port, attack: attack) {
            mostDescriptors.max(server.descriptors, ordering: .relaxed)
        }
        let took = (OrdinaryClient.milliseconds() - began) / 1_000
        let used = server.time - time
        let waited = server.waited - waitedBefore

        row("ordinary requests", "answered", "p50 ms", "p99 ms", "most ms", "wrong", "reconnected")
        var all: [Double] = []
        var wrong = 0
        for (kind, figures) in run.figures.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            all += figures.times
            wrong += figures.wrong
            row(
                kind.rawValue, "\(figures.answered)", milliseconds(figures.times, 0.5),
                milliseconds(figures.times, 0.99),
                milliseconds(figures.times, 1), "\(figures.wrong)", "\(figures.reconnected)")
            if let text = figures.firstWrong { Swift.print("  wrong: \(text)") }
        }
        row(
            "all", "\(all.count)", milliseconds(all, 0.5), milliseconds(all, 0.99), milliseconds(all, 1), "\(wrong)", ""
        )

        var unexpected = 0
        let bouts = run.tallies.values.reduce(0) { $0 + $1.bouts }
        let cut = run.tallies.values.reduce(0) { $0 + $1.cut }
        Swift.print("abuse: \(run.tallies.count) kinds, \(bouts) bouts, of which \(cut) were cut off by the server")
        for (name, tally) in run.tallies.sorted(by: { $0.key < $1.key }) {
            unexpected += tally.unexpected.count
            Swift.print("  \(tally.bouts) (\(tally.cut) cut): \(name)")
            for text in tally.unexpected { Swift.print("    unexpected: \(text)") }
        }

        var rested = 0
        while rested < rest, server.descriptors > descriptors + 2 || server.memory > memory + memory / 2 {
            sleep(1)
            rested += 1
        }
        let loadBehind = server.load(over: 3)
        row("the server's process", "before", "most", "behind", "", "", "")
        row("resident MiB", "\(memory / 1024)", "\(server.mostMemory / 1024)", "\(server.memory / 1024)", "", "", "")
        row(
            "descriptors", "\(descriptors)", "\(mostDescriptors.load(ordering: .relaxed))", "\(server.descriptors)", "",
            "", "")
        row("processors used", decimal(load), decimal(used / took), decimal(loadBehind), "", "", "")
        // Where this is much, the machine was too busy for the times above to say much of the server.
        row("processors waited for", "", decimal(waited / took), "", "", "", "")
        Swift.print(
            "figures", decimal(percentile(all, 0.99)), server.mostMemory / 1024, descriptors, server.descriptors,
            decimal(load), decimal(loadBehind), wrong + unexpected)
    }

    private static func percentile(_ times: [Double], _ part: Double) -> Double {
        let sorted = times.sorted()
        guard let last = sorted.last else { return 0 }
        return part >= 1 ? last : sorted[Int(Double(sorted.count - 1) * part)]
    }

    private static func milliseconds(_ times: [Double], _ part: Double) -> String { decimal(percentile(times, part)) }

    /// A number with two places.
    private static func decimal(_ value: Double) -> String {
        let hundredths = Int(max(0, min(value, 1e12)) * 100 + 0.5)
        return "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100)"
    }

    private static func row(_ name: String, _ columns: String...) {
        var line = name + String(repeating: " ", count: max(1, 24 - name.count))
        for column in columns { line += String(repeating: " ", count: max(1, 12 - column.count)) + column }
        Swift.print(line)
    }
}
