// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import MockServer
import MockapiWireSupport

// What a server for each test costs: load the fixtures, start, answer a request, verify, stop.
//
//     server-per-test FIXTURES COUNT

let arguments = CommandLine.arguments
guard arguments.count == 3, let count = Int(arguments[2]), count > 0 else {
    FileHandle.standardError.write(Data("usage: server-per-test FIXTURES COUNT\n".utf8))
    exit(64)
}

func median(_ times: [Duration]) -> String {
    let microseconds = times.sorted()[times.count / 2].components.attoseconds / 1_000_000_000_000
    return "\(microseconds / 1_000).\(String(microseconds % 1_000 + 1_000).dropFirst()) ms"
}

func test() async throws {
    let server = try await MockServer.start(fixtures: arguments[1])
    let port = server.baseURL.port ?? 0
    try await blocking { _ = try WireClient(port: port).request("GET", "/api/domains") }
    server.expect(.get("/api/domains"), .once, at: CallSite())
    await server.stop()
    guard server.verify().isEmpty else { fatalError("\(server.verify())") }
}

let clock = ContinuousClock()
// The event loops and the pages of the program are there from the second on.
try await test()
var times: [Duration] = []
for _ in 0..<count { times.append(try await clock.measure { try await test() }) }
print("a server for a test, one after the other: \(median(times)) (median of \(count))")

let whole = try await clock.measure {
    try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<count { group.addTask { try await test() } }
        try await group.waitForAll()
    }
}
print("\(count) side by side: \(median([whole / count])) each")
