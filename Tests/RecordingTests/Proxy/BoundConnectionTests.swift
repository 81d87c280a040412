// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiRecording
import MockapiTestSupport
import MockapiWireSupport
import Testing

/// Services that sign in a connection, and not a request.
@Suite(.supervised) struct BoundConnectionTests {
    /// Answers by who has signed in on its connection, until that ends.
    private static func serve(_ peer: RawPeer) throws {
        var isIn = false
        while let head = try? peer.head(), !head.isEmpty {
            isIn = isIn || head.contains { $0.hasPrefix("Authorization: ") }
            let text = isIn ? "in" : "out"
            try peer.send(
                "HTTP/1.1 \(isIn ? "200 OK" : "401 Unauthorized")\r\nContent-Type: text/plain\r\nContent-Length: \(text.utf8.count)\r\n\r\n\(text)"
            )
        }
    }

    @Test(arguments: ["NTLM TlRMTVNTUAAD", "Negotiate YIIabc"])
    func `nobody is answered as another client that has signed in on its connection`(credentials: String) async throws {
        let server = try RawServer()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<2 { group.addTask { try await blocking { try Self.serve(try server.accept()) } } }
            try await ProxyBed.recording([server.base]) { bed in
                let port = bed.port
                let texts = try await blocking {
                    let ann = try WireClient(port: port)
                    let bob = try WireClient(port: port)
                    return [
                        try ann.request("GET", "/", ["Authorization: \(credentials)"]).text,
                        try bob.request("GET", "/").text,
                        try ann.request("GET", "/").text,
                        try bob.request("GET", "/").text,
                    ]
                }
                #expect(texts == ["in", "out", "in", "out"])
            }
            group.cancelAll()
        }
    }
}
