// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Dispatch
import Synchronization
import Upstream

/// Hands exchanges to the recorder, one after the other in the order they ended.
final class RecordingQueue: Sendable {
    /// Bytes of content in memory that wait to be written before further requests wait. 64 MiB.
    static let highWater = 64 * 1024 * 1024

    enum Item: Sendable {
        /// The notes are told with the outcome; the samples are being asked for.
        case exchange(Exchange, samples: Task<[Exchange], Never>? = nil, notes: [String] = [])
        case failure(OutgoingRequest, String)

        /// What it holds in memory.
        var size: Int {
            switch self {
            case .exchange(let exchange, _, _): exchange.size
            case .failure: 0
            }
        }
    }

    private struct State {
        /// Requests under way, and items that wait or are written.
        var open = 0
        var bytes = 0
        var waitingForRoom: [@Sendable () -> Void] = []
        var waitingForTheEnd: [@Sendable () -> Void] = []
    }

    let directory: String
    private let state = Mutex(State())
    private let items: AsyncStream<Item>.Continuation

    init(_ recorder: Recorder, _ report: any RecordingReport) {
        directory = recorder.directory
        let (stream, continuation) = AsyncStream.makeStream(of: Item.self)
        items = continuation
        let executor = QueueTaskExecutor(DispatchQueue(label: "mockapi.recording"))
        let leave: @Sendable (Int) -> Void = { [weak self] in self?.leave($0) }
        Task(executorPreference: executor) {
            await recorder.write(stream) { outcome, item in
                report.finished(outcome)
                leave(item.size)
            }
            withExtendedLifetime(executor) {}
        }
    }

    deinit {
        items.finish()
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

    /// A request that `enter` let in is done; what it gave to be recorded may still wait.
    func leave() {
        leave(0)
    }

    func add(_ item: Item) {
        state.withLock { state in
            state.open += 1
            state.bytes += item.size
        }
        items.yield(item)
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

    private func leave(_ size: Int) {
        let waiting = state.withLock { state in
            state.open -= 1
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

extension Recorder {
    /// Writes items as they come, without leaving the recorder's queue between two that are there.
    fileprivate func write(
        _ items: AsyncStream<RecordingQueue.Item>, tell: @Sendable (RecordingOutcome, RecordingQueue.Item) -> Void
    ) async {
        for await item in items { tell(await write(item), item) }
    }

    /// One whose request is asked again waits for that, so that items are written in their order.
    private func write(_ item: RecordingQueue.Item) async -> RecordingOutcome {
        switch item {
        case .exchange(let exchange, let samples, let notes):
            var outcome = record(exchange, samples: await samples?.value ?? [])
            outcome.notes += notes
            return outcome
        case .failure(let request, let text):
            return failed(
                method: request.method, origin: request.origin.text, target: request.target, fields: request.fields,
                text)
        }
    }
}

extension Exchange {
    /// Bytes it holds in memory.
    fileprivate var size: Int {
        guard case .bytes(let bytes) = content.storage else { return requestBody.count }
        return requestBody.count + bytes.count
    }
}
