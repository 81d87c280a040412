// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax

/// Text as part of a file name that every file system takes and a person can read.
package enum FileNameText {
    /// Bytes of one name; a longer one is cut, and a hash distinguishes it from others. 100.
    private static let nameLimit = 100
    /// Bytes of all parts that distinguish a query from others. 80.
    private static let queryLimit = 80
    /// Bytes of all words of a name, so that the rest fits into the 255 that file systems take. 200.
    private static let stemLimit = 200

    /// A segment of a path: letters, digits and a few signs as they are, a hyphen for anything else.
    package static func safe(_ text: String) -> String {
        var name = ""
        for scalar in text.unicodeScalars {
            name.unicodeScalars.append(isSafe(scalar) ? scalar : "-")
        }
        // A dot in front hides a file; one at the end is lost on some systems.
        if name.unicodeScalars.first == "." { name = "_" + String(name.unicodeScalars.dropFirst()) }
        if name.unicodeScalars.last == "." { name = String(name.unicodeScalars.dropLast()) + "_" }
        if isReserved(name) { name.insert("_", at: name.firstIndex(of: ".") ?? name.endIndex) }
        return cut(name, nameLimit, of: text)
    }

    /// Whether Windows takes a name for a device, whatever stands behind its first dot.
    private static func isReserved(_ name: String) -> Bool {
        let base = name.prefix { $0 != "." }.lowercased()
        if ["con", "prn", "aux", "nul", "conin$", "conout$", "clock$"].contains(base) { return true }
        guard base.hasPrefix("com") || base.hasPrefix("lpt"), base.count == 4, let last = base.last else {
            return false
        }
        return "0123456789¹²³".contains(last)
    }

    /// A word that tells one recording from another: without hyphens at its ends or two in a row.
    package static func word(_ text: String) -> String {
        safe(text).split(ascii: "-").joined(separator: "-")
    }

    /// The words of a query.
    package static func joined(_ texts: [String]) -> [String] {
        let words = texts.map(word)
        let all = words.joined(separator: ".")
        return all.utf8.count <= queryLimit ? words : [cut(all, queryLimit, of: all)]
    }

    /// The words of a name, one behind the other.
    package static func stem(_ words: [String]) -> String {
        let all = words.joined(separator: ".")
        return cut(all, stemLimit, of: all)
    }

    private static func cut(_ name: String, _ limit: Int, of text: String) -> String {
        guard name.utf8.count > limit else { return name }
        let hash = ContentHash.of(Array(text.utf8)).hexadecimal.prefix(8)
        var short = name
        while short.utf8.count > limit - 9 { short.removeLast() }
        return "\(short)-\(hash)"
    }

    /// A path with a word in the place of each hash, of a part that was cut or of a key.
    package static func withoutHashes(_ path: String) -> String {
        let bytes = Array(path.utf8)
        var text: [UInt8] = []
        var start = 0
        while start <= bytes.count {
            let end = bytes[start...].firstIndex { "/.-".utf8.contains($0) } ?? bytes.count
            let part = bytes[start..<end]
            let isMarked = start > 0 && bytes[start - 1] != UInt8(ascii: "/")
            let isHash = isMarked && part.count == 8 && part.allSatisfy { ASCII.hexValue($0) != nil }
            if isHash { text += "redacted".utf8 } else { text += part }
            if end < bytes.count { text.append(bytes[end]) }
            start = end + 1
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static func isSafe(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.isASCII else { return scalar.properties.isAlphabetic || scalar.properties.numericType != nil }
        let byte = UInt8(scalar.value)
        return byte &- UInt8(ascii: "0") < 10 || (byte | 0x20) &- UInt8(ascii: "a") < 26
            || "._-@+,=~".utf8.contains(byte)
    }
}
