// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Finds secrets in one text, be it a body, a header's value or a string in JSON, in one pass over its bytes.
struct TextScanner {
    /// The rule that decides which texts are secrets.
    enum Strictness: Sendable {
        /// The secrets that are replaced when something is recorded.
        case redaction
        /// The secrets that are reported in bytes of unknown origin; always a part of the above.
        case scan
    }

    let text: Bytes
    let strictness: Strictness
    /// Whether values of members in quotes are replaced by their names alone, as in JSON that cannot be read.
    var trustsQuotedNames = false
    /// Whether runs of high entropy are secrets.
    var hasRuns = true
    /// The secrets learnt elsewhere; those that are words are looked up here.
    var known = ValueIndex()
    var matches: [SecretMatch] = []
    /// The end of the run that was measured last, so that no byte is measured twice.
    var runs = RunEnds()
    /// Where the quoted text behind `--data` ends.
    var quotedDataEnd = 0
    /// Where the statement of SQL ends that was read last.
    var statementEnd = 0
    /// Whether the text is one of names and values, line by line; nil until somebody asks.
    var isConfiguration: Bool?

    init(_ text: Bytes, strictness: Strictness) {
        self.text = text
        self.strictness = strictness
    }

    /// The secrets of a text, known ones included.
    ///
    /// - Parameter hasRuns: whether runs of high entropy are secrets; they are not in a value that is called an id or a digest.
    static func matches(
        in text: Bytes, strictness: Strictness, known: ValueIndex = ValueIndex(), trustsQuotedNames: Bool = false,
        hasRuns: Bool = true
    ) -> [SecretMatch] {
        guard text.count >= 6 else { return [] }
        var scanner = TextScanner(text, strictness: strictness)
        scanner.trustsQuotedNames = trustsQuotedNames || text[0] == UInt8(ascii: "{") || text[0] == UInt8(ascii: "[")
        scanner.hasRuns = hasRuns && !scanner.isExemptLine
        scanner.known = known
        scanner.find()
        if scanner.hasRuns { scanner.findRuns() }
        scanner.leaveMedia()
        if !scanner.matches.isEmpty {
            let formed = TokenPlaceholder.ranges(in: text).filter { range in
                TokenPlaceholder.claims(in: text, range).map { !holdsSecret($0, known: known) } ?? true
            }
            if !formed.isEmpty {
                scanner.matches.removeAll { match in formed.contains { $0.overlaps(match.range) } }
            }
        }
        known.search(text) { range, value in
            scanner.matches.append(SecretMatch(range: range, value: value, kind: .known("")))
        }
        return scanner.matches.apart()
    }

    /// Whether a text has a secret of a known shape, or a known secret.
    static func holdsSecret(_ text: [UInt8], known: ValueIndex) -> Bool {
        text.withUnsafeBufferPointer { !matches(in: $0, strictness: .scan, known: known, hasRuns: false).isEmpty }
    }

    /// Whether the text is one header line, as stubs hold them, whose value may look like anything.
    private var isExemptLine: Bool {
        let end = text.end(of: .name, from: 0, limit: 64)
        return end > 2 && end + 2 < text.count && text[end] == UInt8(ascii: ":") && text[end + 1] == UInt8(ascii: " ")
            && SecretNames.isExemptFromEntropy(text.slice(0..<end)) && text.count <= 8192 && !text.contains(0x0A)
    }

    private mutating func find() {
        let interest = Interest.shared
        interest.withTables { kinds, pairs in
            var index = 0
            while index < text.count {
                let byte = text[index]
                switch kinds[Int(byte)] {
                case 0: index += 1
                case 1:
                    let pair = Int(byte) << 8 | Int(index + 1 < text.count ? text[index + 1] : 0)
                    if pairs[pair >> 6] >> UInt64(pair & 63) & 1 != 0, text.startsWord(at: index) {
                        index = word(at: index, interest.rules[UInt16(pair)] ?? [])
                    } else {
                        index += 1
                    }
                default: index = mark(byte, at: index)
                }
            }
        }
    }

