// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation

/// One server-sent event (WHATWG HTML §9.2).
public struct ServerSentEvent: Hashable, Sendable {
    /// Its type; `message` if the service says nothing.
    public let event: String
    /// Its lines, with LF between them.
    public let data: String
    /// The last id that the service has given, be it with this event or with one before; empty if there was none.
    public let id: String
    /// How long to wait before the stream is asked for again, as the service said last.
    public let retry: Duration?

    /// Makes an event.
    public init(event: String = "message", data: String, id: String = "", retry: Duration? = nil) {
        self.event = event
        self.data = data
        self.id = id
        self.retry = retry
    }
}

/// The server-sent events of a response as they come.
public struct ServerSentEvents: AsyncSequence, Sendable {
    public typealias Element = ServerSentEvent

    let bytes: ResponseBytes

    public func makeAsyncIterator() -> Iterator { Iterator(lines: bytes.lines.makeAsyncIterator()) }

    /// Iterates over events.
    public struct Iterator: AsyncIteratorProtocol {
        var lines: ResponseLines.Iterator
        var parser = EventParser()

        public mutating func next() async throws -> ServerSentEvent? {
            while let line = try await lines.next() {
                if let event = try parser.event(at: line) { return event }
            }
            // An event that no empty line has ended is left out.
            return nil
        }
    }
}

/// Makes events of lines.
struct EventParser {
    /// In bytes; a longer one ends the reading. 1 MiB.
    static let longestEvent = 1024 * 1024

    private var event = ""
    private var data: [String] = []
    private var size = 0
    private var id = ""
    private var retry: Duration?
    private var isFirst = true

    /// - Returns: the event that ends with this line.
    mutating func event(at line: String) throws(URLError) -> ServerSentEvent? {
        var line = line
        if isFirst, line.unicodeScalars.first == "\u{FEFF}" { line.unicodeScalars.removeFirst() }
        isFirst = false
        guard !line.isEmpty else { return end() }
        // Reads scalars: a mark that combines with the colon would hide it.
        let scalars = line.unicodeScalars
        let name = scalars.prefix { $0 != ":" }
        var value = scalars[name.endIndex...].dropFirst()
        if value.first == " " { value = value.dropFirst() }
        try set(String(String.UnicodeScalarView(name)), String(String.UnicodeScalarView(value)))
        return nil
    }

    private mutating func set(_ name: String, _ value: String) throws(URLError) {
        switch name {
        case "event": event = value
        case "data":
            size += value.utf8.count + 1
            guard size <= Self.longestEvent else {
                throw URLError(
                    .dataLengthExceedsMaximum, "an event is longer than \(Self.longestEvent) bytes; read lines instead",
                    url: nil)
            }
            data.append(value)
        case "id": if !value.unicodeScalars.contains("\0") { id = value }
        case "retry":
            if !value.isEmpty, value.utf8.allSatisfy({ (48...57).contains($0) }), let milliseconds = Int64(value) {
                retry = .milliseconds(milliseconds)
            }
        // A comment has no name; other fields have no meaning.
        default: break
        }
    }

    private mutating func end() -> ServerSentEvent? {
        defer {
            event = ""
            data = []
            size = 0
        }
        guard !data.isEmpty else { return nil }
        return ServerSentEvent(
            event: event.isEmpty ? "message" : event, data: data.joined(separator: "\n"), id: id, retry: retry)
    }
}

extension Request {
    /// The same request for events, if it has no `Accept` line of its own.
    var forEvents: any Request {
        ChangedRequest(original: self, url: url) {
            var request = try urlRequest()
            try request.addHeaders(["Accept": "text/event-stream"])
            return request
        }
    }
}
