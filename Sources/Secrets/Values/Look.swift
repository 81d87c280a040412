// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// What a value looks like, whatever it is called.
struct Look {
    /// How many bytes of a value are looked at.
    static let limit = 512
    /// A value of high entropy has so many bytes.
    static let runLengths = 32...512
    /// Bits a byte, by Shannon, that a value of high entropy has at least.
    static let entropy = 4.0
    /// The least part of neighbours in a value of high entropy that are of different classes (capital, small letter, digit, other); in words
    /// and names it is less, at random more than a half.
    static let changes = 0.35

    /// Whether a value has the length and the characters of one of high entropy, at a glance.
    static func mayBeRun(_ value: Bytes) -> Bool {
        runLengths.contains(value.count) && value.allSatisfy(ByteClass.run.contains)
    }

    private let bytes: Bytes
    private(set) var digits = 0
    private(set) var lowercase = 0
    private(set) var uppercase = 0
    private(set) var others = 0
    private(set) var spaces = 0
    private var changeCount = 0
    private var counts = [UInt16](repeating: 0, count: 256)

    init(_ value: Bytes) {
        bytes = value
        var last = -1
        for index in 0..<min(value.count, Self.limit) {
            let byte = value[index]
            counts[Int(byte)] += 1
            let kind: Int
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): (digits, kind) = (digits + 1, 0)
            case UInt8(ascii: "a")...UInt8(ascii: "z"): (lowercase, kind) = (lowercase + 1, 1)
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): (uppercase, kind) = (uppercase + 1, 2)
            default:
                (others, kind) = (others + 1, 3)
                if ByteClass.space.contains(byte) { spaces += 1 }
            }
            if last >= 0, kind != last { changeCount += 1 }
            last = kind
        }
    }

    private var count: Int { min(bytes.count, Self.limit) }
    var letters: Int { lowercase + uppercase }
    /// How often a byte is of another class than the one before.
    var changes: Int { changeCount }

    var shannon: Double {
        var sum = 0.0
        for count in counts where count > 0 {
            let share = Double(count) / Double(self.count)
            sum -= share * log2(share)
        }
        return sum
    }

    /// A value that a machine made, to be believed of a telling name: no spaces, letters and digits, no date, no address, no blank to be filled.
    func isToken(least length: Int) -> Bool {
        bytes.count >= length && spaces == 0 && letters > 0 && digits > 0 && shannon >= 2.5 && !isDate && !isAddress
            && !isBlank && !isPublic
            && !Placeholder.stands(in: bytes)
    }

    /// A token that nobody wrote as a sample: what a scan without a memory believes of a telling name.
    var isRealToken: Bool { isToken(least: 16) && shannon >= 3 && !isSample }

    /// `2026-10-29…`
    var isDate: Bool {
        guard bytes.count >= 10, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-") else { return false }
        return [0, 1, 2, 3, 5, 6, 8, 9].allSatisfy { ByteClass.digits.contains(bytes[$0]) }
    }

    /// A URL or a path.
    private var isAddress: Bool {
        if bytes.first == UInt8(ascii: "/") { return !isHighEntropy }
        return contains("://")
    }

    /// What is to be filled in, or was blotted out: `${TOKEN}`, `<token>`, `YOUR_TOKEN`, `****`, `xxxx`.
    private var isBlank: Bool {
        ["${", "{{", "<", "your", "xxxx", "***", "..."].contains { contains($0) }
    }

    private var isSample: Bool {
        ["sample", "example", "test", "dummy", "fake", "mock", "placeholder"].contains { contains($0) }
    }

    /// Whether a text in lower case stands in the value, in any case.
    private func contains(_ text: StaticString) -> Bool {
        let length = text.utf8CodeUnitCount
        guard count >= length else { return false }
        return (0...count - length).contains { bytes.hasInAnyCase(text, at: $0) }
    }

    /// Letters, digits and the rest of Base64 at random: neither identifier, digest, path nor anything that is plain once it is decoded.
    var isHighEntropy: Bool {
        guard Self.runLengths.contains(bytes.count), lowercase > 0, uppercase > 0, digits > 0 else { return false }
        guard Double(changeCount) >= Self.changes * Double(bytes.count - 1), shannon >= Self.entropy else {
            return false
        }
        guard bytes.allSatisfy(ByteClass.run.contains), !isDigestWithName, !isPublic, !isPathData else { return false }
        return !decodesToKnown
    }

    /// The address of an account on a chain of blocks: `0x` and 20 bytes.
    var isAccount: Bool {
        bytes.count == 42 && bytes.hasInAnyCase("0x", at: 0)
            && bytes.dropFirst(2).allSatisfy(ByteClass.hexadecimal.contains)
    }

    /// Whether a file's extension stands at the end.
    var isFileName: Bool {
        guard let dot = bytes.lastIndex(of: UInt8(ascii: ".")) else { return false }
        return (3...6).contains(bytes.count - dot)
            && bytes[(dot + 1)...].allSatisfy(ByteClass.lowercase.union("0123456789").contains)
    }

    /// The address of an account, or a signature by ECDSA in DER, which anybody may check (RFC 3279 §2.2.3).
    private var isPublic: Bool {
        isAccount
            || bytes.count >= 88 && bytes[0] == UInt8(ascii: "M") && bytes[1] == UInt8(ascii: "E")
                && "QUY".utf8.contains(bytes[2]) && bytes[3] == UInt8(ascii: "C")
    }

    /// The data of a path of SVG that has no blanks.
    private var isPathData: Bool {
        bytes[0].lowercased == UInt8(ascii: "m") && bytes.allSatisfy(Self.pathData.contains)
    }

    private static let pathData = ByteClass("0123456789MmZzLlHhVvCcSsQqTtAaEe+-")

    /// `sha256-…` and its like, as in the attribute `integrity`.
    private var isDigestWithName: Bool {
        ["sha1-", "sha256-", "sha384-", "sha512-", "md5-"].contains { bytes.hasInAnyCase($0, at: 0) }
    }

    /// Base64 of a picture, a sound, an archive, or of text: three quarters of the bytes are printable, as in cursors and global ids.
    private var decodesToKnown: Bool {
        guard let decoded = Base64.decode(bytes) else { return false }
        if MediaStart.isKnown(decoded) { return true }
        let printable = decoded.count { (0x20..<0x7F).contains($0) || $0 == 0x0A || $0 == 0x0D || $0 == 0x09 }
        return printable * 4 >= decoded.count * 3
    }

    /// Sixteen bytes or more written in hexadecimal.
    var isHexadecimal: Bool {
        bytes.count >= 32 && bytes.allSatisfy(ByteClass.hexadecimal.contains)
    }

    /// So many digits and nothing else.
    func isDigits(_ lengths: ClosedRange<Int>) -> Bool {
        lengths.contains(bytes.count) && digits == bytes.count
    }

    /// How much of a value may be found in other texts without any tie to this one.
    enum Commonness {
        /// A word, several with hyphens and the like between, a date, a number of up to 15 digits: in any text.
        case word
        /// Words with blanks between, 16 letters and more, a longer number, a word of up to eleven bytes with digits behind: as words of their own.
        case phrase
        /// Nothing.
        case own
    }

    var commonness: Commonness {
        if isDate { return .word }
        if digits == bytes.count { return digits < 16 ? .word : .phrase }
        let capitals = uppercase > 0 && bytes.first.map(ByteClass.uppercase.contains) == true ? 1 : 0
        let turns = changeCount - (uppercase == 1 ? capitals : 0)
        if bytes.count < 12, others == 0, digits > 0, turns <= 1 { return .phrase }
        guard isCommon else { return .own }
        return spaces > 0 && letters > 0 || others == 0 && bytes.count >= 16 ? .phrase : .word
    }

    /// Words, or a number.
    var isCommon: Bool {
        if isDate || digits == bytes.count { return true }
        if bytes.count >= 24 { return false }
        let symbols = bytes.contains { !ByteClass.alphanumeric.contains($0) && !ByteClass(" -_.,/").contains($0) }
        return !symbols && (digits == 0 || letters == 0) && (lowercase == 0 || uppercase <= 1)
    }

    /// Whether a value of a name that tells nothing is still so much its own that it can be looked for in other texts.
    var isOwn: Bool {
        guard bytes.count >= 8, spaces == 0, letters > 0, digits > 0, !isDate, !isAddress else { return false }
        if bytes.contains(UInt8(ascii: "/")) { return isHighEntropy }
        return bytes.count >= 16 || changeCount >= 3
    }
}
