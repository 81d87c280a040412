// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPWire
import MockapiMetering
import Synchronization

/// Makes the responses of the admin API that may be long, one piece at a time, beside the event loops.
final class AdminReports: Sendable {
    /// The content to respond with.
    enum Content {
        case response(Response)
        case list(AdminList)

        /// The content, or the error.
        init(_ make: () throws(AdminError) -> Content) {
            do throws(AdminError) { self = try make() } catch { self = .response(AdminResponse.error(error)) }
        }
    }

    /// How many responses are under way at once; each of them holds the places of its entries and a piece of text. 16.
    static let limit = 16
    /// The text that clients have still to take of all of them, before the next piece is made. 8 MiB.
    static let textLimit = 8 * 1024 * 1024
    /// How many wait for their turn; more are refused. 64.
    static let waitingLimit = 64

    private struct Report: Sendable {
        let number: Int
        let connection: UInt64
        let response: StreamedResponse
        let isHead: Bool
        let make: @Sendable (WorkStop) async -> Content
        let stop: WorkStop
    }

    private struct State {
        /// The connections that have a report under way.
        var busy: Set<UInt64> = []
        var waiting: [Report] = []
        var count = 0
        /// Bytes of text that clients have still to take.
        var text = 0
        /// The responses that make no more of it until they do.
        var paused: [CheckedContinuation<Void, Never>] = []

        /// The first whose turn it is.
        mutating func next() -> Report? {
            guard busy.count < AdminReports.limit,
                let index = waiting.firstIndex(where: { !busy.contains($0.connection) })
            else { return nil }
            busy.insert(waiting[index].connection)
            return waiting.remove(at: index)
        }
    }

    private let state = Mutex(State())
    private let executor = WorkExecutor()

    /// Responds in turn: a connection has one report under way.
    ///
    /// - Parameters:
    ///   - isHead: whether the request is HEAD, which needs no list to be made.
    ///   - server: the stop of all work of the server; nil if nothing stops it.
    ///   - make: called in its turn, with the stop that is set when nobody waits for it any more.
    func write(
        to response: StreamedResponse, of connection: UInt64, isHead: Bool, server: WorkStop? = nil,
        _ make: @escaping @Sendable (WorkStop) async -> Content
    ) {
        let stop = WorkStop(of: server)
        let number = state.withLock { state -> Int? in
            guard state.waiting.count < Self.waitingLimit else { return nil }
            state.count += 1
            state.waiting.append(
                Report(
                    number: state.count, connection: connection, response: response, isHead: isHead, make: make,
                    stop: stop))
            return state.count
        }
        guard let number else {
            let error = AdminError(503, "\(Self.waitingLimit) reports wait for their turn: ask again in a second")
            return response.respond(with: AdminResponse.error(error, fields: [WireField("Retry-After", "1")]))
        }
        response.whenAbandoned {
            stop.ask()
            self.state.withLock { $0.waiting.removeAll { $0.number == number } }
        }
        begin()
    }

    private func begin() {
        while let report = state.withLock({ $0.next() }) {
            Task(executorPreference: executor) {
                await self.write(report)
                _ = self.state.withLock { $0.busy.remove(report.connection) }
                self.begin()
            }
        }
    }

    private func write(_ report: Report) async {
        switch await report.make(report.stop) {
        case .response(let response): report.response.respond(with: response)
        case .list(var list):
            report.response.begin(AdminResponse.listHead(.chunked))
            while !report.isHead {
                await waitForRoom()
                guard let piece = list.nextPiece() else { break }
                state.withLock { $0.text += piece.count }
                let goesOn = await report.response.send(piece)
                giveBack(piece.count)
                guard goesOn else { return }
                // Others have their turn after each piece.
                await Task.yield()
            }
            report.response.finish()
        }
    }

    /// How many responses wait for the clients of others.
    var pausedCount: Int { state.withLock { $0.paused.count } }

    /// Pieces are made one at a time, so that a response that finds room may make one.
    private func waitForRoom() async {
        while state.withLock({ $0.text >= Self.textLimit }) {
            await withCheckedContinuation { continuation in
                let hasRoom = state.withLock { state in
                    if state.text >= Self.textLimit { state.paused.append(continuation) }
                    return state.text < Self.textLimit
                }
                if hasRoom { continuation.resume() }
            }
        }
    }

    private func giveBack(_ count: Int) {
        let paused = state.withLock { state -> [CheckedContinuation<Void, Never>] in
            state.text -= count
            guard state.text < Self.textLimit else { return [] }
            defer { state.paused = [] }
            return state.paused
        }
        for continuation in paused { continuation.resume() }
    }
}
