// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// The formats of hosts, addresses and URIs.
enum NetFormats {
    /// RFC 1123 §2.1, and for international names the ranges of RFC 5892 that are cheap to check.
    static func isHostname(_ bytes: [UInt8], isInternational: Bool) -> Bool {
        let text = String(decoding: bytes, as: UTF8.self)
        let dots: Set<Unicode.Scalar> = isInternational ? [".", "\u{3002}", "\u{FF0E}", "\u{FF61}"] : ["."]
        let labels = text.unicodeScalars.split(omittingEmptySubsequences: false) { dots.contains($0) }
        var size = labels.count - 1
        for label in labels {
            let scalars = Array(label)
            let length = scalars.allSatisfy(\.isASCII) ? scalars.count : 4 + Punycode.length(scalars)
            size += length
            guard !scalars.isEmpty, length <= 63, scalars.first != "-", scalars.last != "-" else { return false }
            let isPunycode = String(String.UnicodeScalarView(scalars)).lowercased().hasPrefix("xn--")
            if !isPunycode, scalars.count >= 4, scalars[2] == "-", scalars[3] == "-", isInternational { return false }
            if isPunycode, isInternational, scalars.count < 6 { return false }
            for (position, scalar) in scalars.enumerated() {
                if scalar.isASCII {
                    guard let byte = UInt8(exactly: scalar.value),
                        Formats.isLetter(byte) || Formats.isDigit(byte) || scalar == "-"
                    else { return false }
                } else if !isInternational || !isAllowed(scalar, at: position, in: scalars) {
                    return false
                }
            }
        }
        return size <= 253
    }

    /// RFC 5892: the disallowed and the contextual scalars.
    private static func isAllowed(_ scalar: Unicode.Scalar, at position: Int, in label: [Unicode.Scalar]) -> Bool {
        let before = position > 0 ? label[position - 1] : nil
        let behind = position + 1 < label.count ? label[position + 1] : nil
        if position == 0 {
            switch scalar.properties.generalCategory {
            case .nonspacingMark, .spacingMark, .enclosingMark: return false
            default: break
            }
        }
        switch scalar.value {
        case 0x00DF, 0x03C2, 0x06FD, 0x06FE, 0x0F0B, 0x3007: return true
        case 0x302E, 0x302F, 0x0640, 0x07FA, 0x3031...0x3035, 0x303B: return false
        case 0x00B7: return before == "l" && behind == "l"
        case 0x0375: return behind.map { (0x370...0x3FF).contains($0.value) } ?? false
        case 0x05F3, 0x05F4: return before.map { (0x590...0x5FF).contains($0.value) } ?? false
        case 0x30FB:
            return label.contains {
                (0x3040...0x30FA).contains($0.value) || (0x30FC...0x30FF).contains($0.value)
                    || (0x3400...0x9FFF).contains($0.value)
            }
        case 0x0660...0x0669: return !label.contains { (0x06F0...0x06F9).contains($0.value) }
        case 0x06F0...0x06F9: return !label.contains { (0x0660...0x0669).contains($0.value) }
        case 0x200C, 0x200D: return before.map { $0.properties.canonicalCombiningClass.rawValue == 9 } ?? false
        default: break
        }
        switch scalar.properties.generalCategory {
        case .lowercaseLetter, .otherLetter, .modifierLetter, .nonspacingMark, .spacingMark, .decimalNumber: return true
        // Names are lowered on the way.
        case .uppercaseLetter, .titlecaseLetter: return true
        default: return false
        }
    }

    static func isIPv4(_ bytes: ArraySlice<UInt8>) -> Bool {
        let parts = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return parts.count == 4 && parts.allSatisfy { isOctet($0) }
    }

