// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiWireSupport

extension Abuse {
    /// Contents whose reading, comparing or explaining is dear.
    static let bodies = [
        Abuse("a long list in another order") { ground in
            let count = AbuseFixtures.count(ground.isFull)
            let body = AbuseFixtures.objects(count, last: "z", isReversed: true)
            try ground.ask("POST", "/order", body: body, is: [200])
            try ground.ask("POST", "/order", body: AbuseFixtures.objects(count, last: "y", isReversed: true), is: [404])
        },
        Abuse("a list of very many numbers") { ground in
            let body = "[1" + String(repeating: ",1", count: ground.pick(20_000, 2_000_000)) + "]"
            try ground.ask("POST", "/numbers", body: body, is: [404])
            try ground.ask("POST", "/order", body: body, is: [404])
        },
        Abuse("an object of very many members") { ground in
            let members = (0..<ground.pick(5_000, 500_000)).map { #""member\#($0)":\#($0)"# }
            try ground.ask("POST", "/nowhere", body: "{\(members.joined(separator: ","))}", is: [404])
            try ground.ask("POST", "/extra", body: "{\(members.joined(separator: ","))}", is: [404])
        },
        Abuse("as many JSON values as a body can hold") { ground in
            let body = "[" + String(repeating: "{},", count: ground.pick(20_000, 5_000_000)) + "0]"
            try ground.ask("POST", "/extra", body: body, is: [404])
        },
        Abuse("nesting without end") { ground in
            let depth = ground.pick(2_000, 1_000_000)
            try ground.ask("POST", "/numbers", body: String(repeating: "[", count: depth), is: [404])
            let nested = String(repeating: #"{"a":["#, count: 250) + String(repeating: "]}", count: 250)
            let body = "[" + Array(repeating: nested, count: ground.pick(4, 400)).joined(separator: ",") + "]"
            try ground.ask("POST", "/extra", body: body, is: [404])
        },
        Abuse("a list that could be paired in very many ways") { ground in
            let half = AbuseFixtures.count(ground.isFull) / 2
            let body =
                Array(repeating: #"{"a":[[1],2]}"#, count: half + 1)
                + Array(repeating: #"{"a":[[1],"x"]}"#, count: half - 1)
            try ground.ask("POST", "/ambiguous", body: "[\(body.joined(separator: ","))]", is: [404])
        },
        Abuse("a body that a pattern runs away on") { ground in
            let count = ground.pick(2_000, 1_000_000)
            try ground.ask("POST", "/pattern", body: String(repeating: "a", count: count), is: [200, 404])
            try ground.ask("POST", "/pattern", body: String(repeating: "x", count: count), is: [200, 404])
        },
        Abuse("a large body that is searched often") { ground in
            let body = String(repeating: "needle ", count: ground.pick(10_000, 600_000))
            try ground.ask("POST", "/contains", body: body, is: [404])
        },
        Abuse("large bodies that nothing answers") { ground in
            let body = String(repeating: "x", count: ground.pick(100_000, 4_000_000))
            try ground.ask("POST", "/ordinarx", body: body, is: [404])
            try ground.ask("PUT", "/ordinary?page=2", body: body, is: [404, 405])
        },
        Abuse("large bodies that do not come to their end") { ground in
            let clients = try (0..<ground.pick(4, 60)).map { _ in try ground.connect() }
            let part = [UInt8](repeating: 0x61, count: ground.pick(100_000, 1_000_000))
            for round in 0..<4 {
                for client in clients {
                    if round == 0 {
                        try? client.send("POST /extra HTTP/1.1\r\nHost: a\r\nContent-Length: 16000000\r\n\r\n")
                    }
                    // One that finds no room has been answered 503, and reads no more.
                    try? client.send(part)
                }
            }
            ground.rest(milliseconds: 1_000)
        },
        Abuse("chunks of one byte") { ground in
            let count = ground.pick(2_000, 100_000)
            let chunks = String(repeating: "1;name=value\r\nx\r\n", count: count)
            let client = try ground.connect()
            try client.send(
                "POST /contains HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n\(chunks)0\r\n\r\n")
            let status = try client.response().status
            guard status == 404 || Ground.refusals.contains(status) else {
                throw Unexpected(text: "\(count) chunks are answered \(status)")
            }
        },
    ]
}
