// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiTLSSupport
import MockapiWireSupport

extension Abuse {
    /// TLS connections that keep TLS itself busy, or give up.
    static let records = [
        Abuse("keys of TLS that change without end") { ground in
            let client = try TLSWire(port: ground.port)
            for _ in 0..<ground.pick(20, 200) {
                for _ in 0..<100 { client.peer.updateKeys() }
                guard (try? client.wire.send(client.peer.take())) != nil else { break }
            }
            while try client.wire.some() != nil {}
        },
        Abuse("records of TLS with one byte") { ground in
            let client = try TLSWire(port: ground.port)
            let count = ground.pick(1_000, 50_000)
            let head = "POST /contains HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: \(count)\r\n\r\n"
            client.peer.write(Array(head.utf8))
            for _ in 0..<count { client.peer.write([0x61]) }
            try client.wire.send(client.peer.take())
            let answer = try client.read(until: "never")
            guard answer.hasPrefix("HTTP/1.1 404 ") || answer.hasPrefix("HTTP/1.1 503 ") else {
                throw Unexpected(text: "a body in records of one byte is answered \(answer.prefix(40))")
            }
        },
        Abuse("handshakes that are given up") { ground in
            for number in 0..<ground.pick(10, 100) {
                let wire = try ground.connect()
                let peer = try TLSPeer()
                _ = peer.handshake()
                let hello = peer.take()
                try wire.send(number % 2 == 0 ? hello : Array(hello.prefix(100)))
                wire.close()
            }
        },
        Abuse("large responses over TLS that nobody reads") { ground in
            var clients: [TLSWire] = []
            for _ in 0..<ground.pick(2, 20) {
                let client = try TLSWire(port: ground.port)
                for _ in 0..<10 { try client.send("GET /large.bin HTTP/1.1\r\nHost: a\r\n\r\n") }
                clients.append(client)
            }
            ground.rest(milliseconds: 1_000)
        },
    ]

    /// Fixtures that change while they are served.
    static let files = [
        Abuse("files that are replaced, and written in place") { ground in
            let path = ground.directory + "/replaced.bin"
            for round in 0..<ground.pick(3, 20) {
                let bytes = [UInt8](repeating: UInt8(truncatingIfNeeded: round), count: 200_000 - round * 1_000)
                try AbuseFixtures.write(bytes, to: path, inPlace: round % 2 == 0)
                try ground.ask("GET", "/replaced.bin", is: [200, 404, 500])
                ground.rest(milliseconds: 100)
            }
        },
        Abuse("stub files that come, break and go") { ground in
            let path = ground.directory + "/coming.stub.json"
            let stub = #"{"request": {"urlPath": "/coming"}, "response": {"body": "here"}}"#
            for text in [stub, String(stub.dropLast(9))] {
                try AbuseFixtures.write(Array(text.utf8), to: path, inPlace: false)
                try ground.ask("GET", "/coming", is: [200, 404])
                ground.rest(milliseconds: 300)
            }
            AbuseFixtures.remove(path)
            ground.rest(milliseconds: 300)
        },
    ]
}
