// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax
import MockapiRegularExpressions

/// The formats that drafts 4, 6 and 7 assert; a format that is not known asks for nothing.
enum Formats {
    private static let draft4: Set<String> = ["date-time", "email", "hostname", "ipv4", "ipv6", "uri", "regex"]
    private static let draft6: Set<String> = draft4.union(["uri-reference", "uri-template", "json-pointer"])
    private static let draft7: Set<String> = draft6.union([
        "date", "time", "idn-email", "idn-hostname", "iri", "iri-reference", "relative-json-pointer", "uuid",
        "duration",
    ])

    static func known(in version: JSONSchemaVersion) -> Set<String> {
        switch version {
        case .draft4: draft4
        case .draft6: draft6
        case .draft7, .draft2019, .draft2020: draft7
        }
    }

    static func isValid(_ text: String, _ name: String) -> Bool {
        let bytes = Array(text.utf8)
        switch name {
        case "date-time": return TimeFormats.isDateTime(bytes)
        case "date": return TimeFormats.isDate(bytes[...])
        case "time": return TimeFormats.isTime(bytes[...])
        case "duration": return TimeFormats.isDuration(bytes)
        case "email": return isEmail(bytes, isInternational: false)
        case "idn-email": return isEmail(bytes, isInternational: true)
        case "hostname": return NetFormats.isHostname(bytes, isInternational: false)
        case "idn-hostname": return NetFormats.isHostname(bytes, isInternational: true)
        case "ipv4": return NetFormats.isIPv4(bytes[...])
        case "ipv6": return NetFormats.isIPv6(bytes[...])
        case "uri": return NetFormats.isReference(bytes, isInternational: false, needsScheme: true)
        case "uri-reference": return NetFormats.isReference(bytes, isInternational: false, needsScheme: false)
        case "iri": return NetFormats.isReference(bytes, isInternational: true, needsScheme: true)
        case "iri-reference": return NetFormats.isReference(bytes, isInternational: true, needsScheme: false)
        case "uri-template": return isTemplate(bytes)
        case "json-pointer": return isPointer(bytes[...])
        case "relative-json-pointer": return isRelativePointer(bytes)
        case "regex": return isRegex(text)
        case "uuid": return TextLook.isUUID(bytes)
        default: return true
        }
    }

    static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }
    static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- UInt8(ascii: "a") < 26 }
    static func isHex(_ byte: UInt8) -> Bool { isDigit(byte) || (byte | 0x20) &- UInt8(ascii: "a") < 6 }

    /// RFC 5321 §4.1.2, without comments.
    private static func isEmail(_ bytes: [UInt8], isInternational: Bool) -> Bool {
        guard let at = bytes.lastIndex(of: UInt8(ascii: "@")) else { return false }
        let local = bytes[..<at]
        let domain = bytes[(at + 1)...]
        if !isInternational, bytes.contains(where: { $0 >= 0x80 }) { return false }
        if local.isEmpty { return false }
        if local.first == UInt8(ascii: "\""), local.last == UInt8(ascii: "\""), local.count >= 2 {
            var isEscaped = false
            for byte in local.dropFirst().dropLast() {
                if byte < 0x20 || byte == 0x7F || (!isEscaped && byte == UInt8(ascii: "\"")) { return false }
                isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
            }
            if isEscaped { return false }
        } else {
            let dot = UInt8(ascii: ".")
            if local.first == dot || local.last == dot { return false }
            var previous: UInt8 = 0
            for byte in local {
                if byte == dot, previous == dot { return false }
                guard isLetter(byte) || isDigit(byte) || byte >= 0x80 || atoms.contains(byte) else { return false }
                previous = byte
            }
        }
        if domain.first == UInt8(ascii: "["), domain.last == UInt8(ascii: "]") {
            let address = domain.dropFirst().dropLast()
            if address.starts(with: "IPv6:".utf8) { return NetFormats.isIPv6(address.dropFirst(5)) }
            return NetFormats.isIPv4(address)
        }
        return NetFormats.isHostname(Array(domain), isInternational: isInternational)
    }

    private static let atoms = Set(".!#$%&'*+-/=?^_`{|}~".utf8)

    /// RFC 6570 §2.
    private static func isTemplate(_ bytes: [UInt8]) -> Bool {
        var expression: [UInt8]?
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            if let inner = expression {
                if byte == UInt8(ascii: "}") {
                    if !isExpression(inner) { return false }
                    expression = nil
                } else {
                    expression = inner + [byte]
                }
            } else if byte == UInt8(ascii: "{") {
                expression = []
            } else if byte == UInt8(ascii: "%") {
                guard index + 2 < bytes.count, isHex(bytes[index + 1]), isHex(bytes[index + 2]) else { return false }
            } else if byte <= 0x20 || byte == 0x7F || "\"'<>\\^`|}".utf8.contains(byte) {
                return false
            }
            index += 1
        }
        return expression == nil
    }

    private static func isExpression(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        if let first = rest.first, "+#./;?&=,!@|".utf8.contains(first) { rest = rest.dropFirst() }
        for variable in rest.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
            var name = variable
            if name.last == UInt8(ascii: "*") {
                name = name.dropLast()
            } else if let colon = name.firstIndex(of: UInt8(ascii: ":")) {
                let length = name[(colon + 1)...]
                guard (1...4).contains(length.count), length.allSatisfy(isDigit), length.first != UInt8(ascii: "0")
                else { return false }
                name = name[..<colon]
            }
            let parts = name.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
            let areNames = parts.allSatisfy { part in
                !part.isEmpty && part.allSatisfy { isLetter($0) || isDigit($0) || "_%".utf8.contains($0) }
            }
            if !areNames { return false }
        }
        return true
    }

    /// RFC 6901 §3.
    private static func isPointer(_ bytes: ArraySlice<UInt8>) -> Bool {
        if bytes.isEmpty { return true }
        guard bytes.first == UInt8(ascii: "/") else { return false }
        for index in bytes.indices where bytes[index] == UInt8(ascii: "~") {
            guard index + 1 < bytes.endIndex,
                bytes[index + 1] == UInt8(ascii: "0") || bytes[index + 1] == UInt8(ascii: "1")
            else { return false }
        }
        return true
    }

    private static func isRelativePointer(_ bytes: [UInt8]) -> Bool {
        let digits = bytes.prefix(while: isDigit)
        guard !digits.isEmpty, digits.count == 1 || digits.first != UInt8(ascii: "0") else { return false }
        let rest = bytes[digits.count...]
        return rest.elementsEqual("#".utf8) || isPointer(rest)
    }

    private static func isRegex(_ text: String) -> Bool {
        // Letters that other dialects give a meaning, and ECMA-262 none.
        var isEscaped = false
        for scalar in text.unicodeScalars {
            if isEscaped, "aeAzZGQEKRhHXC".unicodeScalars.contains(scalar) { return false }
            isEscaped = !isEscaped && scalar == "\\"
        }
        do throws(RegularExpression.Failure) {
            _ = try RegularExpression(text, .ecmaScript)
            return true
        } catch {
            return false
        }
    }

}