    private static func isOctet(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard (1...3).contains(bytes.count), bytes.allSatisfy(Formats.isDigit) else { return false }
        if bytes.count > 1, bytes.first == UInt8(ascii: "0") { return false }
        return bytes.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) } <= 255
    }

    /// RFC 4291 §2.2.
    static func isIPv6(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard bytes.count <= 45 else { return false }
        var groups = bytes.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        var size = 0
        if let last = groups.last, last.contains(UInt8(ascii: ".")) {
            guard isIPv4(last) else { return false }
            groups.removeLast()
            groups.append([UInt8(ascii: "0")])
            size += 1
        }
        guard groups.count >= 3 else { return false }
        // A gap is an empty group within, and two at an end.
        var gaps = 0
        for (position, group) in groups.enumerated() {
            if group.isEmpty {
                let isFirst = position == 0
                let isLast = position == groups.count - 1
                if isFirst {
                    guard groups[1].isEmpty else { return false }
                } else if isLast {
                    guard groups[position - 1].isEmpty else { return false }
                } else {
                    gaps += 1
                }
            } else {
                guard group.count <= 4, group.allSatisfy(Formats.isHex) else { return false }
                size += 1
            }
        }
        return gaps == 0 ? size == 8 : gaps == 1 && size <= 7
    }

    /// RFC 3986, or RFC 3987 for international ones.
    static func isReference(_ bytes: [UInt8], isInternational: Bool, needsScheme: Bool) -> Bool {
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: "%") {
                guard index + 2 < bytes.count, Formats.isHex(bytes[index + 1]), Formats.isHex(bytes[index + 2]) else {
                    return false
                }
            } else if byte >= 0x80 {
                if !isInternational { return false }
            } else if byte <= 0x20 || byte == 0x7F || "\"<>\\^`{|}".utf8.contains(byte) {
                return false
            }
            index += 1
        }
        var rest = bytes[...]
        if let hash = rest.firstIndex(of: UInt8(ascii: "#")) {
            let fragment = rest[(hash + 1)...]
            if fragment.contains(UInt8(ascii: "#")) { return false }
            if fragment.contains(where: { "[]".utf8.contains($0) }) { return false }
            rest = rest[..<hash]
        }
        if let question = rest.firstIndex(of: UInt8(ascii: "?")) {
            if rest[question...].contains(where: { "[]".utf8.contains($0) }) { return false }
            rest = rest[..<question]
        }
        var hasScheme = false
        if let colon = rest.firstIndex(where: { ":/".utf8.contains($0) }), rest[colon] == UInt8(ascii: ":") {
            let scheme = rest[..<colon]
            // A first segment with a colon is a scheme, or wrong.
            guard let first = scheme.first, Formats.isLetter(first),
                scheme.allSatisfy({ Formats.isLetter($0) || Formats.isDigit($0) || "+-.".utf8.contains($0) })
            else { return false }
            hasScheme = true
            rest = rest[(colon + 1)...]
        }
        if needsScheme, !hasScheme { return false }
        if rest.starts(with: "//".utf8) {
            let authority = rest.dropFirst(2).prefix { $0 != UInt8(ascii: "/") }
            if !isAuthority(authority) { return false }
            rest = rest[authority.endIndex...]
        }
        return !rest.contains { "[]".utf8.contains($0) }
    }

    private static func isAuthority(_ authority: ArraySlice<UInt8>) -> Bool {
        var host = authority
        if let at = host.lastIndex(of: UInt8(ascii: "@")) {
            if host[..<at].contains(where: { "[]@".utf8.contains($0) }) { return false }
            host = host[(at + 1)...]
        }
        if host.first == UInt8(ascii: "[") {
            guard let end = host.firstIndex(of: UInt8(ascii: "]")) else { return false }
            let address = host[(host.startIndex + 1)..<end]
            let port = host[(end + 1)...]
            if !port.isEmpty, port.first != UInt8(ascii: ":") || !port.dropFirst().allSatisfy(Formats.isDigit) {
                return false
            }
            return isFutureAddress(address) || isIPv6(address)
        }
        if let colon = host.lastIndex(of: UInt8(ascii: ":")) {
            if !host[(colon + 1)...].allSatisfy(Formats.isDigit) { return false }
            host = host[..<colon]
        }
        return !host.contains { "[]:".utf8.contains($0) }
    }

    /// An address of a later version, such as `v7.a:b`.
    private static func isFutureAddress(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard let mark = bytes.first, mark | 0x20 == UInt8(ascii: "v") else { return false }
        let version = bytes.dropFirst().prefix(while: Formats.isHex)
        let rest = bytes[version.endIndex...]
        return !version.isEmpty && rest.first == UInt8(ascii: ".") && rest.count > 1
            && rest.allSatisfy { $0 < 0x80 && !"%/?#[]@".utf8.contains($0) }
    }
}

/// How long a label is in its ASCII form (RFC 3492 §6.3).
private enum Punycode {
    static func length(_ label: [Unicode.Scalar]) -> Int {
        let basic = label.filter(\.isASCII).count
        // Labels that cannot be short enough are not counted out.
        if label.count > 63 { return label.count }
        var (value, delta, bias) = (UInt32(128), UInt64(0), UInt64(72))
        var handled = basic
        var length = basic + (basic > 0 ? 1 : 0)
        while handled < label.count {
            guard let next = label.map(\.value).filter({ $0 >= value }).min() else { break }
            delta += UInt64(next - value) * UInt64(handled + 1)
            value = next
            for scalar in label {
                if scalar.value < value { delta += 1 }
                guard scalar.value == value else { continue }
                var (rest, step) = (delta, UInt64(36))
                while true {
                    let threshold = step <= bias ? 1 : step >= bias + 26 ? 26 : step - bias
                    length += 1
                    if rest < threshold { break }
                    rest = (rest - threshold) / (36 - threshold)
                    step += 36
                }
                bias = adapted(delta, UInt64(handled + 1), isFirst: handled == basic)
                delta = 0
                handled += 1
            }
            delta += 1
            value += 1
        }
        return length
    }

    private static func adapted(_ delta: UInt64, _ count: UInt64, isFirst: Bool) -> UInt64 {
        var delta = isFirst ? delta / 700 : delta / 2
        delta += delta / count
        var steps: UInt64 = 0
        while delta > 455 {
            delta /= 35
            steps += 36
        }
        return steps + 36 * delta / (delta + 38)
    }
}
