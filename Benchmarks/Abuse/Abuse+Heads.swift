// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiWireSupport

extension Abuse {
    /// Targets whose matching, or whose explanation, is dear, and reports of the journal.
    static let targets = [
        Abuse("a query of thousands of parameters") { ground in
            let query = (0..<ground.pick(1_000, 3_000)).map { "p\($0)" }.joined(separator: "&")
            try ground.ask("GET", "/ordinary?\(query)", is: [404])
            try ground.ask("GET", "/ordinarx?\(query)", is: [404])
        },
        Abuse("paths that patterns and templates run away on") { ground in
            try ground.ask("GET", "/p/" + String(repeating: "a", count: ground.pick(500, 14_000)), is: [404])
            let path = String(repeating: "a-b/", count: ground.pick(100, 3_500))
            try ground.ask("GET", "/t/\(path)", is: [404])
        },
        Abuse("the whole journal, read and not read") { ground in
            for target in ["", "?limit=1", "?unmatched=true", "/unmatched"] {
                try ground.ask("GET", "/__admin/requests" + target, is: [200])
            }
            try ground.ask("GET", "/__admin/mappings", is: [200])
            let clients = try (0..<ground.pick(2, 16)).map { _ in try ground.connect(receiveBuffer: 4_096) }
            for client in clients { try client.send("GET /__admin/requests HTTP/1.1\r\nHost: localhost\r\n\r\n") }
            ground.rest(milliseconds: 1_000)
        },
        Abuse("ranges and content codings of a large file") { ground in
            let ranges = (0..<ground.pick(100, 2_000)).map { "\($0 * 3)-\($0 * 3)" }.joined(separator: ",")
            try ground.ask("GET", "/large.bin", ["Range: bytes=\(ranges)"], is: [200, 206, 416])
            try ground.ask("GET", "/article.txt", ["Accept-Encoding: br;q=1, gzip;q=0.5"], is: [200])
        },
    ]

    /// Heads that are too long, too slow, or none.
    static let heads = [
        Abuse("heads that never end") { ground in
            let clients = try (0..<ground.pick(10, 200)).map { _ in try ground.connect() }
            for round in 0..<ground.pick(5, 40) where ground.goesOn() {
                let line = round == 0 ? "GET /ordinary HTTP/1.1\r\n" : "X-Line-\(round): y\r\n"
                for client in clients { try? client.send(line) }
                ground.rest(milliseconds: 100)
            }
        },
        Abuse("huge heads") { ground in
            let line = "X-Long: " + String(repeating: "y", count: 8_000) + "\r\n"
            try ground.ask("GET", "/nowhere", Array(repeating: String(line.dropLast(2)), count: 7), is: [404])
            let client = try ground.connect()
            try? client.send("GET / HTTP/1.1\r\n" + String(repeating: line, count: ground.pick(20, 200)))
            let status = try client.response().status
            guard status == 431 else { throw Unexpected(text: "a head without end is answered \(status)") }
        },
        Abuse("what is not a request") { ground in
            for text in ["GET / HTTP/9.9\r\n\r\n", "\0\0\0\0\r\n\r\n", "GET  /  HTTP/1.1\r\nHost: a\r\n\r\n"] {
                let client = try ground.connect()
                try client.send(text)
                let status = try client.response().status
                guard status >= 400 else { throw Unexpected(text: "what is not a request is answered \(status)") }
            }
        },
        Abuse("very many requests at once") { ground in
            let client = try ground.connect()
            let count = ground.pick(100, 2_000)
            try client.send(String(repeating: "GET /ordinary?page=1 HTTP/1.1\r\nHost: a\r\n\r\n", count: count))
            // Some answers are read, the others never.
            var read = 0
            while read < 100_000, let bytes = try client.some() { read += bytes.count }
        },
    ]

    /// Connections that are many, slow, or given up.
    static let connections = [
        Abuse("connections that ask nothing") { ground in
            let clients = try (0..<ground.pick(50, 1_000)).map { _ in try ground.connect() }
            ground.rest(milliseconds: 500)
            for client in clients { client.close() }
        },
        Abuse("clients that do not read") { ground in
            let clients = try (0..<ground.pick(4, 100)).map { _ in try ground.connect(receiveBuffer: 4_096) }
            for client in clients { try? client.send("GET /large.bin HTTP/1.1\r\nHost: a\r\n\r\n") }
            ground.rest(milliseconds: 1_000)
        },
        Abuse("clients that go away in the middle") { ground in
            for target in ["/large.bin", "/slow", "/dribble", "/ordinary?page=1", "/__admin/requests"] {
                for _ in 0..<ground.pick(2, 20) {
                    let client = try ground.connect()
                    try client.send("GET \(target) HTTP/1.1\r\nHost: localhost\r\n\r\n")
                    if target == "/large.bin" { _ = try client.some() }
                    client.close()
                }
            }
        },
    ]
}