/// The formats of dates and times: RFC 3339 §5.6 and its appendix A.
enum TimeFormats {
    static func isDateTime(_ bytes: [UInt8]) -> Bool {
        guard bytes.count > 11, bytes[10] | 0x20 == UInt8(ascii: "t") else { return false }
        return isDate(bytes[..<10]) && isTime(bytes[11...])
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int? {
        guard !bytes.isEmpty, bytes.count <= 9, bytes.allSatisfy(Formats.isDigit) else { return nil }
        return bytes.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }

    static func isDate(_ bytes: ArraySlice<UInt8>) -> Bool { bytes.count == 10 && TextLook.day(bytes) != nil }

    static func isTime(_ bytes: ArraySlice<UInt8>) -> Bool {
        let bytes = Array(bytes)
        guard bytes.count >= 9, bytes[2] == UInt8(ascii: ":"), bytes[5] == UInt8(ascii: ":"),
            let hour = number(bytes[..<2]), let minute = number(bytes[3..<5]), let second = number(bytes[6..<8])
        else { return false }
        var rest = bytes[8...]
        if rest.first == UInt8(ascii: ".") {
            rest = rest.dropFirst()
            let digits = rest.prefix(while: Formats.isDigit)
            if digits.isEmpty { return false }
            rest = rest[digits.endIndex...]
        }
        guard let minutes = offset(rest), hour < 24, minute < 60, second <= 60 else { return false }
        if second < 60 { return true }
        // A leap second is the last of a day in UTC.
        let utc = hour * 60 + minute - minutes
        return ((utc % 1440) + 1440) % 1440 == 23 * 60 + 59
    }

    /// The minutes of `Z` or `+hh:mm`.
    private static func offset(_ bytes: ArraySlice<UInt8>) -> Int? {
        let bytes = Array(bytes)
        if bytes.count == 1 { return bytes[0] | 0x20 == UInt8(ascii: "z") ? 0 : nil }
        guard bytes.count == 6, bytes[3] == UInt8(ascii: ":"), let hours = number(bytes[1..<3]),
            let minutes = number(bytes[4...]), hours < 24, minutes < 60
        else { return nil }
        switch bytes[0] {
        case UInt8(ascii: "+"): return hours * 60 + minutes
        case UInt8(ascii: "-"): return -(hours * 60 + minutes)
        default: return nil
        }
    }

    /// ISO 8601 as RFC 3339's appendix A has it.
    static func isDuration(_ bytes: [UInt8]) -> Bool {
        guard bytes.first == UInt8(ascii: "P") else { return false }
        let parts = bytes.dropFirst().split(separator: UInt8(ascii: "T"), omittingEmptySubsequences: false)
        guard let date = parts.first, parts.count <= 2, let days = units(date) else { return false }
        if days == [UInt8(ascii: "W")] { return parts.count == 1 }
        guard isRun(days, of: Array("YMD".utf8)) else { return false }
        guard parts.count == 2 else { return !days.isEmpty }
        guard let times = units(parts[1]), !times.isEmpty else { return false }
        return isRun(times, of: Array("HMS".utf8))
    }

    /// The letters behind the numbers.
    private static func units(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
        var letters: [UInt8] = []
        var digits = 0
        for byte in bytes {
            if Formats.isDigit(byte) {
                digits += 1
            } else {
                if digits == 0 { return nil }
                letters.append(byte)
                digits = 0
            }
        }
        return digits == 0 ? letters : nil
    }

    /// Whether letters stand in their order without a gap.
    private static func isRun(_ letters: [UInt8], of all: [UInt8]) -> Bool {
        guard let first = letters.first else { return true }
        guard let start = all.firstIndex(of: first) else { return false }
        return all[start...].starts(with: letters)
    }
}
