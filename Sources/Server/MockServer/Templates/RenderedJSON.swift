// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPSyntax
import MockapiJSONText

/// A look at a text that was rendered, and that is to be JSON by its Content-Type line.
enum RenderedJSON {
    /// Bytes of a text that is looked at. 64 KiB.
    private static let limit = 64 * 1024

    /// Why it is not JSON; nil if it is, or need not be.
    static func fault(of bytes: [UInt8], _ lines: [HeaderLine]) -> String? {
        guard bytes.count <= limit, let type = lines.last(where: { $0.name.lowercased() == "content-type" }),
            MediaType.isJSON(MediaType.essence(of: type.value))
        else { return nil }
        do throws(JSONError) {
            try JSONParser.check(bytes)
            return nil
        } catch {
            let (line, column) = LineMap(bytes).position(of: error.offset)
            return "is not JSON: \(error.message), at \(line):\(column)"
        }
    }
}
