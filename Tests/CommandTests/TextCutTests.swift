// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import MockapiTestSupport
import Testing

/// Texts of others are cut by bytes: a separator that an accent follows is another character to the standard library, which leaves it where it is.
@Suite(.supervised) struct TextCutTests {
    private static let sources =
        URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path + "/Sources/"

    /// Lines that cut a text by characters, by file; the numbers only shrink. Files of the client library know no other room's functions.
    private static let byCharacters = [
        "Command/mockapi/Options/DelaySpan.swift": 1,  // two dots of an option
        "Contracts/MockServerXCTesting/TestLocation.swift": 1,  // a file of the tests' own
        "Languages/RegularExpressions/JavaProperty.swift": 1,  // a table of ours
        "Languages/XMLText/XPathLexer.swift": 1,  // digits that were read by bytes
        "Networking/NetworkingCore/Caching/CachePolicy.swift": 1,
        "Networking/NetworkingCore/Middleware/LoggingMiddleware.swift": 1,
        "Networking/NetworkingCore/NetNamespace.swift": 2,
        "Networking/NetworkingCore/Response/DataResponse+Text.swift": 2,
        "Networking/NetworkingCore/Session/SetCookie.swift": 2,
        "Networking/NetworkingTargets/DataResponse+Mapping.swift": 1,
        "Networking/NetworkingTesting/Playing/HeldSockets.swift": 1,
        "Server/Fixtures/Stubs/StubFileReader+Request.swift": 1,  // the wildcards of a template that was read
    ]

    @Test func `texts are cut and replaced by bytes`() throws {
        var counts: [String: Int] = [:]
        for path in try FileManager.default.subpathsOfDirectory(atPath: Self.sources) where path.hasSuffix(".swift") {
            let text = try String(contentsOfFile: Self.sources + path, encoding: .utf8)
            let lines = text.split(separator: "\n").filter { line in
                line.contains(".split(separator: \"") || line.contains(".replacing(\"")
            }
            if !lines.isEmpty { counts[path] = lines.count }
        }
        #expect(counts == Self.byCharacters)
    }
}
