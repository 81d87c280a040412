// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// The secrets that were met, with their placeholders; in memory only.
struct SecretMemory: Sendable {
    /// 65,536 values: further ones are still replaced where they are recognised, but not looked for elsewhere.
    static let limit = 65_536
    /// How long a value is that is looked for wherever it may stand.
    static let lengths = 8...16_384

    private var placeholders: [[UInt8]: String] = [:]
    private(set) var index = ValueIndex()
    /// The placeholders that were given.
    private(set) var names: Set<String> = []
    /// The values that may stand in a file though they look like secrets.
    private(set) var allowed: Set<[UInt8]> = []

    /// The values that came in Authorization, in a cookie and the like.
    private(set) var credentials: Set<[UInt8]> = []

    /// A number that is another as soon as something is learnt.
    var version: Int { placeholders.count + index.words.count }

    /// How far a secret is looked for.
    enum Spread: Sendable {
        /// It was a credential: everywhere; a phrase as words of their own, and a single word only where it has the same role.
        case everywhere
        /// It may be anything: everywhere where it looks like nothing else.
        case ifOwn
    }

    /// The placeholder of a value, remembered.
    ///
    /// - Parameter place: where it stands, which names it unless it is known.
    mutating func placeholder(
        for value: [UInt8], at place: String, spread: Spread, in message: inout MessageNames
    ) -> String {
        if let known = placeholders[value] {
            let name = message.name(known, for: value)
            if names.count < Self.limit { names.insert(name) }
            return name
        }
        let proposed = Placeholder.of(place)
        remember(value, as: proposed, spread: spread)
        let name = message.name(tells(proposed) ? Placeholder.of("name") : proposed, for: value)
        if placeholders[value] != nil { placeholders[value] = name }
        if names.count < Self.limit { names.insert(name) }
        return name
    }

    /// Takes note that a secret is a client's credential; a word says nothing of who uses it.
    mutating func credit(_ value: [UInt8]) {
        guard Self.lengths.contains(value.count), credentials.count < Self.limit else { return }
        if value.withUnsafeBufferPointer({ TextTraits($0).commonness != .word }) { credentials.insert(value) }
    }

    /// Has a value stay where it stands; one of fewer than eight bytes, or of words, may be another's secret.
    mutating func allow(_ value: [UInt8]) {
        guard Self.lengths.contains(value.count), allowed.count < Self.limit else { return }
        if value.withUnsafeBufferPointer({ TextTraits($0).commonness != .word }) { allowed.insert(value) }
    }

    /// Whether a secret stands in a placeholder: the name it has from its place holds one.
    private func tells(_ placeholder: String) -> Bool {
        var isFound = false
        Array(placeholder.utf8).withUnsafeBufferPointer { index.search($0) { _, _ in isFound = true } }
        return isFound
    }

    /// The placeholder of a value that is known.
    func known(_ value: [UInt8]) -> String? { placeholders[value] }

    /// Has a value that is known have another placeholder.
    mutating func rename(_ value: [UInt8], to placeholder: String) {
        if placeholders[value] != nil { placeholders[value] = placeholder }
    }

    /// Takes note of a secret.
    ///
    /// A single word, a date or a short number is one in its own place and in those of its kind, and never elsewhere.
    mutating func remember(_ value: [UInt8], as name: String, spread: Spread) {
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
