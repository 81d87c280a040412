// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import MockapiFixtures
import MockapiHTTPSyntax
import MockapiJSONText

/// A recorded response with a date in its body by which a client judges it, and which no longer is in the future.
struct ExpiringResponse {
    private let recordedAt: Int
    private let now: Int
    /// The first such member, by its path.
    private(set) var place: String?

    /// Nil for a response that moves its dates, or has no JSON.
    init?(_ response: StubResponse, recordedAt: Int, now: Int) {
        guard !response.shiftsDates, response.templates == nil, let bytes = response.body.bytes,
            bytes.count <= ShiftedDates.limit, let node = try? JSONParser.parse(bytes)
        else { return nil }
        self.recordedAt = recordedAt
        self.now = now
        look(at: node, "$")
    }

    private mutating func look(at node: JSONNode, _ path: String) {
        for (index, element) in (node.array ?? []).enumerated() where place == nil {
            look(at: element, "\(path)[\(index)]")
        }
        for member in node.object?.members ?? [] where place == nil {
            let inner = JSONPlace.member(path, member.name)
            if ShiftedDates.isEnd(member.name), hasPassed(member.value) { place = inner }
            look(at: member.value, inner)
        }
    }

    private func hasPassed(_ value: JSONNode) -> Bool {
        guard let text = value.string ?? value.number?.literal else { return false }
        let bytes = Array(text.utf8)
        let isDate = ShiftedDates(from: recordedAt, by: 1).moved(bytes, isEnd: true) != bytes
        // One that would be moved as seen from now lies in the future.
        return isDate && ShiftedDates(from: now, by: 1).moved(bytes, isEnd: true) == bytes
    }
}

extension LoadedFixtures {
    /// A warning for each recorded stub with a response that has expired.
    ///
    /// - Parameter now: in seconds since 1970.
    package func outdated(now: Double) -> [Finding] {
        served.set.stubs.compactMap { stub in
            guard let at = stub.source["recorded"]?["at"]?.string.flatMap({ DateText.seconds($0) }) else { return nil }
            let places = stub.responses.compactMap {
                ExpiringResponse($0, recordedAt: Int(at), now: Int(now))?.place
            }
            guard let place = places.first else { return nil }
            return Finding(
                .warning,
                "\(place) of its body was in the future when it was recorded, and is past now; write \"dates\": \"shift\" into the response to have such dates move with the clock",
                at: stub.place, kind: .recording)
        }
    }
}
