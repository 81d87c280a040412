// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPServer
import MockapiHTTPWire
import MockapiJSONText
import Synchronization

/// Sends the webhooks of a server, each in a task of its own and no more than some at once, and ends those that are left when the server stops.
final class WebhookQueue: Sendable {
    /// Webhooks that wait or are under way; more are not sent. 1,000.
    static let limit = 1_000
    /// Requests that are under way at once. 16.
    static let width = 16
    /// How long those that are cancelled may take to notice it. 1 s.
    private static let patience = Duration.seconds(1)

    /// A webhook that is due, and the request that it is for.
    struct Call: Sendable {
        var webhook: Webhook
        /// The data that its templates are rendered with; nil where it has none.
        let occasion: WebhookOccasion?
        /// The number of the request in the journal.
        let sequence: UInt64
        /// When the request had come, in nanoseconds of the monotonic clock.
        let receivedAt: UInt64
        /// Milliseconds before it is sent.
        let delay: Int
    }

    private struct State {
        var count: UInt64 = 0
        var tasks: [UInt64: Task<Void, Never>?] = [:]
        var active = 0
        var waiting: [CheckedContinuation<Void, Never>] = []
        var isStopped = false
    }

    private let forwarder: any RequestForwarder
    private let events: SubEvents
    /// Told in a line of what was not sent, or not answered.
    private let tell: @Sendable (String) -> Void
    private let state = Mutex(State())
    private let ends = Notices()

    init(_ forwarder: any RequestForwarder, events: SubEvents, tell: @escaping @Sendable (String) -> Void) {
        self.forwarder = forwarder
        self.events = events
        self.tell = tell
    }

    func add(_ call: Call) {
        let number = state.withLock { state -> UInt64? in
            guard !state.isStopped, state.tasks.count < Self.limit else { return nil }
            state.count += 1
            state.tasks[state.count] = .some(nil)
            return state.count
        }
        guard let number else {
            let text = "more than \(Self.limit) webhooks wait, or the server stops: this one is not sent"
            return fail(text, call)
        }
        let task = Task { [self] in
            await run(call)
            state.withLock { _ = $0.tasks.removeValue(forKey: number) }
            ends.notify()
        }
        let isStopped = state.withLock { state in
            if state.tasks[number] != nil { state.tasks[number] = task }
            return state.isStopped
        }
        if isStopped { task.cancel() }
    }

    private func run(_ call: Call) async {
        if call.delay > 0 { try? await Task.sleep(for: .milliseconds(call.delay)) }
        var call = call
        if let occasion = call.occasion {
            do throws(TemplateRendering.Failure) {
                call.webhook = try occasion.rendered(call.webhook)
            } catch {
                return fail(error.text, call)
            }
        }
        let webhook = call.webhook
        let request = OwnRequest(
            method: webhook.method, url: webhook.url, fields: webhook.headers.map { WireField($0.name, $0.value) },
            body: webhook.body)
        for attempt in 0...(webhook.retry?.times ?? 0) {
            if attempt > 0, let delay = webhook.retry?.delay, delay > 0 {
                try? await Task.sleep(for: .milliseconds(delay))
            }
            await enter()
            guard !Task.isCancelled else { return leave() }
            events.add(SubEvent.request(request), to: call.sequence, since: call.receivedAt)
            let outcome = await forwarder.send(request)
            leave()
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
        "warning: the webhook \(call.webhook.method) \(call.webhook.url): \(text)".printable + "\n"
    }

    private func enter() async {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                guard state.active >= Self.width else {
                    state.active += 1
                    return true
                }
                state.waiting.append(continuation)
                return false
            }
            if isFree { continuation.resume() }
        }
    }

    /// Gives the place to who has waited longest.
    private func leave() {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard !state.waiting.isEmpty else {
                state.active -= 1
                return nil
            }
            return state.waiting.removeFirst()
        }
        next?.resume()
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
