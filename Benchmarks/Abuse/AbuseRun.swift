// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Dispatch
import Synchronization
import WireSupport

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// All abuses at once, each on a thread of its own, while ordinary clients measure.
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

    /// - Parameters:
    ///   - seconds: how long each abuse is repeated; nil for once.
    ///   - watch: called five times a second.
    static func run(port: Int, directory: String, seconds: Int?, watch: () -> Void = {}) -> AbuseRun {
        let run = AbuseRun()
        run.start(port: port, directory: directory, seconds: seconds)
        while run.abuses.wait(timeout: .now() + .milliseconds(200)) == .timedOut { watch() }
        run.isOver.store(true, ordering: .releasing)
        run.clients.wait()
        return run
    }

    private func start(port: Int, directory: String, seconds: Int?) {
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
        let end = OrdinaryClient.milliseconds() + Double(seconds ?? 0) * 1_000
        let ground = Ground(port: port, directory: directory, isFull: seconds != nil) {
            seconds == nil || OrdinaryClient.milliseconds() < end
        }
        for abuse in Abuse.all {
            inThread(of: abuses) { [self] in
                // It is the server that is measured: where processors are short, it and the ordinary clients go first.
                giveWay()
                repeat {
                    let outcome = abuse.outcome(on: ground)
                    state.withLock { $0.tallies[abuse.name, default: Tally()].note(outcome) }
                } while seconds != nil && ground.goesOn()
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

/// Lets other threads go before the one that calls this.
private func giveWay() {
    #if canImport(Glibc)
        _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 10)
    #endif
}
