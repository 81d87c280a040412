// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import ArgumentParser
import MockapiFixtures
import MockapiSystemIO

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// `mockapi init`: a fixture directory to begin with.
struct Initialize: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init", abstract: "Write a fixture directory to start from.",
        discussion: """
            Writes a page, an image, a list as JSON and a stub into the directory, and beside it the settings that let Visual Studio Code \
            complete stub files, and a job for GitHub Actions. A file that already exists stays as it is.
            """)

    @Argument(help: "The directory, relative to the working directory.", completion: .directory)
    var directory = "mock"

    func validate() throws {
        let parts = directory.utf8.split(separator: UInt8(ascii: "/"))
        guard !directory.isEmpty, !directory.hasPrefix("/"), !parts.contains(where: { $0.elementsEqual("..".utf8) })
        else {
            throw ValidationError("the directory must lie below the working directory; found \(directory)")
        }
    }

    func run() throws {
        for file in StarterFiles(directory: directory).files {
            guard FileStatus(link: file.path) == nil else {
                Output.result("  kept     \(file.path)")
                continue
            }
            do {
                if let slash = file.path.lastIndex(of: "/") {
                    try FileManager.default.createDirectory(
                        atPath: String(file.path[..<slash]), withIntermediateDirectories: true)
                }
                try FileWriter.write(Array(file.text.utf8), to: file.path)
            } catch {
                Output.note("error: \(file.path) cannot be written: \(error)")
                throw Exit.impossible
            }
            Output.result("  written  \(file.path)")
        }
        Output.result(
            """

            Next:
              mockapi \(directory) --cors
              mockapi check \(directory)
              mockapi run \(directory) -- sh -c 'curl -fsS "$MOCKAPI_URL/api/items"'
            """)
    }
}
