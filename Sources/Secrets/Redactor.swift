// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Synchronization

/// Replaces secrets by named placeholders, and remembers them so that the same secret gets the same placeholder everywhere.
package final class Redactor: Sendable {
    /// How often a text is looked through: what is learnt in one round is found everywhere in the next.
    private static let rounds = 8

    let rules: RedactionRules
    private let paths: [JSONPathPattern]
    /// What is wrong with paths of the rules, which keeps everything from being written.
    private let brokenPath: JSONPathError?
    private let memory = Mutex(SecretMemory())

    /// - Parameter rules: where a path in it is none, `scan` finds that in everything, so that nothing is written without it.
    package init(_ rules: RedactionRules = RedactionRules()) {
        self.rules = rules
        var paths: [JSONPathPattern] = []
        var broken: JSONPathError?
        for text in rules.jsonPaths {
            do throws(JSONPathError) {
                paths.append(try JSONPathPattern(text))
            } catch {
                broken = broken ?? error
            }
        }
        self.paths = paths
        brokenPath = broken
    }

    /// A segment of a path, percent-decoded.
    ///
    /// - Parameters:
    ///   - position: the segment's number, which names the placeholder; nil names it `path`.
    ///   - previous: the segment in front of it, which may tell that it is the secret of a link.
    package func path(segment: String, at position: Int? = nil, behind previous: String = "") -> Redaction<String> {
        let place = position.map { "path.\($0)" } ?? "path"
        return redact(segment) { text, known in
            if PathFinder.isSecret(text, behind: previous) {
                return [SecretHit(range: 0..<text.count, value: Array(text), kind: .link, place: place)]
            }
            return Self.hits(in: text, known: known, place: place, hasRuns: false)
        }
    }

    /// The value of a query parameter, decoded.
    package func query(_ name: String, _ value: String) -> Redaction<String> {
        redact(value) { text, known in
            if let kind = ParameterFinder.secret(text, of: name) {
                return [SecretHit(range: 0..<text.count, value: Array(text), kind: kind, place: "query.\(name)")]
            }
            var name = name
            let isExempt = name.withUTF8 { SecretNames.isExemptFromEntropy($0) }
            return Self.hits(
                in: text, known: known, place: "query.\(name)", hasRuns: !isExempt, trustsQuotedNames: true)
        }
    }

    /// The value of a header line of a response; of Set-Cookie the cookie's value alone is replaced.
    package func header(_ name: String, _ value: String) -> Redaction<String> {
        let finder = HeaderFinder(name: name, rules: rules)
        return redact(value) { text, known in finder.hits(in: text, known: known) }
    }

    /// The content of a request or a response that is text: JSON, a form, XML or any other.
    ///
    /// - Parameters:
    ///   - mediaType: the value of Content-Type; empty where there is none.
    ///   - further: JSON paths beside those of the rules; one that is none is left out.
    package func text(
        _ bytes: [UInt8], mediaType: String, of side: Side, further: [String] = []
    ) -> Redaction<[UInt8]> {
        if let wide = WideText(bytes) {
            let redaction = self.text(wide.utf8, mediaType: mediaType, of: side, further: further)
            if !redaction.isRedacted { return Redaction(bytes) }
            return Redaction(wide.encoded(redaction.value), placeholders: redaction.placeholders)
        }
        let paths = paths + further.compactMap { try? JSONPathPattern($0) }
        return redact(bytes) { text, known in
            var finder = DocumentFinder(text, strictness: .redaction, known: known, base: side.rawValue)
            finder.paths = paths
            let hits = finder.find(mediaType: mediaType)
            if !hits.isEmpty { return hits }
            // What is a secret to a scan, which knows nothing of the media type, must go too.
            let isRead = DocumentFinder.isReadByType(mediaType)
            return SecretScan.hits(in: text, isText: isRead, known: known, base: side.rawValue, isBinary: false)
        }
    }

    /// Which message a content is of.
    package enum Side: String, Sendable {
        case request
        case response
    }

    /// Content that is no text: what begins as only secrets do is replaced by as many bytes, so that what counts bytes still holds.
    ///
    /// Text with a NUL in it, or in UTF-16 without its mark, is replaced as text is.
    package func binary(_ bytes: [UInt8], mediaType: String, of side: Side) -> Redaction<[UInt8]> {
        if WideText(bytes) != nil || SecretScan.isNearlyText(bytes) {
            return text(bytes, mediaType: mediaType, of: side)
        }
        return redact(bytes) { text, _ in BinaryFinder.hits(in: text, base: side.rawValue) }
    }

    /// Takes note of the secrets in the header lines of a request, which are never written, so that they are found wherever else they stand.
    package func learn(_ fields: [(name: String, value: String)]) {
        let secrets = fields.flatMap { RequestSecrets.secrets(in: $0.name, $0.value, rules: rules) }
        memory.withLock { memory in
            for secret in secrets {
                memory.remember(secret.value, as: Placeholder.of(secret.place), spread: secret.spread)
            }
        }
    }

    /// Has a value that is known have another placeholder from now on, which says whose it is.
    package func rename(_ value: [UInt8], to placeholder: String) {
        memory.withLock { $0.rename(value, to: placeholder) }
    }

    /// What still is a secret in bytes that are about to be written: those learnt, in any bytes, and the shapes of secrets, in text.
    package func scan(_ bytes: [UInt8], isText: Bool) -> [SecretFinding] {
        if let brokenPath { return [SecretFinding(kind: brokenPath.description, line: 1, column: 1)] }
        let bytes = WideText(bytes)?.utf8 ?? bytes
        let memory = memory.withLock { $0 }
        let hits = bytes.withUnsafeBufferPointer {
            SecretScan.hits(in: $0, isText: isText, known: memory.index, base: "")
        }
        return SecretScan.findings(hits, in: bytes) { memory.known($0) }
    }

    private static func hits(
        in text: Bytes, known: ValueIndex, place: String, hasRuns: Bool = true, trustsQuotedNames: Bool = false
    ) -> [SecretHit] {
        TextFinder.matches(
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
        var bytes = bytes
        var message = MessageNames()
        var names: Set<String> = []
        for _ in 0..<Self.rounds {
            let known = memory.withLock { $0.index }
            let hits = bytes.withUnsafeBufferPointer { find($0, known) }
            if hits.isEmpty { break }
            let placeholders = name(hits, in: &message)
            names.formUnion(placeholders)
            bytes = Self.replace(hits, by: placeholders, in: bytes)
        }
        return Redaction(bytes, placeholders: names.isEmpty ? [] : PlaceholderOrder.of(names, in: bytes))
    }

    /// The placeholders of hits; those that are known come first, so that what is new does not take their names.
    private func name(_ hits: [SecretHit], in message: inout MessageNames) -> [String] {
        memory.withLock { memory in
            for hit in hits {
                if let known = memory.known(hit.value) { _ = message.name(known, for: hit.value) }
            }
            return hits.map { memory.placeholder(for: $0.value, at: $0.place, spread: $0.spread, in: &message) }
        }
    }

    private static func replace(_ hits: [SecretHit], by placeholders: [String], in bytes: [UInt8]) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count)
        var index = 0
        for (hit, placeholder) in zip(hits, placeholders) {
            output += bytes[index..<hit.range.lowerBound]
            if hit.needsQuotes { output.append(UInt8(ascii: "\"")) }
            output += hit.keepsLength ? BinaryFinder.filled(placeholder, to: hit.range.count) : Array(placeholder.utf8)
            if hit.needsQuotes { output.append(UInt8(ascii: "\"")) }
            index = hit.range.upperBound
        }
        output += bytes[index...]
        return output
    }
}
