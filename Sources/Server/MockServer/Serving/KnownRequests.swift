// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPSyntax

/// The recorded requests that differ only where no matcher asks: one that comes again is known by the digests of its values there.
struct KnownRequests: Sendable {
    /// The stub of a known request, and the steps of it that are its own.
    struct Found {
        var ordinal: Int
        var steps: [Int]
    }

    private let stubs: [Stub]
    /// The ordinals of those that are recorded of one request but for such values, by the key of the one for everybody.
    private let groups: [String: [Int]]

    init(_ stubs: [Stub]) {
        self.stubs = stubs
        var groups: [String: [Int]] = [:]
        for (ordinal, stub) in stubs.enumerated() {
            guard let sent = stub.sent, stub.scenario == nil, stub.access == nil, stub.hold == nil else { continue }
            groups[Self.group(stub, sent), default: []].append(ordinal)
        }
        self.groups = groups
    }

    /// Recordings may be copied to another directory with their keys.
    private static func group(_ stub: Stub, _ sent: SentDigests) -> String {
        let path = stub.place.path
        let directory = path[..<(path.lastIndex(ascii: "/") ?? path.startIndex)]
        return "\(sent.group)\n\(stub.request.method ?? "")\n\(directory)"
    }

    /// The stub that a request was recorded in, among those that its matchers take for one.
    ///
    /// - Parameter ordinal: of the stub that matches.
    /// - Returns: nil if the request is not known.
    func find(_ ordinal: Int, _ head: borrowing RequestHead, _ body: [UInt8]) -> Found? {
        guard let own = stubs[ordinal].sent else { return nil }
        let siblings = own.isForEverybody ? groups[Self.group(stubs[ordinal], own)] ?? [] : []
        let members = siblings.contains(ordinal) ? siblings : [ordinal] + siblings
        var places: [SentDigests.Place] = []
        for place in members.flatMap({ stubs[$0].sent?.places.map(\.place) ?? [] }) where !places.contains(place) {
            places.append(place)
        }
        if places.isEmpty { return nil }
        var fields: [(name: String, value: [UInt8])] = []
        for field in head.fields { fields.append((head.string(field.name), Array(head.sentValue(of: field)))) }
        let message = SentDigests.Message(fields: fields, target: Array(head.bytes[head.target.range]), content: body)
        var found: [Found] = []
        for place in places {
            if place == .content, body.count > SentDigests.contentLimit { continue }
            let content = SentDigests.content(of: message[place])
            let digest = SentDigests.text(of: content, at: place, in: own.group)
            let known = members.compactMap { steps(of: $0, knowing: digest, at: place) }
            let narrowed = found.isEmpty ? known : Self.common(found, known)
            // A match that contradicts an earlier place is ignored.
            if !narrowed.isEmpty { found = narrowed }
        }
        return found.first { $0.ordinal == ordinal } ?? found.first
    }

    private func steps(of ordinal: Int, knowing digest: String, at place: SentDigests.Place) -> Found? {
        let known = stubs[ordinal].sent?.places.first { $0.place == place }?.steps[digest] ?? []
        let count = stubs[ordinal].responses.count
        let steps = known.filter { $0 < count }
        return steps.isEmpty ? nil : Found(ordinal: ordinal, steps: steps)
    }

    private static func common(_ left: [Found], _ right: [Found]) -> [Found] {
        left.compactMap { found in
            guard let other = right.first(where: { $0.ordinal == found.ordinal }) else { return nil }
            let steps = found.steps.filter(other.steps.contains)
            return steps.isEmpty ? nil : Found(ordinal: found.ordinal, steps: steps)
        }
    }
}
