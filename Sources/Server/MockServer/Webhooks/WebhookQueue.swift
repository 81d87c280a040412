// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPServer
import MockapiHTTPWire
import MockapiJSONText
import MockapiMetering
import Synchronization

/// Sends the webhooks of a server, each in a task of its own and no more than some at once, and ends those that are left when the server stops.
final class WebhookQueue: Sendable {
    /// Webhooks that wait or are under way; more are not sent. 1,000.
    static let limit = 1_000
    /// Requests that are under way at once. 16.
    static let width = 16
    /// Webhooks to one receiver that wait or are under way: a half of all, so that a silent receiver leaves room for others. 500.
    static let receiverLimit = limit / 2
    /// Requests to one receiver that are under way at once. 8.
    static let receiverWidth = width / 2
    /// Bytes of requests and responses that templates of webhooks wait with, and of contents that are rendered; one more is not sent, unless it is the
    /// only one. 32 MiB.
    static let sizeLimit = 32 * 1024 * 1024
    /// How long those that are cancelled may take to notice it. 1 s.
    private static let patience = Duration.seconds(1)

    /// A webhook that is due, and the request that it is for.
    struct Call: Sendable {
        var webhook: Webhook
        /// The data that its templates are rendered with; nil if it has none.
        let occasion: WebhookOccasion?
        /// The value of its `Via` line.
        let trail: WebhookTrail
        /// The number of the request in the journal.
        let sequence: UInt64
        /// When the request had come, in nanoseconds of the monotonic clock.
        let receivedAt: UInt64
        /// Milliseconds before it is sent.
        let delay: Int

        /// Bytes of its content, if that was rendered.
        var made = 0

        /// Bytes that it holds; the stub's own are there in any case.
        var size: Int { made + (occasion?.size ?? 0) }

        /// Scheme and authority of its URL as the stub has it.
        var receiver: String {
            let url = webhook.url.utf8
            guard let scheme = url.firstRange(of: "://".utf8) else { return webhook.url }
            return String(webhook.url[..<(url[scheme.upperBound...].firstIndex(of: UInt8(ascii: "/")) ?? url.endIndex)])
        }
    }

    private struct State {
        var count: UInt64 = 0
        var tasks: [UInt64: Task<Void, Never>?] = [:]
        /// How many wait or are under way, by receiver.
        var receivers: [String: Int] = [:]
        /// Bytes that wait with all of them.
        var size = 0
        var active = 0
        /// How many are under way, by receiver.
        var activeReceivers: [String: Int] = [:]
        var waiting: [(receiver: String, continuation: CheckedContinuation<Void, Never>)] = []
        var isStopped = false
        /// How often all that waited was given up.
        var resets: UInt64 = 0

        /// Takes bytes; false if they are too many.
        mutating func hold(_ bytes: Int) -> Bool {
            guard size == 0 || bytes <= WebhookQueue.sizeLimit - size else { return false }
            size += bytes
            return true
        }

        mutating func take(for receiver: String) {
            active += 1
            activeReceivers[receiver, default: 0] += 1
        }

        func hasPlace(for receiver: String) -> Bool {
            active < WebhookQueue.width && activeReceivers[receiver, default: 0] < WebhookQueue.receiverWidth
        }
    }

    private let forwarder: any RequestForwarder
    private let events: SubEvents
    /// Called with a line on a webhook that was not sent, or got no response.
    private let tell: @Sendable (String) -> Void
    private let state = Mutex(State())
    private let ends = Notices()
    /// Templates are rendered beside the threads that all tasks share.
    private let executor = WorkExecutor()

    init(_ forwarder: any RequestForwarder, events: SubEvents, tell: @escaping @Sendable (String) -> Void) {
        self.forwarder = forwarder
        self.events = events
        self.tell = tell
    }

    /// How many webhooks wait or are under way.
    var count: Int { state.withLock { $0.tasks.count } }

    func add(_ call: Call) {
        guard !call.trail.isTooLong else {
            let text =
                "508: \(WebhookTrail.limit) webhooks of this server have led to this request: this one is not sent"
            return fail(text, call)
        }
        let receiver = call.receiver
        let place = state.withLock { state -> (number: UInt64, resets: UInt64)? in
            guard !state.isStopped, state.tasks.count < Self.limit,
                state.receivers[receiver, default: 0] < Self.receiverLimit, state.hold(call.size)
            else { return nil }
            state.count += 1
            state.tasks[state.count] = .some(nil)
            state.receivers[receiver, default: 0] += 1
            return (state.count, state.resets)
        }
        guard let (number, resets) = place else {
            let text =
                "more than \(Self.limit) webhooks wait, \(Self.receiverLimit) of them for one receiver, or with more than \(Self.sizeLimit / 1_048_576) MiB, or the server stops: this one is not sent"
            return fail(text, call)
        }
        let task = Task(executorPreference: executor) { [self] in
            let size = await run(call, for: receiver)
            state.withLock { state in
                _ = state.tasks.removeValue(forKey: number)
                Self.drop(receiver, from: &state.receivers)
                state.size -= size
            }
            ends.notify()
        }
        let isOver = state.withLock { state in
            if state.tasks[number] != nil { state.tasks[number] = task }
            return state.isStopped || state.resets != resets
        }
        if isOver { task.cancel() }
    }

