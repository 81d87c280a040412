// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Secrets in the options of commands, in the arguments of calls, and in the names of data sources.
extension TextScanner {
    /// Looks at an option of a command: `--password x`, `-u user:x`, `-H 'X-Api-Key: x'`, `--data 'password=x'`.
    mutating func option(at dash: Int) {
        guard dash == 0 || text[dash - 1] <= 0x20 || "\"'`\\".utf8.contains(text[dash - 1]), dash + 1 < text.count
        else {
            return
        }
        if text[dash + 1] != UInt8(ascii: "-") { return shortOption(at: dash) }
        let end = text.end(of: .base64URL, from: dash + 2, limit: dash + 42)
        guard end > dash + 3, end < text.count else { return }
        let name = text.slice(dash + 2..<end)
        // `"--password", "x"`
        let isElement = dash > 0 && "\"'".utf8.contains(text[dash - 1]) && text[end] == text[dash - 1]
        guard let (value, isQuoted) = argument(from: isElement ? end + 1 : end, mayBeAssigned: true) else { return }
        switch String(decoding: name, as: UTF8.self) {
        case "user", "proxy-user", "auth", "http-user": pair(value)
        case "header": header(value)
        case "data", "data-raw", "data-urlencode", "data-binary", "data-ascii", "json", "form", "form-string",
            "body-data", "post-data":
            fields(value)
        default:
            guard let rule = SecretNames.rule(for: name, use: .member) else { return }
            let isOfCommand = isQuoted || hasCommand(before: dash)
            let bytes = text.slice(value)
            let isWord =
                bytes.allSatisfy(ByteClass.lowercase.contains)
                || bytes.allSatisfy { ByteClass.uppercase.contains($0) || $0 == UInt8(ascii: "_") }
            if isWord, !isOfCommand { return }
            if Belief.place.holds(bytes, rule, strictness) { add(value, named: dash + 2..<end) }
        }
    }

    private mutating func shortOption(at dash: Int) {
        let letter = text[dash + 1]
        guard "uUHdFp".utf8.contains(letter), dash + 2 < text.count else { return }
        let isAttached = text[dash + 2] > 0x20
        if letter == UInt8(ascii: "p") {
            // `mysql -px`, `sshpass -p x`; elsewhere it is a port or a path.
            guard isAttached ? lineHas("mysql", before: dash) : lineHas("sshpass", before: dash) else { return }
        } else if isAttached, letter != UInt8(ascii: "u"), letter != UInt8(ascii: "H") {
            return
        }
        guard let (value, _) = argument(from: dash + 2, mayBeAssigned: false) else { return }
        switch letter {
        case UInt8(ascii: "u"), UInt8(ascii: "U"):
            guard text[value].contains(UInt8(ascii: ":")) else { return }
            if lineHas("curl", before: dash) || lineHas("http", before: dash) || lineHas("wget", before: dash) {
                pair(value)
            }
        case UInt8(ascii: "H"): header(value)
        case UInt8(ascii: "p"):
            if Belief.place.holds(text.slice(value), .any, strictness) {
                add(value, .named("password"), name: "password")
            }
        default: fields(value)
        }
    }

    /// The value of an option, without its quotes.
    private func argument(from end: Int, mayBeAssigned: Bool) -> (Range<Int>, isQuoted: Bool)? {
        var start = end
        if mayBeAssigned, start < text.count, text[start] == UInt8(ascii: "=") {
            start += 1
        } else {
            start = text.end(of: Self.gap, from: start, limit: start + 16)
            if mayBeAssigned, start == end { return nil }
        }
        guard start < text.count, text[start] > 0x20 else { return nil }
        if start + 1 < text.count, text[start] == UInt8(ascii: "\\") { start += 1 }
        let quote = text[start]
        guard "\"'".utf8.contains(quote) else {
            if quote == UInt8(ascii: "-") { return nil }
            let end = text.end(of: Self.bare, from: start, limit: start + 4096)
            return end > start ? (start..<end, false) : nil
        }
        let limit = min(text.count, start + 8192)
        var end = start + 1
        while end < limit, text[end] != quote { end += 1 }
        guard end < limit, end > start + 1 else { return nil }
        if text[end - 1] == UInt8(ascii: "\\") { return (start + 1..<end - 1, true) }
        return (start + 1..<end, true)
    }

    private static let gap = ByteClass(" \t=,")
    private static let bare = ByteClass((0x21...0xFF).filter { !"\"'`<>|;&)\\".utf8.contains($0) })

    /// `user:password`
    private mutating func pair(_ value: Range<Int>) {
        guard let colon = text[value].firstIndex(of: UInt8(ascii: ":")), colon + 1 < value.upperBound else { return }
        let password = colon + 1..<value.upperBound
        guard !Label.isBlank(text.slice(password)), !Placeholder.isWhole(text.slice(password)),
            strictness == .redaction || TextTraits(text.slice(password)).isRealToken
        else { return }
        add(password, .named("password"), name: "password")
    }

    /// `Name: value`
    private mutating func header(_ value: Range<Int>) {
        guard let colon = text[value].firstIndex(of: UInt8(ascii: ":")) else { return }
        let name = value.lowerBound..<colon
        guard let rule = SecretNames.rule(for: text.slice(name), use: .header) else { return }
        // The scheme shows a scan the kind.
        if rule == .credentials, strictness == .scan { return }
        var start = text.end(of: .space, from: colon + 1, limit: value.upperBound)
        if rule == .credentials, let space = text[start..<value.upperBound].lastIndex(of: UInt8(ascii: " ")) {
            start = space + 1
        }
        guard start < value.upperBound, Belief.place.holds(text.slice(start..<value.upperBound), rule, strictness)
        else {
            return
        }
        add(start..<value.upperBound, named: name)
    }

