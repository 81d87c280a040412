// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import PackagePlugin

/// `swift package mockapi …`: the command, from a package that depends on this one.
@main
struct MockapiCommand: CommandPlugin {
    func performCommand(context: PluginContext, arguments: [String]) async throws {
        let process = Process()
        process.executableURL = try context.tool(named: "mockapi").url
        process.arguments = arguments
        process.currentDirectoryURL = context.package.directoryURL
        try process.run()
        process.waitUntilExit()
        let status = process.terminationStatus
        if process.terminationReason == .uncaughtSignal { exit(128 + status) }
        if status != 0 { exit(status) }
    }
}
