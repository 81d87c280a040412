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

    /// How far a secret is looked for.
    enum Spread: Sendable {
        /// It was a credential: everywhere, as a word of its own where it is made of common words.
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
        if let known = placeholders[value] { return message.name(known, for: value) }
        let proposed = Placeholder.of(place)
        remember(value, as: proposed, spread: spread)
        let name = message.name(tells(proposed) ? Placeholder.of("name") : proposed, for: value)
        if placeholders[value] != nil { placeholders[value] = name }
        return name
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

    mutating func remember(_ value: [UInt8], as name: String, spread: Spread) {
        guard Self.lengths.contains(value.count), placeholders.count < Self.limit, placeholders[value] == nil else {
            return
        }
        let (isCommon, isOwn, isPlaceholder) = value.withUnsafeBufferPointer { bytes in
            let look = Look(bytes)
            return (look.isCommon, look.isOwn, Placeholder.stands(in: bytes) || Placeholder.begins(atTheEndOf: bytes))
        }
        if isPlaceholder || spread == .ifOwn && !isOwn { return }
        placeholders[value] = name
        index.insert(value, isWord: isCommon)
    }
}
