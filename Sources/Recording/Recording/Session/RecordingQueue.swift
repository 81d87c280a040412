// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Dispatch
import MockapiProxy
import MockapiUpstream
import Synchronization

/// Hands exchanges to the recorder in the order they ended: all that have come while it wrote those before.
final class RecordingQueue: Sendable {
    /// Bytes of content in memory that wait to be written before further requests wait. 64 MiB.
    static let highWater = 64 * 1024 * 1024
    /// Bytes of content, of the request and of the response, that are read on the event loop to see whether they are recorded. 256 KiB.
    private static let recognisedSize = 256 * 1024

    enum Item: Sendable {
        /// The notes are reported with the outcome; the samples are being fetched.
        case exchange(Exchange, samples: Task<[Exchange], Never>? = nil, notes: [String] = [])
        case failure(OutgoingRequest, String)
        /// The outcome of a response that was recognised when it came.
        case repeated(RecordingOutcome)

        /// The bytes that it holds in memory.
        var size: Int {
            switch self {
            case .exchange(let exchange, _, _): exchange.size
            case .failure: 0
            // Its words wait until the report is read.
            case .repeated: 1024
            }
        }

        /// Whether it may change which responses are known.
        fileprivate var isWritten: Bool {
            if case .repeated = self { false } else { true }
        }

        var isSampled: Bool {
            if case .exchange(_, .some, _) = self { true } else { false }
        }
    }

    private struct State {
        /// Items in the order they came.
        var waiting: [Item] = []
        /// Items that are being written.
        var written = 0
        /// Items that wait or are written, without the repeated ones.
        var unsettled = 0
        /// Requests under way, and items that wait or are written.
        var open = 0
        var bytes = 0
        var waitingForRoom: [@Sendable () -> Void] = []
        var waitingForTheEnd: [@Sendable () -> Void] = []
    }

    let directory: String
    private let recorder: Recorder
    private let report: any RecordingReport
    private let state = Mutex(State())
    private let isFilled: AsyncStream<Void>.Continuation

    init(_ recorder: Recorder, _ report: any RecordingReport) {
        directory = recorder.directory
        self.recorder = recorder
        self.report = report
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        isFilled = continuation
        let executor = QueueTaskExecutor(DispatchQueue(label: "mockapi.recording"))
        Task(executorPreference: executor) { [weak self] in
            for await _ in stream {
                while let group = self?.next(), !group.isEmpty {
                    for outcome in await Self.write(group, recorder) { report.finished(outcome) }
                    self?.leave(group)
                }
            }
            withExtendedLifetime(executor) {}
        }
    }

    deinit {
        isFilled.finish()
    }

    /// How many responses have come and are not on the disk.
    var unwritten: Int { state.withLock { $0.waiting.count + $0.written } }

    /// The most responses that are written together. 512.
    private static let groupLimit = 512

    /// The next items that are written together: all that wait, but one by itself whose request is asked again.
    private func next() -> [Item] {
        state.withLock { state in
            let alone = state.waiting.firstIndex { $0.isSampled } ?? state.waiting.count
            let count = min(max(alone, 1), Self.groupLimit, state.waiting.count)
            let group = Array(state.waiting.prefix(count))
            state.waiting.removeFirst(count)
            state.written = count
            return group
        }
    }

    /// Writes items, and returns their outcomes in the same order.
    private static func write(_ group: [Item], _ recorder: Recorder) async -> [RecordingOutcome] {
        var captured: [Recorder.Captured] = []
        for case .exchange(let exchange, let samples, _) in group {
            captured.append((exchange, await samples?.value ?? []))
        }
        var recorded = await recorder.record(captured)[...]
        var outcomes: [RecordingOutcome] = []
        for item in group {
            switch item {
            case .exchange(_, _, let notes):
                guard var outcome = recorded.popFirst() else { continue }
                outcome.notes += notes
                outcomes.append(outcome)
            case .failure(let request, let text):
                outcomes.append(
                    await recorder.failed(
                        method: request.method, origin: request.origin.text, target: request.target,
                        fields: request.fields, text))
            case .repeated(let outcome): outcomes.append(outcome)
            }
        }
        return outcomes
    }

    /// A request begins; it waits while too much waits to be written.
    func enter() async {
        await withCheckedContinuation { continuation in enter { continuation.resume() } }
    }

    /// The same; calls when the request may go on, at once or later and from any thread.
    func enter(then go: @escaping @Sendable () -> Void) {
        let mayGo = state.withLock { state in
            state.open += 1
            if state.bytes < Self.highWater { return true }
            state.waitingForRoom.append(go)
            return false
        }
        if mayGo { go() }
    }

    /// A request that `enter` let in is done; its items may still wait to be recorded.
    func leave() {
        leave(0, count: 1, unsettled: 0)
    }

    private func leave(_ group: [Item]) {
        leave(
            group.reduce(0) { $0 + $1.size }, count: group.count,
            unsettled: group.reduce(0) { $0 + ($1.isWritten ? 1 : 0) })
    }

    func add(_ item: Item) {
        state.withLock { state in
            state.open += 1
            state.bytes += item.size
            if item.isWritten { state.unsettled += 1 }
            state.waiting.append(item)
        }
        isFilled.yield()
    }

    /// Hands over a response that has passed; one that is recorded as it is need not wait for the recorder.
    func add(_ passed: PassedExchange, samples: Task<[Exchange], Never>? = nil, notes: [String] = []) {
        guard samples == nil, var outcome = repeated(passed) else {
            return add(.exchange(passed.exchange, samples: samples, notes: notes))
        }
        outcome.notes += notes
        if report.waits(for: outcome) { add(.repeated(outcome)) } else { report.finished(outcome) }
    }

    /// The outcome of a response that is recorded as it is, and before which nothing waits that may change that.
    private func repeated(_ passed: PassedExchange) -> RecordingOutcome? {
        guard passed.sizeInMemory.map({ $0 <= Self.recognisedSize }) ?? false, state.withLock({ $0.unsettled == 0 })
        else { return nil }
        let digest = passed.digest(recorder.repeats.treatments)
        return state.withLock { $0.unsettled == 0 ? recorder.repeats.take(digest) : nil }
    }

    /// Returns when no request is under way and all is recorded.
    func drain() async {
        await withCheckedContinuation { continuation in
            let isDone = state.withLock { state in
                if state.open == 0 { return true }
                state.waitingForTheEnd.append { continuation.resume() }
                return false
            }
            if isDone { continuation.resume() }
        }
    }

    private func leave(_ size: Int, count: Int, unsettled: Int) {
        let waiting = state.withLock { state in
            state.open -= count
            state.unsettled -= unsettled
            state.bytes -= size
            var waiting: [@Sendable () -> Void] = []
            if state.bytes < Self.highWater { swap(&waiting, &state.waitingForRoom) }
            if state.open == 0 {
                waiting += state.waitingForTheEnd
                state.waitingForTheEnd = []
            }
            return waiting
        }
        for goOn in waiting { goOn() }
    }
}

extension Exchange {
    /// Bytes it holds in memory.
    fileprivate var size: Int {
        guard case .bytes(let bytes) = content.storage else { return requestBody.count }
        return requestBody.count + bytes.count
    }
}
