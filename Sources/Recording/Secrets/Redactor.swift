// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText
import Synchronization

/// Replaces secrets by named placeholders, and remembers them so that the same secret gets the same placeholder everywhere.
package final class Redactor: Sendable {
    /// How often a text is looked through: a secret learnt in one round is found everywhere in the next.
    private static let rounds = 8

    let rules: RedactionRules
    private let paths: [JSONPlace]
    private let allowedPaths: [JSONPlace]
    /// The error in a path of the rules, which keeps everything from being written.
    private let brokenPath: JSONPlaceError?
    private let memory = Mutex(SecretMemory())

    /// - Parameter rules: if a path in them is not valid, `scan` finds that in everything, so that nothing is
    ///   written without it.
    package init(_ rules: RedactionRules = RedactionRules()) {
        self.rules = rules
        var broken: JSONPlaceError?
        func patterns(_ texts: [String]) -> [JSONPlace] {
            texts.compactMap { text in
                do throws(JSONPlaceError) {
                    let place = try JSONPlace(text)
                    if place.steps.isEmpty {
                        throw JSONPlaceError(path: text, column: text.utf8.count + 1, message: "expected '.' or '['")
                    }
                    return place
                } catch {
                    broken = broken ?? error
                    return nil
                }
            }
        }
        paths = patterns(rules.jsonPaths)
        allowedPaths = patterns(rules.allowedPaths)
        brokenPath = broken
    }

    /// A number that changes as soon as a secret is learnt, which may stand in texts that were looked through before.
    package var version: Int { memory.withLock { $0.version } }

    /// A segment of a path, percent-decoded.
    ///
    /// - Parameters:
    ///   - position: the segment's number, which names the placeholder; nil names it `path`.
    ///   - previous: the segment in front of it, which may show that it is the secret of a link.
    ///   - next: the segment behind it; nil if there is none.
    package func path(
        segment: String, at position: Int? = nil, behind previous: String = "", before next: String? = nil
    ) -> Redaction<String> {
        let place = position.map { "path.\($0)" } ?? "path"
        return redact(segment) { text, known in
            if PathScanner.isSecret(text, behind: previous, isLast: PathScanner.isLast(before: next)) {
                return [SecretHit(range: 0..<text.count, value: Array(text), kind: .link, place: place)]
            }
            return Self.hits(in: text, known: known, place: place, hasRuns: false)
        }
    }

    /// The value of a query parameter, decoded.
    package func query(_ name: String, _ value: String) -> Redaction<String> {
        redact(value) { text, known in
            lazy var place = Placeholder.place(of: name, in: "query", known: known)
            if let kind = ParameterScanner.secret(text, of: name) {
                return [SecretHit(range: 0..<text.count, value: Array(text), kind: kind, place: place)]
            }
            var name = name
            let isExempt = name.withUTF8 { SecretNames.isExemptFromEntropy($0) }
            return Self.hits(in: text, known: known, place: place, hasRuns: !isExempt, trustsQuotedNames: true)
        }
    }

    /// The value of a header line of a response; of Set-Cookie the cookie's value alone is replaced.
    ///
    /// - Parameters:
    ///   - recorded: the values that the line is recorded with; one of them stays.
    ///   - kinds: the kinds of secrets that may stand there, as findings name them, in lower case.
    package func header(
        _ name: String, _ value: String, recorded: [String] = [], allowing kinds: Set<String> = []
    ) -> Redaction<String> {
        let scanner = HeaderScanner(name: name, rules: rules)
        let isRecorded = recorded.contains { $0.utf8.elementsEqual(value.utf8) }
        let templates = recorded.compactMap { value in
            var value = value
            return value.withUTF8(PlaceholderTemplate.init)
        }
        return redact(value) { text, known in
            let found = scanner.hits(in: text, known: known)
            let hits = isRecorded || !kinds.isEmpty ? left(found, kinds) { _ in isRecorded } : found
            if !hits.isEmpty || isRecorded && !found.isEmpty { return hits }
            let holes = templates.lazy.map { $0.holes(in: text) }.first { !$0.isEmpty } ?? []
            return holes.compactMap { range, place in
                // A value that may stand there stays.
                if found.contains(where: { $0.range.overlaps(range) }) { return nil }
                return SecretHit(range: range, value: Array(text[range]), kind: .rule, place: place, spread: .ifOwn)
            }
        }
    }

    /// The content of a request or a response that is text: JSON, a form, XML or any other.
    ///
    /// - Parameters:
    ///   - mediaType: the value of Content-Type; empty if there is none.
    ///   - recorded: the content as it is recorded: values redacted there are redacted again, and those in the clear
    ///     stay.
    ///   - kinds: the kinds of secrets that may stand there, as findings name them, in lower case.
    package func text(
        _ bytes: [UInt8], mediaType: String, of side: MessageSide, recorded: RecordedText? = nil,
        allowing kinds: Set<String> = []
    ) -> Redaction<[UInt8]> {
        if let wide = WideText(bytes) {
            let redaction = self.text(
                wide.utf8, mediaType: mediaType, of: side, recorded: recorded, allowing: kinds)
            if !redaction.isRedacted { return Redaction(bytes) }
            return Redaction(wide.encoded(redaction.value), placeholders: redaction.placeholders)
        }
        var message = MessageNames()
        var names: Set<String> = []
        func pass(_ bytes: [UInt8], _ missed: RecordedText.Missed) -> [UInt8] {
            var missed = missed
            return redact(bytes, &message, &names, keepsForm: side == .response) { text, known in
                var scanner = DocumentScanner(text, strictness: .redaction, known: known, base: side.rawValue)
                scanner.paths = paths
                scanner.allowedPaths = allowedPaths
                scanner.chosen = missed.values
                scanner.recorded = missed.strings
                scanner.hits = missed.parts.map { part in
                    let value = Array(text[part.range])
                    return SecretHit(range: part.range, value: value, kind: .rule, place: part.place, spread: .ifOwn)
                }
                missed = .init()
                let found = scanner.find(mediaType: mediaType)
                var clear: Set<Int>?
                let hits = left(found, kinds) { hit in
                    guard let recorded else { return false }
                    guard let node = hit.node else { return recorded.isClear(hit.value) }
                    let offsets = clear ?? recorded.clear(in: text)
                    clear = offsets
                    return offsets.contains(node)
                }
                if !hits.isEmpty { return hits }
                // Anything that is a secret to a scan, which knows nothing of the media type, must go too.
                let isRead = DocumentScanner.isReadByType(mediaType)
                let scanned = SecretScan.hits(
                    in: text, isText: isRead, known: known, base: side.rawValue, isBinary: false)
                if scanned.isEmpty { return [] }
                let stays = Set(found.map(\.value))
                return left(scanned, kinds) { stays.contains($0.value) }
            }
        }
        var text = pass(bytes, .init())
        if let missed = recorded?.missed(in: text), !missed.isEmpty { text = pass(text, missed) }
        return Redaction(text, placeholders: names.isEmpty ? [] : named(PlaceholderOrder.of(names, in: text)))
    }

    /// Placeholders by their names, each once.
    private func named(_ placeholders: [String]) -> [String] {
        let formed = memory.withLock { $0.formed }
        var seen: Set<String> = []
        return placeholders.map { formed[$0] ?? $0 }.filter { seen.insert($0).inserted }
    }

    /// The name of a text that is a placeholder and nothing else; nil for any other.
    package func name(of text: String) -> String? {
        Placeholders.name(of: text) ?? memory.withLock { $0.formed[text] }
    }

    /// The hits that are to be replaced; those that stay are not looked for any more.
    ///
    /// - Parameter isClear: whether a hit stands there in the clear in the recording. A secret by a rule or from
    ///   elsewhere goes all the same.
    private func left(_ hits: [SecretHit], _ kinds: Set<String>, isClear: (SecretHit) -> Bool) -> [SecretHit] {
        if hits.isEmpty { return [] }
        let memory = memory.withLock { $0 }
        let left = hits.filter { hit in
            if hit.isAllowed || kinds.contains(hit.kind.words.lowercased()) { return false }
            if hit.kind == .known("") { return !memory.allowed.contains(hit.value) }
            return hit.kind == .rule || memory.credentials.contains(hit.value) || !isClear(hit)
        }
        guard left.count < hits.count else { return hits }
        let ranges = Set(left.map(\.range))
        self.memory.withLock { memory in
            for hit in hits where !ranges.contains(hit.range) { memory.allow(hit.value) }
        }
        return left
    }

    /// A text with the learnt secrets replaced, and no others: for a text that was looked through when it was written.
    package func learnt(_ bytes: [UInt8]) -> Redaction<[UInt8]> {
        if let wide = WideText(bytes) {
            let redaction = learnt(wide.utf8)
            return redaction.isRedacted
                ? Redaction(wide.encoded(redaction.value), placeholders: redaction.placeholders) : Redaction(bytes)
        }
        return redact(bytes) { text, known in
            let memory = memory.withLock { $0 }
            return SecretScan.hits(in: text, isText: false, known: known, base: "", isBinary: false)
                .filter { !memory.allowed.contains($0.value) }
        }
    }

    /// Content that is not text: anything that begins as only secrets do is replaced by as many bytes, so that byte
    /// counts still hold.
    ///
    /// Text with a NUL in it, or in UTF-16 without its mark, is replaced as text is.
    package func binary(_ bytes: [UInt8], mediaType: String, of side: MessageSide) -> Redaction<[UInt8]> {
        if WideText(bytes) != nil || SecretScan.isNearlyText(bytes) {
            return text(bytes, mediaType: mediaType, of: side)
        }
        return redact(bytes) { text, _ in BinaryScanner.hits(in: text, base: side.rawValue) }
    }

    /// Takes note of the secrets in the header lines of a request, which are never written, so that they are found wherever else they stand.
    package func learn(_ fields: [(name: String, value: String)]) {
        let secrets = fields.flatMap { RequestSecrets.secrets(in: $0.name, $0.value, rules: rules) }
        memory.withLock { memory in
            for secret in secrets {
                memory.learn(secret.value, at: secret.place, spread: secret.spread)
                memory.credit(secret.value)
            }
        }
    }

    /// Takes note of a value that is a secret by its owner's word, and of its placeholder.
    package func remember(_ value: String, as placeholder: String) {
        memory.withLock { $0.remember(Array(value.utf8), as: placeholder, spread: .everywhere) }
    }

    /// Gives a known value another placeholder from now on, which names its owner.
    package func rename(_ value: [UInt8], to placeholder: String) {
        memory.withLock { $0.rename(value, to: placeholder) }
    }

    /// The placeholder of a secret that was met; nil for any other value.
    package func placeholder(of value: [UInt8]) -> String? {
        memory.withLock { $0.known(value) }.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The secrets that are left in bytes about to be written: those learnt, in any bytes, and the shapes of secrets,
    /// in text.
    package func scan(_ bytes: [UInt8], isText: Bool) -> [SecretFinding] {
        if let brokenPath { return [SecretFinding(kind: brokenPath.description, line: 1, column: 1)] }
        let bytes = WideText(bytes)?.utf8 ?? bytes
        let memory = memory.withLock { $0 }
        let hits = bytes.withUnsafeBufferPointer {
            SecretScan.hits(in: $0, isText: isText, known: memory.index, base: "")
                .filter { !memory.allowed.contains($0.value) }
        }
        return SecretScan.findings(hits, in: bytes) { memory.known($0) }
    }

    private static func hits(
        in text: Bytes, known: ValueIndex, place: String, hasRuns: Bool = true, trustsQuotedNames: Bool = false
    ) -> [SecretHit] {
        TextScanner.matches(
            in: text, strictness: .redaction, known: known, trustsQuotedNames: trustsQuotedNames, hasRuns: hasRuns
        ).map { match in
            SecretHit(
                range: match.range, value: match.value, kind: match.kind, place: match.place(in: place, base: place),
                spread: match.spread)
        }
    }

    private func redact(_ text: String, _ find: (Bytes, ValueIndex) -> [SecretHit]) -> Redaction<String> {
        let redaction = redact(Array(text.utf8), find)
        if !redaction.isRedacted { return Redaction(text) }
        return Redaction(String(decoding: redaction.value, as: UTF8.self), placeholders: redaction.placeholders)
    }

    private func redact(_ bytes: [UInt8], _ find: (Bytes, ValueIndex) -> [SecretHit]) -> Redaction<[UInt8]> {
        var message = MessageNames()
        var names: Set<String> = []
        let text = redact(bytes, &message, &names, find)
        return Redaction(text, placeholders: names.isEmpty ? [] : PlaceholderOrder.of(names, in: text))
    }

    /// - Parameters:
    ///   - names: the placeholders that were put in are added.
    ///   - keepsForm: whether a token is replaced by one.
    private func redact(
        _ bytes: [UInt8], _ message: inout MessageNames, _ names: inout Set<String>, keepsForm: Bool = false,
        _ find: (Bytes, ValueIndex) -> [SecretHit]
    ) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Self.rounds {
            let known = memory.withLock { $0.index }
            let hits = bytes.withUnsafeBufferPointer { find($0, known) }
            if hits.isEmpty { break }
            let placeholders = name(hits, in: &message)
            names.formUnion(placeholders)
            let texts = zip(hits, placeholders).map { hit, placeholder in
                keepsForm && !hit.keepsLength
                    ? form(placeholder, like: hit.value, written: Array(bytes[hit.range]), &names)
                    : Array(placeholder.utf8)
            }
            bytes = Self.replace(hits, by: texts, in: bytes)
        }
        return bytes
    }

    /// The placeholders of hits.
    private func name(_ hits: [SecretHit], in message: inout MessageNames) -> [String] {
        memory.withLock { memory in
            for hit in hits where hit.kind == .cookie { memory.credit(hit.value) }
            return memory.placeholders(for: hits, in: &message)
        }
    }

    /// A placeholder in the form of a value, if there is one.
    ///
    /// - Parameter written: the value as it stands in its text.
    private func form(
        _ name: String, like value: [UInt8], written: [UInt8], _ names: inout Set<String>
    ) -> [UInt8] {
        let known = memory.withLock { $0.index }
        let holdsSecret: ([UInt8]) -> Bool = { TextScanner.holdsSecret($0, known: known) }
        guard let form = Placeholder.formed(name, like: value, written: written, holdsSecret: holdsSecret)
        else {
            return Array(name.utf8)
        }
        let text = String(decoding: form, as: UTF8.self)
        if Placeholders.name(of: text) == nil {
            memory.withLock { $0.note(text, of: name) }
            names.insert(text)
        }
        return form
    }

    private static func replace(_ hits: [SecretHit], by placeholders: [[UInt8]], in bytes: [UInt8]) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count)
        var index = 0
        for (hit, placeholder) in zip(hits, placeholders) {
            output += bytes[index..<hit.range.lowerBound]
            if hit.needsQuotes { output.append(UInt8(ascii: "\"")) }
            output += hit.keepsLength ? BinaryScanner.filled(placeholder, to: hit.range.count) : placeholder
            if hit.needsQuotes { output.append(UInt8(ascii: "\"")) }
            index = hit.range.upperBound
        }
        output += bytes[index...]
        return output
    }
}
