// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

public import Foundation

extension DataResponse {
    /// The content as text, in the charset that its Content-Type names (RFC 9110 §8.3.2), or else in UTF-8; nil if it is not text of that charset.
    public var text: String? { text(in: .utf8) }

    /// The content as text.
    ///
    /// - Parameter encoding: reads the text if its Content-Type does not name a known charset.
    public func text(in encoding: String.Encoding) -> String? {
        guard let named = Charset.encoding(of: http) else { return String(data: data, encoding: encoding) }
        return Charset.text(of: data, in: named)
    }
}

/// The names that texts of services are sent in, each with the encoding that the WHATWG Encoding Standard §4.2 has for it; others are not known.
private enum Charset {
    private static let encodings: [String: String.Encoding] = [
        "utf-8": .utf8, "utf8": .utf8, "us-ascii": .windowsCP1252, "ascii": .windowsCP1252,
        "iso-8859-1": .windowsCP1252, "latin1": .windowsCP1252, "l1": .windowsCP1252, "iso-8859-2": .isoLatin2,
        "latin2": .isoLatin2, "windows-1250": .windowsCP1250, "windows-1251": .windowsCP1251,
        "windows-1252": .windowsCP1252, "cp1252": .windowsCP1252, "windows-1253": .windowsCP1253,
        "windows-1254": .windowsCP1254, "utf-16": .utf16LittleEndian, "utf-16le": .utf16LittleEndian,
        "utf-16be": .utf16BigEndian, "shift_jis": .shiftJIS, "euc-jp": .japaneseEUC,
    ]

    /// The characters of windows-1252 from 0x80 to 0x9F: the five that it leaves open are controls (WHATWG Encoding Standard §5.1).
    private static let windows1252: [Unicode.Scalar] = [
        "\u{20AC}", "\u{81}", "\u{201A}", "\u{192}", "\u{201E}", "\u{2026}", "\u{2020}", "\u{2021}", "\u{2C6}",
        "\u{2030}", "\u{160}", "\u{2039}", "\u{152}", "\u{8D}", "\u{17D}", "\u{8F}", "\u{90}", "\u{2018}",
        "\u{2019}", "\u{201C}", "\u{201D}", "\u{2022}", "\u{2013}", "\u{2014}", "\u{2DC}", "\u{2122}", "\u{161}",
        "\u{203A}", "\u{153}", "\u{9D}", "\u{17E}", "\u{178}",
    ]

    /// The text of bytes in an encoding; nil if they are not text in it.
    static func text(of data: Data, in encoding: String.Encoding) -> String? {
        switch encoding {
        case .windowsCP1252:
            var text = String.UnicodeScalarView()
            for byte in data { text.append(0x80...0x9F ~= byte ? windows1252[Int(byte) - 0x80] : Unicode.Scalar(byte)) }
            return String(text)
        case .utf16LittleEndian, .utf16BigEndian:
            // A mark of the order goes before the name, and is not of the text (WHATWG Encoding Standard §6.1).
            if data.starts(with: [0xFF, 0xFE]) { return String(data: data.dropFirst(2), encoding: .utf16LittleEndian) }
            if data.starts(with: [0xFE, 0xFF]) { return String(data: data.dropFirst(2), encoding: .utf16BigEndian) }
            return String(data: data, encoding: encoding)
        default: return String(data: data, encoding: encoding)
        }
    }

    /// Nil if the response does not name a known charset.
    static func encoding(of response: HTTPURLResponse) -> String.Encoding? {
        let parameters = response.value(forHTTPHeaderField: "Content-Type")?.split(separator: ";").dropFirst() ?? []
        for parameter in parameters {
            let parts = parameter.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, parts[0].trimmingCharacters(in: .whitespaces).lowercased() == "charset" else {
                continue
            }
            return encodings[parts[1].trimmingCharacters(in: CharacterSet(charactersIn: " \t\"")).lowercased()]
        }
        return nil
    }
}
