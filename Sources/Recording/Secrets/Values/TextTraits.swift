// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The look of a value, whatever it is called.
struct TextTraits {
    /// How many bytes of a value are looked at.
    static let limit = 512
    /// A value of high entropy has so many bytes; one of less than 32 must look more like it.
    static let runLengths = 24...512
    /// Bits a byte, by Shannon, that a value of high entropy has at least.
    static let entropy = 4.0
    /// The least part of neighbours in a value of high entropy that are of different classes (capital, small letter, digit, other); in words
    /// and names it is less, at random more than a half.
    static let changes = 0.35

    /// Whether a value has the length and the characters of one of high entropy, at a glance.
    static func mayBeRun(_ value: Bytes) -> Bool {
        runLengths.contains(value.count) && value.allSatisfy(ByteClass.run.contains)
    }

    let bytes: Bytes
    private(set) var digits = 0
    private(set) var lowercase = 0
    private(set) var uppercase = 0
    private(set) var others = 0
    private(set) var spaces = 0
    private(set) var changeCount = 0
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

    var count: Int { min(bytes.count, Self.limit) }
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

    /// A value that a machine made, to be believed of a secret name: no spaces, letters and digits, no date, no address, no blank to be filled.
    func isToken(least length: Int) -> Bool {
        bytes.count >= length && spaces == 0 && letters > 0 && (digits > 0 || isScrambled) && shannon >= 2.5 && !isDate
            && !isAddress
            && !isBlank && !isPublic
            && !Placeholder.stands(in: bytes)
    }

    /// A token that nobody wrote as a sample: a scan without a memory believes only these as values of a secret name.
    var isRealToken: Bool { isToken(least: 16) && shannon >= 3 && !isSample }

    /// `2026-10-29…`
    var isDate: Bool {
        guard bytes.count >= 10, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-") else { return false }
        return [0, 1, 2, 3, 5, 6, 8, 9].allSatisfy { ByteClass.digits.contains(bytes[$0]) }
    }

    /// A URL or a path.
    var isAddress: Bool {
        if bytes.first == UInt8(ascii: "/") { return !isHighEntropy }
        return contains("://")
    }

    /// Whether the value is to be filled in, or was blotted out: `${TOKEN}`, `<token>`, `YOUR_TOKEN`, `****`, `xxxx`.
    private var isBlank: Bool {
        ["${", "{{", "<", "your", "xxxx", "***", "..."].contains { contains($0) }
    }

    var isSample: Bool {
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
        guard Self.runLengths.contains(bytes.count), bytes.allSatisfy(ByteClass.run.contains),
            bytes.firstIndex(of: UInt8(ascii: "=")).map({ $0 >= bytes.count - 2 }) ?? true
        else { return false }
        if isPathOfWords { return false }
        guard uppercase > 0 else { return isRandomInOneCase }
        guard lowercase > 0, digits > 0 else { return false }
        let isShort = bytes.count < 32
        guard Double(changeCount) >= (isShort ? 0.4 : Self.changes) * Double(bytes.count - 1),
            shannon >= (isShort ? 3.7 : Self.entropy), !isShort || !hasTypeInFront && uppercase > 1 && digits > 1
        else { return false }
        guard !isWordy, !isSlug(of: 20), !isDigestWithName, !isPublic, !isPathData, !isPublishable, !isAddressOfChain
        else {
            return false
        }
        return !decodesToKnown
    }

    /// 32 small letters and digits or more at random, and no hexadecimal.
    private var isRandomInOneCase: Bool {
        guard bytes.count >= 32, bytes.count <= 128, others == 0, digits >= 4, shannon >= 3.9,
            Double(changeCount) >= 0.25 * Double(bytes.count - 1), !isWordy, !isAddressOfChain
        else { return false }
        return bytes.count { $0 > UInt8(ascii: "f") } * 4 > lowercase
    }

    /// Whether issuers themselves call the value public: a key for pages and apps, which shows only whose it is.
    var isPublishable: Bool {
        ["pk_live_", "pk_test_", "pk.eyj", "sb_publishable_", "pubkey-", "flwpubk", "phc_"].contains {
            bytes.hasInAnyCase($0, at: 0)
        } || isKeyOfReCaptcha
    }

    private var isKeyOfReCaptcha: Bool {
        bytes.count == 40 && bytes[0] == UInt8(ascii: "6") && bytes[1] == UInt8(ascii: "L")
            && bytes[8...].starts(with: "AAAAA".utf8)
    }

    /// Whether an identifier has its type in front of it, as in `cus_9s6XKzkNRiz8i3` and `pi_3MtwBw…`.
    private var hasTypeInFront: Bool {
        guard let sign = bytes.firstIndex(of: UInt8(ascii: "_")), (2...8).contains(sign) else { return false }
        return bytes[..<sign].allSatisfy(ByteClass.lowercase.contains)
    }

