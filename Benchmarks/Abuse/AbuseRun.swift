// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Dispatch
import MockapiWireSupport
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// All abuses at once, each on a thread of its own, and the ordinary clients that measure meanwhile.
final class AbuseRun: Sendable {
    /// What the bouts of one abuse came to.
    struct Tally: Sendable {
        var bouts = 0
        var cut = 0
        var unexpected: [String] = []
    }

    private struct State {
        var tallies: [String: Tally] = [:]
        var figures: [OrdinaryClient.Kind: OrdinaryClient.Figures] = [:]
    }

    private let state = Mutex(State())
    private let isOver = Atomic<Bool>(false)
    private let abuses = DispatchGroup()
    private let clients = DispatchGroup()

    var tallies: [String: Tally] { state.withLock(\.tallies) }
    var figures: [OrdinaryClient.Kind: OrdinaryClient.Figures] { state.withLock(\.figures) }

    /// Does all of it in this process, each abuse once.
    static func once(port: Int, directory: String) -> AbuseRun {
        let run = AbuseRun()
        run.startClients(port: port)
        run.startAbuses(on: Ground(port: port, directory: directory, isFull: false) { true })
        run.abuses.wait()
        run.endClients()
        return run
    }

    /// Repeats each abuse for some time, with nothing beside.
    static func attack(port: Int, directory: String, seconds: Int) -> AbuseRun {
        let run = AbuseRun()
        let end = OrdinaryClient.milliseconds() + Double(seconds) * 1_000
        run.startAbuses(
            on: Ground(port: port, directory: directory, isFull: true) { OrdinaryClient.milliseconds() < end })
        run.abuses.wait()
        return run
    }

    /// Measures while another process attacks, which is a process of its own lest the clients wait for its memory and locks.
    ///
    /// - Parameters:
    ///   - attack: the command line of that process, which prints `lines`.
    ///   - watch: called five times a second.
    static func measure(port: Int, attack: String, watch: @escaping @Sendable () -> Void) -> AbuseRun {
        let run = AbuseRun()
        guard let output = popen(attack, "r") else { return run }
        run.startClients(port: port)
        run.inThread(of: run.clients) {
            while !run.isOver.load(ordering: .acquiring) {
                watch()
                usleep(200_000)
            }
        }
        var line = [CChar](repeating: 0, count: 4_096)
        while fgets(&line, Int32(line.count), output) != nil {
            run.note(line: String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self))
        }
        pclose(output)
        run.endClients()
        return run
    }

    private func startClients(port: Int) {
        for kind in OrdinaryClient.Kind.allCases {
            inThread(of: clients) { [self] in
                let client = OrdinaryClient(kind, port: port)
                while !isOver.load(ordering: .acquiring) {
                    let began = OrdinaryClient.milliseconds()
                    client.ask()
                    let left = OrdinaryClient.period - (OrdinaryClient.milliseconds() - began)
                    if left > 0 { usleep(UInt32(left * 1_000)) }
                }
                state.withLock { $0.figures[kind] = client.figures }
            }
        }
    }

    private func endClients() {
        isOver.store(true, ordering: .releasing)
        clients.wait()
    }

    private func startAbuses(on ground: Ground) {
        for abuse in Abuse.all {
            inThread(of: abuses) { [self] in
                repeat {
                    let outcome = abuse.outcome(on: ground)
                    state.withLock { $0.tallies[abuse.name, default: Tally()].note(outcome) }
                } while ground.isFull && ground.goesOn()
            }
        }
    }

    /// What the abuses came to, for the process that measures.
    var lines: [String] {
        tallies.flatMap { name, tally in
            ["tally\t\(name)\t\(tally.bouts)\t\(tally.cut)"]
                + tally.unexpected.map { "unexpected\t\(name)\t\($0.map { $0.isNewline ? " " : String($0) }.joined())" }
        }
    }

    private func note(line: String) {
        let fields = line.split(separator: "\n")[0].split(separator: "\t", omittingEmptySubsequences: false).map(
            String.init)
        state.withLock { state in
            switch (fields.first, fields.count) {
            case ("tally", 4):
                state.tallies[fields[1], default: Tally()].bouts = Int(fields[2]) ?? 0
                state.tallies[fields[1], default: Tally()].cut = Int(fields[3]) ?? 0
            case ("unexpected", 3): state.tallies[fields[1], default: Tally()].unexpected.append(fields[2])
            default: break
            }
        }
    }

    private func inThread(of group: DispatchGroup, _ body: @escaping @Sendable () -> Void) {
        group.enter()
        BlockingThreads.startThread {
            body()
            group.leave()
        }
    }
}

extension AbuseRun.Tally {
    /// How many unexpected outcomes are told of each abuse.
    private static let told = 3

    fileprivate mutating func note(_ outcome: Abuse.Outcome) {
        bouts += 1
        switch outcome {
        case .asExpected: break
        case .cut: cut += 1
        case .unexpected(let text): if unexpected.count < Self.told { unexpected.append(text) }
        }
    }
}
