// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

extension Specimen {
    /// Secrets in odd places: paths of links, whole texts, bytes that are no text, other character sets.
    package static let places: [Specimen] = [links, wholes, parts, sources, calls, binaries].flatMap { $0 }

    private static let links: [Specimen] = [
        ["reset"], ["password-reset"], ["auth", "reset_password"], ["users", "invite"], ["invitations"], ["verify"],
        ["email", "verify"], ["token"], ["magic"], ["magic-link"], ["confirm"], ["activate"], ["unsubscribe"],
    ].enumerated().flatMap { number, segments in
        ["<a10><d2>", "<h40>", "<u43>", "<h8>-<h4>-4<h3>-a<h3>-<h12>"].enumerated().flatMap { place, pattern in
            let value = made(pattern, seed: UInt64(number * 3 + place * 7 + 23))
            let path = "/" + segments.joined(separator: "/") + "/" + value
            return [
                Specimen("\(path) that is asked for", .path(segments), value, secret: value),
                Specimen(
                    "\(path) in Location", .header("Location"), "https://shop.example.com\(path)?a=1", secret: value),
                Specimen(
                    "\(path) in a text", .body("text/plain"), "Go on: https://shop.example.com\(path)\n", secret: value),
                Specimen(
                    "\(path) in JSON", .body("application/json"), "{\"link\": \"https://shop.example.com\(path)\"}",
                    secret: value),
            ]
        }
    }

    private static let wholes: [Specimen] = ["<a20>", "<u43>", "<b54>==", "<a32>", "<a22>.<u43>"].enumerated().flatMap {
        let value = made($1, seed: UInt64($0 + 41))
        return [
            Specimen("a text that is \($1)", .body("text/plain"), value, secret: value),
            Specimen("a text that is \($1) and a line end", .body(""), value + "\n", secret: value),
        ]
    }

    private static let parts: [Specimen] = ["<a32>", "<u43>"].enumerated().flatMap {
        let value = made($1, seed: UInt64($0 + 51))
        return [
            Specimen("Location that is a query", .header("Location"), "/in?\(value)", secret: value),
            Specimen("Location at random", .header("Location"), "/d/\(value)/x", secret: value),
            Specimen("the reason", .header("reason"), "Not \(value)", secret: value),
            Specimen("the name of a parameter", .path([]), value, secret: value),
        ]
    }

    private static let sources: [Specimen] = ["hunter7x", "<a12>", "Zq!8-<a6>"].enumerated().flatMap {
        number, pattern in
        let value = made(pattern, seed: UInt64(number + 61))
        return [
            "app:\(value)@tcp(db.example.com:3306)/shop", "postgres://app:\(value)@db.example.com/shop",
            "mongodb+srv://app:\(value)@a.example.net/?w=1", "redis://:\(value)@cache.example.com:6379/0",
            "amqp://app:\(value)@mq.example.com//", "app:\(value)@unix(/run/mysqld.sock)/shop",
            "jdbc:oracle:thin:app/\(value)@db.example.com:1521:shop",
            "jdbc:mysql://db.example.com/shop?user=a&password=\(value)",
            "Server=db;Uid=app;Pwd=\(value);", "DefaultEndpointsProtocol=https;AccountName=a;Password=\(value)",
            "host=db port=5432 user=app password=\(value) dbname=shop",
        ].flatMap { text in
            [
                Specimen(text, .body("application/json"), "{\"dsn\": \"\(text)\"}", secret: value),
                Specimen(text, .body("text/plain"), "dsn: \(text)\n", secret: value),
            ]
        }
    }

    private static let calls: [Specimen] = [
        Specimen(
            "a variable of GraphQL", .requestBody("application/json"),
            "{\"query\": \"mutation ($u: String!, $p: String!) { login(user: $u, password: $p) { id } }\", \"variables\": {\"u\": \"ann\", \"p\": \"zwei worte\"}}",
            secret: "zwei worte"),
        Specimen(
            "a query of GraphQL", .query("query"), "mutation { login(user: \"ann\", password: \"zwei worte\") { id } }",
            secret: "zwei worte"),
    ]

    private static let binaries: [Specimen] = {
        var all: [Specimen] = []
        let patterns: [String] = ["gh" + "p_<a36>", "AK" + "IA<A16>", "xox" + "b-<d12>-<a24>", "gl" + "pat-<u20>"]
        for (number, pattern) in patterns.enumerated() {
            let value = made(pattern, seed: UInt64(number + 71))
            let bytes: [UInt8] = Array(value.utf8)
            func add(_ name: String, _ type: String, _ front: [UInt8], _ back: [UInt8]) {
                all.append(Specimen(name, .binary(type), bytes: front + bytes + back, secret: value))
            }
            let length = UInt8(bytes.count)
            add("MessagePack", "application/msgpack", [0x81, 0xA4, 0x6E, 0x6F, 0x74, 0x65, 0xD9, length], [])
            add("Protocol Buffers", "application/x-protobuf", [0x08, 0x96, 0x01, 0x12, length], [0x18, 0x00])
            add("a picture", "image/png", [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 9], [0, 1, 2])
            add(
                "a text with a NUL", "text/plain", Array("a line\nand ".utf8),
                [0x20, 0] + Array("is the end of it".utf8))
            for isBig in [true, false] {
                var wide: [UInt8] = []
                for unit in "the \(value) of password=x7\(value)".utf16 {
                    let (high, low) = (UInt8(unit >> 8), UInt8(unit & 255))
                    wide += isBig ? [high, low] : [low, high]
                }
                all.append(Specimen("UTF-16 without a mark", .binary("text/plain"), bytes: wide, secret: value))
            }
        }
        return all
    }()
}
