// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiTestSupport
import MockapiWireSupport
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A client on sockets that does right, and some three hundred that each differ from it at one place; `Tests/Drivers/deviating` has them.
@Suite("the contract and deviating clients", .supervised) struct DeviatingClientsTests {
    private static let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Drivers/deviating/play.py").path

    /// Every twelfth, at night each, in a sample every sixtieth; and the client without one.
    @Test(arguments: Thoroughness.isThorough ? Array(0..<6) : [0])
    func `a deviation is found by a requirement that is about it, and the client without one meets all`(
        _ sixth: Int
    ) async throws {
        let step = Thoroughness.isThorough ? 6 : Thoroughness.isSample ? 60 : 12
        let end = try await Command(
            line: [
                "/usr/bin/python3", "-B", Self.script, Command.executable("mockapi"), "--each", "\(step)", "\(sixth)",
            ]
        ).end()
        #expect(end.code == 0, "\(end.output)\(end.errors)")
    }
}
