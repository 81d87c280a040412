// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax
import MockapiJSONText

/// A JSON text in Base64, as cursors, configurations and states are passed on.
enum EncodedJSON {
    /// Bytes of a text that is decoded. 64 KiB.
    private static let limit = 64 * 1024

    /// The kind of the first secret in it; nil if there is none, and for other texts.
    static func secret(in text: Bytes) -> SecretKind? {
        // `{"` and `[{` in Base64.
        guard text.count >= 16, text.count <= limit,
            text.has(Array("eyJ".utf8), at: 0) || text.has(Array("W3s".utf8), at: 0),
            let decoded = Base64.decode(text, .found)
        else { return nil }
        return decoded.withUnsafeBufferPointer { bytes in
            guard let node = try? JSONParser.parse(decoded) else { return nil }
            var scanner = DocumentScanner(bytes, strictness: .redaction, known: ValueIndex(), base: "response")
            scanner.visit(node, from: 0)
            return scanner.hits.first?.kind
        }
    }
}
