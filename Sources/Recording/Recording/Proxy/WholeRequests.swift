// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Dispatch
import MockapiFixtures
import MockapiProxy
import MockapiUpstream
import Synchronization

/// Requests for whole responses that a session makes by itself, beside the clients' requests for less.
final class WholeRequests: Sendable {
    /// A 128-bit hash of a request, without the header fields that differ from request to request.
    private struct Key: Hashable {
        private let first: UInt64
        private let second: UInt64

        init(_ request: OutgoingRequest) {
            var bytes = Array("\(request.origin.text)\n\(request.method)\n\(request.target)\n".utf8)
            for field in request.fields where ResponseHeaders.treatment(of: field.name.lowercased()) != .dropped {
                bytes += Array("\(field.name.lowercased()):".utf8) + field.bytes + [UInt8(ascii: "\n")]
            }
            first = ContentHash.of(bytes)
            second = ContentHash.of(bytes, seed: 0x9B05_688C_2B3E_6C1F)
        }
    }

    private struct State {
        var known: Set<Key> = []
        var tasks: [Int: Task<Void, Never>] = [:]
        var count = 0
        var isEnding = false
    }

    /// Requests that are remembered; beyond them all are forgotten, and each is made once more. 65,536.
    private static let limit = 65_536
    /// How long they may take once the session ends. 5 s.
    private static let grace = DispatchTimeInterval.seconds(5)

    private let state = Mutex(State())

    /// - Returns: false for a request that was made already, or comes too late.
    func insert(_ request: OutgoingRequest) -> Bool {
        let key = Key(request)
        return state.withLock { state in
            if state.isEnding { return false }
            if state.known.count >= Self.limit { state.known.removeAll() }
            return state.known.insert(key).inserted
        }
    }

    /// Does the work of one, which `end` cuts short.
    func run(_ work: @escaping @Sendable () async -> Void) {
        state.withLock { state in
            let number = state.count
            state.count += 1
            state.tasks[number] = Task { [weak self] in
                await work()
                self?.state.withLock { $0.tasks[number] = nil }
            }
        }
    }

    /// Begins none any more, and cuts those that are under way after a while.
    func end() {
        state.withLock { $0.isEnding = true }
        DispatchQueue.global().asyncAfter(deadline: .now() + Self.grace) { [self] in
            for task in state.withLock({ Array($0.tasks.values) }) { task.cancel() }
        }
    }
}

extension RecordingSession {
    /// Records the whole of a response if a client was sent less: it is requested once, however many parts the client asks for.
    ///
    /// - Parameters:
    ///   - request: the client's, without the lines that ask for less.
    ///   - givesRanges: whether the client was sent a part, or that there is none; nil if it asked for none.
    func recordWhole(_ request: OutgoingRequest, givesRanges: Bool?) {
        guard let queue, wholes.insert(request) else { return }
        queue.enter { [self] in
            wholes.run { [self] in
                defer { queue.leave() }
                do throws(CaptureFailure) {
                    guard var exchange = try await capture(request, by: client).exchange?.exchange else { return }
                    guard (200..<300).contains(exchange.head.status) else {
                        exchange.content.removeFile()
                        return fail(
                            request,
                            "a client got a part of it, or a 304, and the request for the whole was answered \(exchange.head.status): it is not recorded"
                        )
                    }
                    exchange.givesRanges = givesRanges
                    queue.add(.exchange(exchange))
                } catch {
                    fail(request, Self.text(error))
                }
            }
        }
    }
}
