// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import PackagePlugin

/// `swift package mockapi …`: the command, from a package that depends on this one.
///
/// It is built when it is first asked for. As a dependency of the plugin it would be built, along with all that it is made of, once more with each build
/// of this package.
@main
struct MockapiCommand: CommandPlugin {
    func performCommand(context: PluginContext, arguments: [String]) async throws {
        var parameters = PackageManager.BuildParameters()
        parameters.configuration = .release
        // The first build takes minutes. Standard output is the command's.
        parameters.echoLogs = true
        FileHandle.standardError.write(Data("building mockapi for release; the first time takes some minutes\n".utf8))
        let build = try packageManager.build(.product("mockapi"), parameters: parameters)
        let program = build.builtArtifacts.first { $0.kind == .executable && $0.url.lastPathComponent == "mockapi" }
        guard build.succeeded, let program else {
            Diagnostics.error("mockapi cannot be built: \(build.logText)")
            exit(4)
        }
        let process = Process()
        process.executableURL = program.url
        process.arguments = arguments
        process.currentDirectoryURL = context.package.directoryURL
        // That of the plugin is where the package manager speaks to it.
        process.standardInput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        let status = process.terminationStatus
        exit(process.terminationReason == .uncaughtSignal ? 128 + status : status)
    }
}
