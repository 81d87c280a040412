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

    /// Every sixtieth; at night each, and the client without one.
    @Test(arguments: Thoroughness.rounds(0, thorough: 1) == 1 ? Array(0..<6) : [0])
    func `a deviation is found by a requirement that is about it, and the client without one meets all`(
        _ sixth: Int
    ) async throws {
        let share =
            Thoroughness.rounds(0, thorough: 1) == 1
            ? ["--right", "--each", "6", "\(sixth)"] : ["--each", "60", "7"]
        let end = try await Command(
            line: ["/usr/bin/python3", "-B", Self.script, Command.executable("mockapi")] + share
        ).end()
        #expect(end.code == 0, "\(end.output)\(end.errors)")
    }
}