    /// Looks at matches that begin with a word.
    ///
    /// - Returns: where to go on.
    private mutating func word(at index: Int, _ rules: [Interest.Rule]) -> Int {
        for rule in rules {
            switch rule {
            case .prefix(let shape):
                if let end = shape.end(in: text, at: index) { return found(index..<end, shape.kind) }
            case .jsonWebToken:
                if let end = jsonWebToken(at: index) { return found(index..<end, .jsonWebToken) }
            case .scheme:
                if let range = credentials(at: index) {
                    return found(
                        range, SecretKind.shape(of: text.slice(range)) ?? (isBasic(at: index) ? .basic : .bearer))
                }
            case .discord:
                if let end = discordToken(at: index) { return found(index..<end, .discord) }
            case .statement: statement(at: index)
            }
        }
        return index + 1
    }

    /// Looks at matches that are found by a character in their middle or by their start.
    ///
    /// - Returns: where to go on.
    private mutating func mark(_ byte: UInt8, at index: Int) -> Int {
        switch byte {
        case UInt8(ascii: "-"):
            if let end = privateKey(at: index) { return found(index..<end, .privateKey) }
            if let range = mailchimpKey(around: index) { return found(range, .mailchimp) }
            option(at: index)
            return index + 1
        case UInt8(ascii: ":"):
            if let range = telegramToken(around: index) { return found(range, .telegram) }
            if let range = urlCredentials(behind: index) { return found(range, .urlCredentials) }
            return assignment(at: index, separator: byte)
        case UInt8(ascii: "@"):
            if let range = sourceName(before: index) { add(range, .urlCredentials) }
            return index + 1
        case UInt8(ascii: "~"):
            if let range = azureSecret(around: index) { return found(range, .azureSecret) }
            return index + 1
        case UInt8(ascii: "."):
            if let range = terraformToken(around: index) { return found(range, .terraform) }
            return index + 1
        case UInt8(ascii: "/"):
            if let range = segment(behind: index) { return found(range, .link) }
            return index + 1
        case UInt8(ascii: ","):
            argument(behind: index)
            return index + 1
        default:
            return assignment(at: index, separator: byte)
        }
    }

    /// - Returns: the end.
    private mutating func found(_ range: Range<Int>, _ kind: SecretKind) -> Int {
        add(range, kind)
        return range.upperBound
    }

    /// Adds a secret that is as it is written.
    mutating func add(_ range: Range<Int>, _ kind: SecretKind, name: String = "") {
        matches.append(SecretMatch(range: range, value: Array(text[range]), kind: kind, name: name))
    }

    /// Adds the value behind a secret name.
    mutating func add(_ range: Range<Int>, named name: Range<Int>) {
        // A path of names is reported by its last part alone.
        let name = String(decoding: text[name], as: UTF8.self)
        add(range, SecretKind.shape(of: text.slice(range)) ?? .named(name), name: name)
    }
}

extension SecretKind {
    /// The kind of a value that is known by its shape as well as by its place; nil if it has none.
    static func shape(of value: Bytes) -> SecretKind? {
        TextScanner.matches(in: value, strictness: .scan, hasRuns: false).first { $0.range == 0..<value.count }?.kind
    }
}

extension Placeholder {
    /// The place of the value of a field or a parameter.
    static func place(of name: String, in base: String, known: ValueIndex) -> String {
        holdsSecret(name, known: known, hasRuns: false) ? unnamed : "\(base).\(name)"
    }

    /// Whether a name is, or holds, a secret, so that no placeholder may be called by it.
    static func holdsSecret(_ name: String, known: ValueIndex, hasRuns: Bool) -> Bool {
        var name = name
        return name.withUTF8 {
            known.stands(in: $0)
                || !TextScanner.matches(in: $0, strictness: .redaction, known: known, hasRuns: hasRuns).isEmpty
        }
    }
}