    private static func drop(_ receiver: String, from counts: inout [String: Int]) {
        let left = counts[receiver, default: 1] - 1
        counts[receiver] = left > 0 ? left : nil
    }

    /// - Returns: the bytes that it has held.
    private func run(_ waiting: Call, for receiver: String) async -> Int {
        if waiting.delay > 0 { try? await Task.sleep(for: .milliseconds(waiting.delay)) }
        // A webhook that waits for its turn is not rendered yet: the text may be many times as long.
        await enter(for: receiver)
        do throws(TemplateRendering.Failure) {
            let call = try await rendered(waiting)
            await send(call, for: receiver)
            return call.size
        } catch {
            leave(for: receiver)
            fail(error.text, waiting)
            return waiting.size
        }
    }

    /// A webhook as it is sent for its request.
    private func rendered(_ waiting: Call) async throws(TemplateRendering.Failure) -> Call {
        guard let occasion = waiting.occasion, !Task.isCancelled else { return waiting }
        let stop = WorkStop()
        let result = await withTaskCancellationHandler {
            Result { () throws(TemplateRendering.Failure) in try occasion.rendered(waiting.webhook, stop: stop) }
        } onCancel: {
            stop.ask()
        }
        var call = waiting
        call.webhook = try result.get()
        guard waiting.webhook.templates?.body != nil else { return call }
        if let fault = RenderedJSON.fault(of: call.webhook.body, call.webhook.headers) {
            tell(line(call, "the body that was rendered \(fault); it is sent as it is"))
        }
        call.made = call.webhook.body.count
        guard state.withLock({ $0.hold(call.made) }) else {
            throw TemplateRendering.Failure(
                text: "webhooks hold more than \(Self.sizeLimit / 1_048_576) MiB: this one is not sent")
        }
        return call
    }

    /// Sends a webhook that has its turn, which ends with it.
    private func send(_ call: Call, for receiver: String) async {
        let webhook = call.webhook
        let request = OwnRequest(
            method: webhook.method, url: webhook.url,
            fields: webhook.headers.map { WireField($0.name, $0.value) } + [WireField("Via", call.trail.via)],
            body: webhook.body)
        for attempt in 0...(webhook.retry?.times ?? 0) {
            if attempt > 0, let delay = webhook.retry?.delay, delay > 0 {
                try? await Task.sleep(for: .milliseconds(delay))
            }
            if attempt > 0 { await enter(for: receiver) }
            guard !Task.isCancelled else { return leave(for: receiver) }
            events.add(SubEvent.request(request), to: call.sequence, since: call.receivedAt)
            let outcome = await forwarder.send(request)
            leave(for: receiver)
            switch outcome {
            case .response(let status, let fields, let body):
                events.add(SubEvent.response(status, fields, body), to: call.sequence, since: call.receivedAt)
                if status < 500, status != 429 { return }
                if attempt == webhook.retry?.times ?? 0 { tell(line(call, "was answered \(status)")) }
            case .failed(let text):
                guard !Task.isCancelled else { return }
                fail(text, call)
            }
        }
    }

    private func fail(_ text: String, _ call: Call) {
        events.add(SubEvent.failure(text), to: call.sequence, since: call.receivedAt)
        tell(line(call, text))
    }

    private func line(_ call: Call, _ text: String) -> String {
        "the webhook \(call.webhook.method) \(call.webhook.url): \(text)".printable
    }

    private func enter(for receiver: String) async {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                guard state.hasPlace(for: receiver) else {
                    state.waiting.append((receiver, continuation))
                    return false
                }
                state.take(for: receiver)
                return true
            }
            if isFree { continuation.resume() }
        }
    }

    /// Gives the place to the webhook that has waited longest among those whose receiver has one.
    private func leave(for receiver: String) {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            state.active -= 1
            Self.drop(receiver, from: &state.activeReceivers)
            guard let index = state.waiting.firstIndex(where: { state.hasPlace(for: $0.receiver) }) else { return nil }
            let waiting = state.waiting.remove(at: index)
            state.take(for: waiting.receiver)
            return waiting.continuation
        }
        next?.resume()
    }

    /// Gives up all that waits or is under way.
    func reset() {
        let tasks = state.withLock { state in
            state.resets += 1
            return state.tasks.values.compactMap(\.self)
        }
        for task in tasks { task.cancel() }
    }

    /// Cancels all that is left, takes nothing more, and returns when it has ended or has not noticed in time.
    func stop() async {
        let tasks = state.withLock { state in
            state.isStopped = true
            return state.tasks.values.compactMap(\.self)
        }
        for task in tasks { task.cancel() }
        guard state.withLock({ !$0.tasks.isEmpty }) else { return }
        _ = try? await ends.wait(Self.patience) { state.withLock { $0.tasks.isEmpty } }
    }
}
