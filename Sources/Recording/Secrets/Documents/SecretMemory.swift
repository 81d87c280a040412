// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// The secrets that were met, with their placeholders; in memory only.
struct SecretMemory: Sendable {
    /// 65,536 values: further ones are still replaced if they are recognised, but not looked for elsewhere.
    static let limit = 65_536
    /// How long a value is that is looked for wherever it may stand.
    static let lengths = 8...16_384

    private var placeholders: [[UInt8]: String] = [:]
    private(set) var index = ValueIndex()
    /// The values that may stand in a file though they look like secrets.
    private(set) var allowed: Set<[UInt8]> = []

    /// The names of placeholders that are UUIDs, by these.
    private(set) var formed: [String: String] = [:]
    /// The values that came as credentials, such as in Authorization or in a cookie.
    private(set) var credentials: Set<[UInt8]> = []

    /// A number that changes as soon as something is learnt.
    var version: Int { placeholders.count + index.words.count }

    /// The placeholders of secrets, remembered; known secrets come first, so that new ones do not take their names.
    mutating func placeholders(for hits: [SecretHit], in message: inout MessageNames) -> [String] {
        let known = hits.map { placeholders[$0.value] }
        for (hit, known) in zip(hits, known) {
            if let known { _ = message.name(known, for: hit.value) }
        }
        // All before the first is named: it may stand behind a name that holds another.
        for hit in hits { remember(hit.value, as: "", spread: hit.spread) }
        return zip(hits, known).map { hit, known in
            let name = message.name(known ?? name(of: hit.place), for: hit.value)
            if known == nil, placeholders[hit.value] != nil { placeholders[hit.value] = name }
            if index.placeholders.count < Self.limit { index.insert(placeholder: name) }
            return name
        }
    }

    /// Takes note of the name of a placeholder whose form does not show it.
    mutating func note(_ form: String, of name: String) {
        guard formed.count < Self.limit else { return }
        formed[form] = name
        index.insert(placeholder: form)
    }

    /// Takes note of a secret that is not replaced where it stands.
    mutating func learn(_ value: [UInt8], at place: String, spread: SecretSpread) {
        guard placeholders[value] == nil else { return }
        remember(value, as: "", spread: spread)
        if placeholders[value] != nil { placeholders[value] = name(of: place) }
    }

    /// The placeholder that a place names; a placeholder without a place if that is a secret itself.
    private func name(of place: String) -> String {
        let proposed = Placeholder.of(place)
        var place = place
        let isTelling =
            Array(proposed.utf8).withUnsafeBufferPointer(index.stands)
            || place.withUTF8 { !TextScanner.matches(in: $0, strictness: .scan, hasRuns: false).isEmpty }
        return isTelling ? Placeholder.of(Placeholder.unnamed) : proposed
    }

    /// Notes that a secret is a client's credential; a word does not identify its user.
    mutating func credit(_ value: [UInt8]) {
        guard Self.lengths.contains(value.count), credentials.count < Self.limit else { return }
        if value.withUnsafeBufferPointer({ TextTraits($0).commonness != .word }) { credentials.insert(value) }
    }

    /// Lets a value stay where it stands; a value of fewer than eight bytes, or of words, may be another's secret.
    mutating func allow(_ value: [UInt8]) {
        guard Self.lengths.contains(value.count), allowed.count < Self.limit else { return }
        if value.withUnsafeBufferPointer({ TextTraits($0).commonness != .word }) { allowed.insert(value) }
    }

    /// The placeholder of a value that is known.
    func known(_ value: [UInt8]) -> String? { placeholders[value] }

    /// Gives a known value another placeholder.
    mutating func rename(_ value: [UInt8], to placeholder: String) {
        if placeholders[value] != nil { placeholders[value] = placeholder }
    }

    /// Takes note of a secret.
    ///
    /// A single word, a date or a short number is one in its own place and in those of its kind, and never elsewhere.
    mutating func remember(_ value: [UInt8], as name: String, spread: SecretSpread) {
        guard Self.lengths.contains(value.count), version < Self.limit, placeholders[value] == nil else { return }
        let (commonness, isOwn, isPlaceholder) = value.withUnsafeBufferPointer { bytes in
            let traits = TextTraits(bytes)
            return (
                traits.commonness, traits.isOwn, Placeholder.stands(in: bytes) || Placeholder.begins(atTheEndOf: bytes)
            )
        }
        if isPlaceholder || spread == .ifOwn && !isOwn { return }
        if commonness == .word { return index.insert(word: value) }
        placeholders[value] = name
        index.insert(value, isWord: commonness == .phrase)
    }
}
