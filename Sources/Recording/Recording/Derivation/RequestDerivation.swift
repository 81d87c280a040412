// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPSyntax
import MockapiJSONText
import MockapiSecrets
import MockapiUpstream

/// Derives a stub's conditions from a request that was sent.
struct RequestDerivation {
    private let exchange: Exchange
    /// The field lines as they came.
    private let sent: [UpstreamField]
    private let redactor: Redactor
    private let ruledHeaders: Set<String>
    /// The parts that were left out or replaced, as they are reported: names of header fields, and placeholders.
    private var redacted: [String] = []
    private let unsteady: UnsteadyValues
    private var credentials: [Credential] = []

    /// - Parameters:
    ///   - sent: the field lines as they came, which are written beside the recording.
    ///   - ruledHeaders: names of header lines that are secrets by the user's word, in lower case.
    ///   - unsteady: the values that are matched as present, since they differ each time.
    init(
        _ exchange: Exchange, sent: [UpstreamField], redactor: Redactor, ruledHeaders: Set<String>,
        unsteady: UnsteadyValues = UnsteadyValues()
    ) {
        self.sent = sent
        self.unsteady = unsteady
        self.exchange = exchange
        self.redactor = redactor
        self.ruledHeaders = ruledHeaders
    }

    mutating func derive() -> DerivedRequest {
        let parts = exchange.target.split(ascii: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let path = path(String(parts.first ?? "/"))
        let query = query(parts.count == 2 ? parts[1] : "")
        let url: URLMatcher
        if !query.isRaw {
            url =
                path.isPattern ? .pathPattern(Pattern(path.pattern)) : .path(String(parts.first ?? "/"))
        } else if path.isPattern || query.pattern != nil {
            url = .pattern(
                Pattern(path.pattern + "\\?" + (query.pattern ?? PatternText.escaped(String(parts[1])))))
        } else {
            url = .url(exchange.target)
        }
        let isTargetGuessable = Self.isGuessable(redacted.count, credentials)
        let headers = headerMatchers()
        var body = RequestContent(exchange, redactor: redactor, unsteady: unsteady)
        let pattern = RequestPattern(
            method: exchange.method, url: url, queryParameters: query.matchers,
            allowsOtherQueryParameters: query.isRaw, headers: headers, body: body.patterns())
        redacted += body.placeholders
        credentials += body.credentials
        var request = DerivedRequest(
            pattern, origin: exchange.origin, label: "\(exchange.method) \(path.shown)\(query.shown)",
            method: exchange.method)
        request.segments = path.segments
        request.items = query.items
        request.operation = body.operation
        request.contentItems = body.items
        request.headers = keptLines()
        request.content = body.stored
        request.redacted = redacted
        request.notes = body.notes
        request.credentials = credentials
        request.account = body.account
        let parameters = query.matchers.map(\.name).filter(unsteady.parameters.contains)
        request.varying =
            ((unsteady.hasPaths && path.isPattern ? ["path"] : []) + parameters.map { "query:\($0)" } + body.varying)
            .sorted()
        request.isTargetGuessable = isTargetGuessable
        request.isContentGuessable = Self.isGuessable(body.placeholders.count, body.credentials)
        request.left = query.left.merging(body.left) { first, _ in first }
        if !path.isPattern, !query.isRedacted { request.left[.target] = [Array(exchange.target.utf8)] }
        return request
    }

    /// Whether one of the values that were replaced could be found out by trying, or is not known.
    private static func isGuessable(_ count: Int, _ credentials: [Credential]) -> Bool {
        credentials.contains(where: \.isGuessable) || count > credentials.count
    }

    // MARK: Path

    private struct Path {
        /// Whether it can only be matched by a pattern, since something in it was replaced.
        var isPattern: Bool
        var pattern: String
        var shown: String
        var segments: [String]
    }

    private mutating func path(_ raw: String) -> Path {
        var shown: [String] = []
        var patterns: [String] = []
        var segments: [String] = []
        var isPattern = false
        var previous = ""
        let parts = raw.split(ascii: "/", omittingEmptySubsequences: false)
        let last = parts.last?.isEmpty == true ? parts.count - 2 : parts.count - 1
        for (place, part) in parts.enumerated() {
            let decoded = PathSegment.decoded(part)
            let next = place < last ? PathSegment.decoded(parts[place + 1]) : nil
            let redaction = redactor.path(segment: decoded, behind: previous, before: next)
            previous = decoded
            if redaction.isRedacted {
                isPattern = true
                redacted += redaction.placeholders
                credentials.append(
                    Credential(place: .elsewhere(.path), name: "the path", value: Array(decoded.utf8)))
                shown.append(redaction.value)
                patterns.append("[^/]+")
            } else {
                shown.append(String(part))
                patterns.append(PatternText.escaped(String(part)))
            }
            segments.append(redaction.value)
        }
        return Path(
            isPattern: isPattern, pattern: patterns.joined(separator: "/"), shown: shown.joined(separator: "/"),
            segments: Array(segments.dropFirst()))
    }

    // MARK: Query

    private struct Query {
        /// Whether the query is not a list of parameters, and matched as it is.
        var isRaw = false
        /// For this query, if something in it was replaced.
        var pattern: String?
        var matchers: [RequestPattern.Named<MultiValueMatcher>] = []
        /// With its question mark; empty if there is none.
        var shown = ""
        /// Parameters that stand for themselves.
        var items: [(name: String, value: String)] = []
        /// The values and orders that the matchers leave out.
        var left: [SentPlace: [[UInt8]]] = [:]
        /// Whether something in it was replaced.
        var isRedacted = false
    }

    private mutating func query(_ raw: Substring) -> Query {
        guard !raw.isEmpty else { return Query() }
        guard let items = QueryItems(raw).items else { return rawQuery(raw) }
        if items.contains(where: { redactor.path(segment: $0.name).isRedacted }) {
            // If a name is a secret the path alone is matched.
            redacted.append("the query")
            return Query(
                isRaw: true, pattern: ".*", shown: ShownTarget.text("?\(raw)", redactor), isRedacted: true)
        }
        var query = Query()
        var names: [String] = []
        var values: [String: [ValueMatcher]] = [:]
        var shown: [String] = []
        var secret: Set<String> = []
        for (part, item) in zip(raw.split(ascii: "&"), items) {
            let redaction = redactor.query(item.name, item.value)
            if values[item.name] == nil { names.append(item.name) }
            query.left[.order(item.name), default: []].append(Array(part.utf8))
            if redaction.isRedacted {
                secret.insert(item.name)
                redacted += redaction.placeholders
                values[item.name, default: []].append(.present)
                credentials.append(
                    Credential(place: .parameter(item.name), name: item.name, value: Array(item.value.utf8)))
                shown.append("\(part.prefix(before: "="))=\(redaction.value)")
            } else if !item.value.isEmpty, unsteady.varies(item.name, item.value, among: items) {
                values[item.name, default: []].append(.present)
                query.left[.parameter(item.name), default: []].append(Array(item.value.utf8))
                shown.append("\(part.prefix(before: "="))=*")
            } else {
                values[item.name, default: []].append(.equal(to: item.value))
                query.items.append(item)
                shown.append(String(part))
            }
        }
        query.matchers = names.map { name in
            let matchers = values[name] ?? []
            return .init(name, matchers.count == 1 ? .single(matchers[0]) : .hasExactly(Self.sorted(matchers)))
        }
        query.isRedacted = !secret.isEmpty
        // Names of files do not go by the order of values.
        for name in names where values[name].map({ $0.count > 1 }) ?? false {
            let places = query.items.indices.filter { query.items[$0].name == name }
            let sorted = places.map { query.items[$0].value }.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
            for (place, value) in zip(places, sorted) { query.items[place].value = value }
        }
        for name in names {
            if secret.contains(name) || values[name]?.count == 1 { query.left[.order(name)] = nil }
            // Those that stand for themselves are matched anyway.
            if secret.contains(name) || query.left[.parameter(name)]?.count != values[name]?.count {
                query.left[.parameter(name)] = nil
            }
        }
        query.shown = "?" + shown.joined(separator: "&")
        return query
    }

    /// In an order that is not up to the client, which may write them in any.
    private static func sorted(_ matchers: [ValueMatcher]) -> [ValueMatcher] {
        matchers.map { (matcher: $0, text: JSONWriter.compact(StubWriter.matcher($0))) }
            .sorted { $0.text.lexicographicallyPrecedes($1.text) }.map(\.matcher)
    }

    /// A query that is not a list of parameters, with anything in the places of secrets.
    private mutating func rawQuery(_ raw: Substring) -> Query {
        var patterns: [String] = []
        var isRedacted = false
        for part in raw.split(ascii: "&", omittingEmptySubsequences: false) {
            let sign = part.firstIndex(ascii: "=") ?? part.endIndex
            let redaction = redactor.query(
                QueryItems.lossyText(part[..<sign]), QueryItems.lossyText(Substring(part[sign...].utf8.dropFirst())))
            if redaction.isRedacted {
                isRedacted = true
                redacted += redaction.placeholders
                patterns.append(PatternText.escaped(String(part[..<sign])) + "=[^&]+")
            } else {
                patterns.append(PatternText.escaped(String(part)))
            }
        }
        return Query(
            isRaw: true, pattern: isRedacted ? patterns.joined(separator: "&") : nil,
            shown: ShownTarget.text("?\(raw)", redactor), isRedacted: isRedacted)
    }

    // MARK: Header lines

    /// The matchers of header lines, by the names that the client writes.
    private mutating func headerMatchers() -> [RequestPattern.Named<MultiValueMatcher>] {
        var matchers: [RequestPattern.Named<MultiValueMatcher>] = []
        var seen: Set<String> = []
        for field in exchange.requestFields {
            let name = field.name.lowercased()
            if RequestHeaders.cookies.contains(name) {
                if seen.insert(name).inserted { redacted.append(field.name) }
                if !exchange.addedFields.contains(name) { credentials += Credential.cookies(field.value) }
            } else if RequestHeaders.credentials.contains(name) || ruledHeaders.contains(name) {
                guard seen.insert(name).inserted else { continue }
                redacted.append(field.name)
                // The client does not send the recording's additions.
                if exchange.addedFields.contains(name) { continue }
                if let credential = Credential.header(field.name, field.bytes) { credentials.append(credential) }
                matchers.append(.init(field.name, .single(ByteMatcher.present(field.bytes))))
            } else if !exchange.addedFields.contains(name), isMatched(name, field.value),
                seen.insert(name).inserted
            {
                matchers.append(.init(field.name, .single(ByteMatcher.equal(to: field.bytes))))
            }
        }
        return matchers.sorted { $0.name.lowercased() < $1.name.lowercased() }
    }

    /// Whether a field that is not a secret is matched in each request: the type of the content sent.
    private func isMatched(_ name: String, _ value: String) -> Bool {
        name == "content-type" && !exchange.requestBody.isEmpty && RequestContent.multipartBoundary(of: value) == nil
            && !redactor.header(name, value).isRedacted
    }

    /// The lines that are written beside the recording.
    private func keptLines() -> [String] {
        sent.compactMap { field in
            let name = field.name.lowercased()
            guard RequestHeaders.isKept(name), !exchange.addedFields.contains(name), !ruledHeaders.contains(name),
                field.value != "*/*"
            else { return nil }
            if RequestContent.multipartBoundary(of: field.value) != nil {
                let type = field.value.prefix(before: ";")
                return "\(field.name): \(type); boundary=\(RequestContent.boundary)"
            }
            return "\(field.name): \(redactor.header(field.name, field.value).value)"
        }
    }
}
