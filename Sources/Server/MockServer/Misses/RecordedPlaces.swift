// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax
import MockapiStubMatching

/// The places of a request in which alone it differs from a recorded one, as the recorder's `--vary` names them.
enum RecordedPlaces {
    /// A request that differs in more than these is another one. 3.
    private static let limit = 3

    /// - Returns: none where anything else differs, or something is missing.
    static func names(_ differences: [Difference]) -> [String] {
        guard (1...limit).contains(differences.count) else { return [] }
        let names = differences.compactMap(name)
        return names.count == differences.count ? names : []
    }

    private static func name(_ difference: Difference) -> String? {
        guard difference.actual != "nothing", difference.expected != "nothing" else { return nil }
        if let name = difference.field.behind("queryParameters.") { return "query:\(name)" }
        if let name = difference.field.behind("formParameters.") { return "form:\(name)" }
        return difference.field.behind("body /").map(path)
    }

    /// The JSON path of what stands behind the first slash of a pointer (RFC 6901), with each item of a list.
    private static func path(_ pointer: String) -> String {
        pointer.split(ascii: "/", omittingEmptySubsequences: false).reduce("$") { path, part in
            if !part.isEmpty, part.utf8.allSatisfy({ (0x30...0x39).contains($0) }) { return path + "[*]" }
            let name = String(part).replacing(bytesOf: "~1", with: "/").replacing(bytesOf: "~0", with: "~")
            let isPlain =
                !name.isEmpty && name.utf8.allSatisfy { ($0 | 0x20) &- 0x61 < 26 || $0 == 0x5F || $0 &- 0x30 < 10 }
            return path + (isPlain ? ".\(name)" : "['\(name)']")
        }
    }
}

extension String {
    fileprivate func behind(_ prefix: String) -> String? {
        utf8.starts(with: prefix.utf8) && utf8.count > prefix.utf8.count
            ? String(utf8.dropFirst(prefix.utf8.count)) : nil
    }
}
