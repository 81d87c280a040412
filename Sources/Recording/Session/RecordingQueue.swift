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
        var waitingForRoom: [CheckedContinuation<Void, Never>] = []
        var waitingForTheEnd: [CheckedContinuation<Void, Never>] = []
    }

    let directory: String
    private let state = Mutex(State())
    private let items: AsyncStream<Item>.Continuation

    init(_ recorder: Recorder, _ report: any RecordingReport) {
        directory = recorder.directory
        let (stream, continuation) = AsyncStream.makeStream(of: Item.self)
        items = continuation
        let executor = QueueTaskExecutor(DispatchQueue(label: "mockapi.recording"))
        Task(executorPreference: executor) { [weak self] in
            for await item in stream {
                report.finished(await Self.write(item, recorder))
                self?.leave(item.size)
            }
            withExtendedLifetime(executor) {}
        }
    }

    deinit {
        items.finish()
    }

    /// Has an item written; one whose request is asked again waits for that, so that items are written in their order.
    private static func write(_ item: Item, _ recorder: Recorder) async -> RecordingOutcome {
        switch item {
        case .exchange(let exchange, let samples, let notes):
            var outcome = await recorder.record(exchange, samples: samples?.value ?? [])
            outcome.notes += notes
            return outcome
        case .failure(let request, let text):
            return await recorder.failed(
                method: request.method, origin: request.origin.text, target: request.target, fields: request.fields,
                text)
        }
    }

    /// A request begins; it waits while too much waits to be written.
    func enter() async {
        await withCheckedContinuation { continuation in
            let mayGo = state.withLock { state in
                state.open += 1
                if state.bytes < Self.highWater { return true }
                state.waitingForRoom.append(continuation)
                return false
            }
            if mayGo { continuation.resume() }
        }
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
                state.waitingForTheEnd.append(continuation)
                return false
            }
            if isDone { continuation.resume() }
        }
    }

    private func leave(_ size: Int) {
        let waiting = state.withLock { state in
            state.open -= 1
            state.bytes -= size
            var waiting: [CheckedContinuation<Void, Never>] = []
            if state.bytes < Self.highWater { swap(&waiting, &state.waitingForRoom) }
            if state.open == 0 {
                waiting += state.waitingForTheEnd
                state.waitingForTheEnd = []
            }
            return waiting
        }
        for continuation in waiting { continuation.resume() }
    }
}

extension Exchange {
    /// Bytes it holds in memory.
    fileprivate var size: Int {
        guard case .bytes(let bytes) = content.storage else { return requestBody.count }
        return requestBody.count + bytes.count
    }
}
