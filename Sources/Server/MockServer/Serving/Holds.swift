// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import Synchronization

/// The responses of one server that wait until the hold of their stub is released.
///
/// A hold is named by the key `hold` of stubs. It holds from the start, so that a test can look at its client in the meantime; once released it
/// lets requests pass, until it is asked to hold again.
final class Holds: Sendable {
    private struct Waiting {
        let number: UInt64
        /// Called once: with whether the hold was released.
        let resume: @Sendable (Bool) -> Void
    }

    private struct State {
        /// The names that hold nothing.
        var released: Set<ExactText> = []
        /// The responses that wait, in the order in which their requests came. As many as requests are under way, which the server bounds.
        var waiting: [ExactText: [Waiting]] = [:]
        var count: UInt64 = 0
    }

    private let state = Mutex(State())

    /// Makes a response wait for its hold.
    ///
    /// - Parameter resume: called once, from any thread and at once if nothing is held: with whether the hold was released.
    /// - Returns: a closure that ends the wait of a response whose client has gone.
    func wait(for name: String, _ resume: @escaping @Sendable (Bool) -> Void) -> (@Sendable () -> Void)? {
        let key = ExactText(name)
        let number = state.withLock { state -> UInt64? in
            if state.released.contains(key) { return nil }
            state.count += 1
            state.waiting[key, default: []].append(Waiting(number: state.count, resume: resume))
            return state.count
        }
        guard let number else {
            resume(true)
            return nil
        }
        return { [self] in giveUp(number, of: key) }
    }

    private func giveUp(_ number: UInt64, of key: ExactText) {
        let given = state.withLock { state -> Waiting? in
            guard let index = state.waiting[key]?.firstIndex(where: { $0.number == number }) else { return nil }
            let given = state.waiting[key]?.remove(at: index)
            if state.waiting[key]?.isEmpty == true { state.waiting[key] = nil }
            return given
        }
        given?.resume(false)
    }

    /// Releases the waiting responses, and later ones if a stub has the name.
    ///
    /// - Parameter names: those that stubs have.
    func release(_ name: String, of names: [String]) {
        let key = ExactText(name)
        let due = state.withLock { state in
            if names.contains(where: { $0.isExactly(name) }) { state.released.insert(key) }
            return state.waiting.removeValue(forKey: key) ?? []
        }
        for waiting in due { waiting.resume(true) }
    }

    /// Forgets that a name was released if no stub has it any more: the next stub that has it holds from its start.
    ///
    /// - Parameter names: those that stubs have; made only if a name is released.
    func keep(_ names: () -> [String]) {
        if state.withLock({ $0.released.isEmpty }) { return }
        let kept = Set(names().map { ExactText($0) })
        state.withLock { $0.released.formIntersection(kept) }
    }

    /// The names of stubs, and those that responses wait for whose stub is gone, in byte order.
    func known(beside names: [String]) -> [String] {
        let all = state.withLock { Set($0.waiting.keys) }.union(names.lazy.map { ExactText($0) })
        return all.map(\.text).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// Holds responses from now on.
    func hold(_ name: String) {
        state.withLock { _ = $0.released.remove(ExactText(name)) }
    }

    /// Makes all names hold again; responses that wait go on to do so.
    func reset() {
        state.withLock { $0.released = [] }
    }

    /// Whether a name holds responses, and how many wait for it.
    func status(of name: String) -> (holds: Bool, waiting: Int) {
        let key = ExactText(name)
        return state.withLock { (!$0.released.contains(key), $0.waiting[key]?.count ?? 0) }
    }
}

extension Holds {
    /// The objection to a name that no stub has and nothing waits for; nil for any other.
    ///
    /// - Parameter names: those that stubs have.
    func objection(to name: String, of names: [String]) -> String? {
        let names = known(beside: names)
        if names.contains(where: { $0.isExactly(name) }) { return nil }
        if names.isEmpty { return "no stub has a \"hold\", so that \"\(name)\" holds nothing" }
        let known = names.prefix(10).map { "\"\($0)\"" }.joined(separator: ", ")
        return "no stub has the hold \"\(name)\"; stubs have \(known)\(names.count > 10 ? ", …" : "")"
    }
}