    /// The address of an account on a chain of blocks, which is public: 25 or 32 bytes in Base58, or in Bech32.
    var isAddressOfChain: Bool {
        if [
            "bc1", "tb1", "ltc1", "addr1", "stake1", "cosmos1", "osmo1", "terra1", "inj1", "npub1", "age1", "bafy",
            "bafk", "bafz", "12d3koow", "note1", "nevent1", "xpub", "ypub", "zpub", "tpub", "lnbc",
        ].contains(where: {
            bytes.hasInAnyCase($0, at: 0)
        }) {
            return true
        }
        guard bytes.count <= 46, bytes.allSatisfy(Self.base58.contains) else { return false }
        switch bytes.count {
        case 43, 44: return true
        case 46: return bytes[0] == UInt8(ascii: "Q") && bytes[1] == UInt8(ascii: "m")
        case 25...35: return "13TDLMrAtQX".utf8.contains(bytes[0]) && (bytes.count == 34 || bytes[0] < 0x3A)
        case 36: return bytes.hasInAnyCase("tz", at: 0) || bytes.hasInAnyCase("kt1", at: 0)
        default: return false
        }
    }

    private static let base58 = ByteClass("123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz")

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
        isAccount || isPublicKey || isLineOfSSH || bytes.count == 132 && bytes.hasInAnyCase("0x", at: 0)
            || bytes.count >= 88 && bytes[0] == UInt8(ascii: "M") && bytes[1] == UInt8(ascii: "E")
                && "QUY".utf8.contains(bytes[2]) && bytes[3] == UInt8(ascii: "C")
    }

    /// Base64 of a public key or a certificate: as SSH writes it (RFC 4253 §6.6), in DER (RFC 5280 §4.1), or a point of P-256.
    private var isPublicKey: Bool {
        guard bytes.count >= 40, "ABM".utf8.contains(bytes[0]), let start = Base64.decode(bytes.slice(0..<40), .found)
        else {
            return false
        }
        switch start[0] {
        case 0:
            let type = start[4...]
            return start[1] == 0 && start[2] == 0
                && ["ssh-", "ecds", "sk-s"].contains { type.starts(with: Array($0.utf8)) }
        case 4: return bytes.count == 87 || bytes.count == 88 && bytes[87] == UInt8(ascii: "=")
        case 0x30:
            // A sequence that begins with a sequence: a public key or a certificate; a private one begins with its version.
            let length = start[1] < 0x80 ? 2 : 2 + Int(start[1] & 0x7F)
            return length < start.count && start[length] == 0x30
        default: return false
        }
    }

    /// The line of a public key as OpenSSH has it, also in a form, where a plus sign is a blank: `ssh-rsa AAAA…`.
    private var isLineOfSSH: Bool {
        let types = ["ssh-rsa", "ssh-ed25519", "ssh-dss", "ecdsa-sha2-", "sk-ssh-", "sk-ecdsa-"]
        return types.contains { bytes.starts(with: $0.utf8) }
            && [" aaaa", "+aaaa", "%20aaaa"].contains { contains($0) }
    }

    /// The data of a path of SVG that has no blanks.
    private var isPathData: Bool {
        bytes[0].lowercased == UInt8(ascii: "m") && bytes.allSatisfy(Self.pathData.contains)
    }

    private static let pathData = ByteClass("0123456789MmZzLlHhVvCcSsQqTtAaEe+-")

    /// `sha256-…` and its like, as in the attribute `integrity`; or a name of C++ as linkers write it.
    private var isDigestWithName: Bool {
        ["sha1-", "sha256-", "sha384-", "sha512-", "md5-", "_zn"].contains { bytes.hasInAnyCase($0, at: 0) }
    }

    /// Whether it is Base64 of known content.
    var isContent: Bool { decodesToKnown }

    /// Base64 of a picture, a sound, an archive, or of text: three quarters of the bytes are printable, as in cursors and global ids.
    private var decodesToKnown: Bool {
        if bytes.count >= 24, let start = Base64.decode(bytes.slice(0..<24), .found), MediaStart.isKnown(start) {
            return true
        }
        guard let decoded = Base64.decode(bytes, .found) else { return false }
        if MediaStart.isKnown(decoded) || Self.isMeasured(decoded) { return true }
        let printable = decoded.count { (0x20..<0x7F).contains($0) || $0 == 0x0A || $0 == 0x0D || $0 == 0x09 }
        return printable * 4 >= decoded.count * 3
    }

    /// Numbers or samples, as in embeddings and waves: bytes that stand at the same place of each number are few, or neighbours are near.
    private static func isMeasured(_ bytes: [UInt8]) -> Bool {
        guard bytes.count >= 64 else { return false }
        var near = 0
        for index in 1..<bytes.count {
            let difference = abs(Int(bytes[index]) - Int(bytes[index - 1]))
            if min(difference, 256 - difference) < 32 { near += 1 }
        }
        // A quarter at random.
        if near * 2 > bytes.count { return true }
        for width in [2, 4, 8] {
            for place in 0..<width {
                var seen = [Bool](repeating: false, count: 256)
                var count = 0
                for index in stride(from: place, to: bytes.count, by: width) {
                    count += 1
                    seen[Int(bytes[index])] = true
                }
                if count >= 12, seen.count(where: { $0 }) * 2 <= min(count, 96) { return true }
            }
        }
        return false
    }

    /// Sixteen bytes or more written in hexadecimal.
    var isHexadecimal: Bool {
        bytes.count >= 32 && bytes.allSatisfy(ByteClass.hexadecimal.contains)
    }

    /// So many digits and nothing else.
    func isDigits(_ lengths: ClosedRange<Int>) -> Bool {
        lengths.contains(bytes.count) && digits == bytes.count
    }
}