    /// The fields of a form, or a JSON text whose names are believed.
    private mutating func fields(_ value: Range<Int>) {
        quotedDataEnd = value.upperBound
        guard !"{[".utf8.contains(text[value.lowerBound]) else { return }
        let parts: [Slice<Bytes>] = text[value].split(separator: UInt8(ascii: "&"))
        for part in parts {
            guard let equals = part.firstIndex(of: UInt8(ascii: "=")), equals + 1 < part.endIndex,
                let rule = SecretNames.rule(for: text.slice(part.startIndex..<equals), use: .query),
                Belief.place.holds(text.slice(equals + 1..<part.endIndex), rule, strictness)
            else { continue }
            add(equals + 1..<part.endIndex, named: part.startIndex..<equals)
        }
    }

    private func lineStart(of index: Int, limit: Int = 384) -> Int {
        var start = index
        while start > 0, index - start < limit, text[start - 1] != 0x0A { start -= 1 }
        return start
    }

    /// Whether a word in lower case stands in front of a place, on its line or on the line that it continues.
    private func lineHas(_ word: StaticString, before index: Int) -> Bool {
        var start = lineStart(of: index)
        while start > 1, text[start - 2] == UInt8(ascii: "\\"), index - start < 1024 {
            start = lineStart(of: start - 1)
        }
        let first = word.utf8Start[0]
        return (start..<index).contains { text[$0].lowercased == first && text.hasInAnyCase(word, at: $0) }
    }

    /// Whether a word stands in front of an option on its line, as it does not in lists of options.
    private func hasCommand(before dash: Int) -> Bool {
        text[lineStart(of: dash, limit: 256)..<dash].contains { ByteClass.alphanumeric.contains($0) }
    }

    // MARK: Calls

    /// Looks at the second argument of a call whose first is a secret name: `define('DB_PASSWORD', 'x')`.
    mutating func argument(behind comma: Int) {
        var end = comma
        while end > 0, text[end - 1] == UInt8(ascii: " "), comma - end < 4 { end -= 1 }
        guard end > 3, "\"'".utf8.contains(text[end - 1]) else { return }
        var start = end - 1
        while start > 0, end - start < 64, ByteClass.name.contains(text[start - 1]) { start -= 1 }
        guard start > 1, start < end - 1, text[start - 1] == text[end - 1], text[start - 2] == UInt8(ascii: "("),
            let rule = SecretNames.rule(for: text.slice(start..<end - 1), use: .member)
        else { return }
        let open = text.end(of: .space, from: comma + 1, limit: comma + 9)
        guard open < text.count, "\"'".utf8.contains(text[open]) else { return }
        let limit = min(text.count, open + 1024)
        guard let close = text[open + 1..<max(limit, open + 1)].firstIndex(of: text[open]),
            Belief.quotes.holds(text.slice(open + 1..<close), rule, strictness)
        else { return }
        add(open + 1..<close, named: start..<end - 1)
    }

    // MARK: Data sources

    /// The password in the name of a data source without a scheme: `user:password@tcp(host)/name`, `user:password@host:port`.
    func sourceName(before sign: Int) -> Range<Int>? {
        guard sign + 2 < text.count, sign > 2 else { return nil }
        let isSource = Self.protocols.contains { text.hasInAnyCase($0, at: sign + 1) }
        var start = sign
        while start > 0, sign - start < 256, text[start - 1] > 0x20, !"\"'`<>".utf8.contains(text[start - 1]) {
            start -= 1
        }
        let isOracle = text.slice(start..<sign).hasInAnyCase("jdbc:oracle:thin:", at: 0)
        if isOracle { start += 17 }
        let mark = isOracle ? UInt8(ascii: "/") : UInt8(ascii: ":")
        guard let separator = text[start..<sign].firstIndex(of: mark), separator > start else { return nil }
        // A URL is looked at by its own rule.
        if text.has(Array("//".utf8), at: separator + 1) { return nil }
        // `DSN=user:…`
        if let sign = text[start..<separator].lastIndex(where: { "=,([;&".utf8.contains($0) }) { start = sign + 1 }
        let password = text.slice(separator + 1..<sign)
        guard text[start..<separator].allSatisfy(ByteClass.name.contains), !password.isEmpty, !Label.isBlank(password),
            !Placeholder.isWhole(password)
        else { return nil }
        let range = separator + 1..<sign
        let traits = TextTraits(password)
        if strictness == .scan, !traits.isRealToken { return nil }
        if isSource || isOracle { return range }
        let host = text.end(of: Self.host, from: sign + 1, limit: sign + 254)
        guard password.allSatisfy(ByteClass.userInformation.contains) else { return nil }
        let isHost = host > sign + 1 && host < text.count && ":/".utf8.contains(text[host])
        return isHost && traits.isToken(least: 8) ? range : nil
    }

    private static let protocols: [StaticString] = ["tcp(", "tcp4(", "tcp6(", "unix(", "udp(", "cloudsql(", "pipe("]
    private static let host = ByteClass.alphanumeric.union("-.")
}
