// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiWireSupport

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// One way to cost a server more than it should, done over and over by a client of its own.
struct Abuse: Sendable {
    let name: String
    /// Does it once.
    ///
    /// - Throws: `Unexpected` where the server did what it must not; other errors say that it has ended a connection, which it may.
    let bout: @Sendable (Ground) throws -> Void

    init(_ name: String, _ bout: @escaping @Sendable (Ground) throws -> Void) {
        self.name = name
        self.bout = bout
    }

    static let all = bodies + targets + heads + connections + frames + records + files

    /// What a bout came to.
    enum Outcome: Sendable {
        case asExpected
        /// The server has ended a connection in the middle.
        case cut
        case unexpected(String)
    }

    func outcome(on ground: Ground) -> Outcome {
        do {
            try bout(ground)
            return .asExpected
        } catch let unexpected as Unexpected {
            return .unexpected("\(name): \(unexpected.text)")
        } catch WireError.silent {
            return .unexpected("\(name): no response within \(WireClient.patience) seconds")
        } catch WireError.malformed(let text) {
            return .unexpected("\(name): not understood: \(text.prefix(200))")
        } catch {
            return .cut
        }
    }
}

/// What a server must not do.
struct Unexpected: Error {
    let text: String
}

/// The server that is abused, and how much.
struct Ground: Sendable {
    let port: Int
    /// The fixtures that it serves and watches.
    let directory: String
    /// Whether everything is as large as it may be; a test does with less.
    let isFull: Bool
    /// Whether the abuse is to go on.
    let goesOn: @Sendable () -> Bool

    func pick<Value>(_ small: Value, _ full: Value) -> Value { isFull ? full : small }

    func connect(receiveBuffer: Int32? = nil) throws -> WireClient {
        try WireClient(port: port, receiveBuffer: receiveBuffer)
    }

    /// Lets connections stay as they are for some time, where everything is as large as it may be.
    func rest(milliseconds: Int) {
        guard isFull else { return }
        for _ in 0..<max(1, milliseconds / 50) where goesOn() { usleep(50_000) }
    }

    /// Statuses that say that a request costs too much.
    static let refusals = [400, 408, 413, 414, 431, 501, 503]

    /// Sends a request on a connection of its own, and reads its response.
    ///
    /// - Parameter statuses: what may be answered beside a refusal.
    @discardableResult
    func ask(
        _ method: String, _ target: String, _ fields: [String] = [], body: String = "", is statuses: [Int]
    ) throws -> WireResponse {
        let answer = try connect().request(method, target, fields, body: body)
        guard statuses.contains(answer.status) || Self.refusals.contains(answer.status) else {
            throw Unexpected(text: "\(method) \(target.prefix(80)) is answered \(answer.status)")
        }
        return answer
    }
}
