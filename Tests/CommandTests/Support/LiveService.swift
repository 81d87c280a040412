// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText
import MockapiWireSupport

/// A live API, ended when the last reference goes.
struct LiveService {
    let directory: TemporaryDirectory
    let command: Command
    let url: String

    init(_ files: KeyValuePairs<String, String>, _ arguments: [String] = []) async throws {
        directory = try TemporaryDirectory(files)
        command = try Command(["serve", directory.path, "--port", "0", "--quiet"] + arguments)
        url = "http://127.0.0.1:\(try await command.port())"
    }

    /// What it was asked for, as the admin API tells it.
    func journal() async throws -> String {
        let port = try await command.port()
        return try await blocking { try WireClient(port: port).request("GET", "/__admin/requests").text }
    }

    /// The targets that it was asked for, sorted.
    func targets() async throws -> [String] {
        let requests = try JSONParser.parse(try await journal())["requests"]?.array ?? []
        return requests.compactMap { $0["request"]?["url"]?.string }.sorted()
    }
}
