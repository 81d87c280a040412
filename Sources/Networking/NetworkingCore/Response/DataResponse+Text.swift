// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

public import Foundation

extension DataResponse {
    /// The content as text, in the charset that its Content-Type names (RFC 9110 §8.3.2), or else in UTF-8; nil where it is not text of that charset.
    public var text: String? { text(in: .utf8) }

    /// The content as text.
    ///
    /// - Parameter encoding: what it is read by where its Content-Type names no charset, or one that is not known.
    public func text(in encoding: String.Encoding) -> String? {
        String(data: data, encoding: Charset.encoding(of: http) ?? encoding)
    }
}

/// The names that texts of services are sent in, as the WHATWG Encoding Standard §4.2 has them.
private enum Charset {
    private static let encodings: [String: String.Encoding] = [
        "utf-8": .utf8, "utf8": .utf8, "us-ascii": .windowsCP1252, "ascii": .windowsCP1252,
        "iso-8859-1": .isoLatin1, "latin1": .isoLatin1, "l1": .isoLatin1, "iso-8859-2": .isoLatin2,
        "latin2": .isoLatin2, "windows-1250": .windowsCP1250, "windows-1251": .windowsCP1251,
        "windows-1252": .windowsCP1252, "cp1252": .windowsCP1252, "windows-1253": .windowsCP1253,
        "windows-1254": .windowsCP1254, "utf-16": .utf16, "utf-16le": .utf16LittleEndian,
        "utf-16be": .utf16BigEndian, "shift_jis": .shiftJIS, "euc-jp": .japaneseEUC,
    ]

    /// Nil where the response names none, or one that is not known.
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
