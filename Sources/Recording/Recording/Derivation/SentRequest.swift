// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax
import MockapiJSONText
import MockapiUpstream

/// The values of a request in the places that its stub need not ask for; in memory only.
struct SentRequest {
    /// The values at a place in their order; none for a place that is not there.
    private(set) var values: [SentPlace: [SentValue]] = [:]
    /// The names of header lines as the client writes them, by their names in lower case.
    private(set) var names: [String: String] = [:]
    /// The places that are known, of a request that an earlier recording wrote; nil for all.
    private(set) var known: Set<SentPlace>?
    /// The lines that are written beside the recording.
    let lines: [String]
    /// The places at which the client's own clock stands: nobody sends the same again.
    var clocks: Set<SentPlace> = []
    /// The places of secrets that are not known.
    private(set) var hidden: Set<SentPlace> = []
    /// Its values where no stub may ask; nil for a request that an earlier recording wrote.
    var unasked: UnaskedValues?

    /// - Parameters:
    ///   - request: derived of the exchange.
    ///   - ruledHeaders: names of header lines that are secrets by the user's word, in lower case.
    init(_ exchange: Exchange, _ request: DerivedRequest, ruledHeaders: Set<String>) {
        lines = request.headers
        unasked = UnaskedValues(exchange, request, ruledHeaders: ruledHeaders)
        values = request.left.mapValues { $0.map(SentValue.bytes) }
        var cookies: [(name: String, value: String)] = []
        for field in exchange.requestFields {
            let name = field.name.lowercased()
            if RequestHeaders.cookies.contains(name) {
                if !exchange.addedFields.contains(name) { cookies += FieldText.cookies(of: field.value) }
            } else if RequestHeaders.mayDecide(name, hasContent: !exchange.requestBody.isEmpty),
                !ruledHeaders.contains(name), !exchange.addedFields.contains(name)
            {
                values[.header(name), default: []].append(.bytes(field.bytes))
                if names[name] == nil { names[name] = field.name }
            }
        }
        add(cookies)
    }

    /// The request that a stub was recorded of, as far as the lines beside it show.
    init(_ stub: RecordedStub) {
        lines = (stub.node["recorded"]?["headers"]?.array ?? []).compactMap(\.string)
        unasked = nil
        var known: Set<SentPlace> = []
        for line in lines {
            let name = line.prefix(before: ":")
            let key = name.lowercased()
            guard RequestHeaders.mayDecide(key, hasContent: stub.hasContent), line.firstRange(of: "redacted.") == nil
            else { continue }
            let value = line.suffix(from: name.endIndex).dropFirst().drop { $0 == " " }
            values[.header(key), default: []].append(.bytes(Array(value.utf8)))
            names[key] = String(name)
            known.insert(.header(key))
        }
        self.known = known
    }

    private mutating func add(_ cookies: [(name: String, value: String)]) {
        for (name, same) in Dictionary(grouping: cookies, by: \.name) {
            // A stub does not ask for a cookie that was sent twice, nor for a session's, which identifies the sender.
            guard same.count == 1, let value = same.first?.value, FieldText.isToken(name), !Credential.isSession(name)
            else { continue }
            // Nor for a value that clients and servers read in different ways.
            guard value.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != ASCII.quote }) else { continue }
            values[.cookie(name)] = [.bytes(Array(value.utf8))]
        }
    }

    /// The request of an earlier recording, known to have the values of another at some places.
    func asking(_ places: [SentPlace], as other: SentRequest) -> SentRequest {
        var request = self
        for place in places {
            request.values[place] = other.values[place]
            request.known?.insert(place)
        }
        return request
    }

    /// Whether it has one of the values of a place, or is known to have none there.
    func knows(_ place: SentPlace) -> Bool { known?.contains(place) ?? !hidden.contains(place) }

    /// Takes note of the secrets that it shows: by the placeholders of those that responses have handed out.
    mutating func note(_ credentials: [Credential], _ name: (Credential) -> String?) {
        for credential in credentials {
            guard let place = credential.sentPlace else { continue }
            guard values[place] == nil, !hidden.contains(place), let name = name(credential) else {
                values[place] = nil
                hidden.insert(place)
                continue
            }
            values[place] = [.handed(HandedPlaceholder(name, like: credential.value))]
        }
    }

    /// Whether nothing that is known of both differs.
    func isAlike(_ other: SentRequest) -> Bool {
        if known == nil, other.known == nil { return values == other.values }
        let places = (known ?? other.known ?? []).intersection(other.known ?? known ?? [])
        return places.allSatisfy { values[$0] == other.values[$0] }
    }

    /// Makes values that other requests have too share their memory.
    ///
    /// - Returns: the bytes that it takes to keep.
    mutating func share(_ pool: inout Set<[SentValue]>) -> Int {
        var size = lines.reduce(256) { $0 + $1.utf8.count }
        for (place, value) in values {
            size += 64
            if let known = pool.firstIndex(of: value) {
                values[place] = pool[known]
                continue
            }
            size += value.reduce(0) { $0 + $1.size + 64 }
            if pool.count < Self.poolLimit { pool.insert(value) }
        }
        return size
    }

    /// Values that are shared. 65,536.
    private static let poolLimit = 65_536

    /// The values at places, which tell its stub from others.
    func signature(_ places: [SentPlace]) -> [[SentValue]?] { places.map { values[$0] } }
}
