// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The fixtures of the server that is abused: what is asked for by ordinary clients, and what makes matching dear.
enum AbuseFixtures {
    static let article = String(repeating: "An ordinary answer. ", count: 300)
    static let image = [UInt8](repeating: 0x7F, count: 60_000)
    static let expectedJSON = #"{"filter":{"kind":"article","ids":[1,2,3]},"page":1}"#

    /// - Parameter isFull: whether the lists that bodies are compared with are as long as in the worst of stubs.
    static func files(isFull: Bool) -> [(name: String, bytes: [UInt8])] {
        [
            ("ordinary.stub.json", Array(ordinary.utf8)), ("image.bin", image), ("article.txt", Array(article.utf8)),
            ("large.bin", [UInt8](repeating: 1, count: 8 * 1024 * 1024)),
            ("replaced.bin", [UInt8](repeating: 2, count: 200_000)), ("dear.stub.json", Array(dear(isFull).utf8)),
        ]
    }

    private static let ordinary = """
        {"stubs": [
          {"request": {"method": "GET", "urlPath": "/ordinary", "queryParameters": {"page": {"equalTo": "1"}}},
           "response": {"headers": {"Content-Type": "text/plain"}, "body": "\(article)"}},
          {"request": {"method": "POST", "urlPath": "/ordinary", "bodyPatterns": [{"equalToJson": \(expectedJSON)}]},
           "response": {"status": 201, "body": "made"}}
        ]}
        """

    /// Objects that are told apart by one of several members.
    static func objects(_ count: Int, last: String, isReversed: Bool = false) -> String {
        let list = (0..<count).map { #"{"id":\#($0),"kind":"article","name":"\#($0 == count - 1 ? last : "n\($0)")"}"# }
        return "[\((isReversed ? list.reversed() : list).joined(separator: ","))]"
    }

    static func count(_ isFull: Bool) -> Int { isFull ? 1_000 : 100 }

    private static func dear(_ isFull: Bool) -> String {
        let count = count(isFull)
        let one = #"{"a":[["${json-unit.any-number}"],"${json-unit.any-string}"]}"#
        let other = #"{"a":[["${json-unit.any-number}"],"${json-unit.any-number}"]}"#
        let ambiguous = Array(repeating: one, count: count / 2) + Array(repeating: other, count: count / 2)
        var stubs = [
            stub("/order", #"{"equalToJson": \#(objects(count, last: "z")), "ignoreArrayOrder": true}"#),
            stub("/numbers", #"{"equalToJson": [\#((0..<count).map(String.init).joined(separator: ","))]}"#),
            stub("/ambiguous", #"{"equalToJson": [\#(ambiguous.joined(separator: ","))], "ignoreArrayOrder": true}"#),
            stub("/extra", #"{"equalToJson": {"a": {"b": [1, {"c": 2}]}}, "ignoreExtraElements": true}"#),
            stub("/pattern", #"{"matches": "(a+)+b"}"#, 1), stub("/pattern", #"{"doesNotMatch": "(x+x+)+y"}"#, 2),
        ]
        stubs += (0..<64).map { stub("/contains", #"{"contains": "needle \#($0)"}"#, $0 + 1) }
        stubs += [
            #"{"request": {"urlPathPattern": "/p/(a+)+b"}, "response": {}}"#,
            #"{"request": {"urlPathTemplate": "/t/{a}-{b}/**/{c}x{d}/**/end"}, "response": {}}"#,
            #"{"request": {"urlPath": "/slow"}, "response": {"body": "slow", "fixedDelayMilliseconds": 500}}"#,
            #"""
            {"request": {"urlPath": "/dribble"}, "response": {"body": "\#(String(repeating: "d", count: 2_000))",
             "chunkedDribbleDelay": {"numberOfChunks": 200, "totalDuration": 500}}}
            """#,
        ]
        return #"{"stubs": [\#((stubs + Abuse.languageStubs).joined(separator: ",\n"))]}"#
    }

    private static func stub(_ path: String, _ pattern: String, _ priority: Int = 5) -> String {
        #"""
        {"priority": \#(priority), "request": {"urlPath": "\#(path)", "bodyPatterns": [\#(pattern)]},
         "response": {"body": "x"}}
        """#
    }

    /// Writes a file, in place of what it held or by way of another that takes its name.
    static func write(_ bytes: [UInt8], to path: String, inPlace: Bool) throws {
        let target = inPlace ? path : path + ".part"
        let file = open(target, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard file >= 0 else { throw Unexpected(text: "\(target) cannot be written: error \(errno)") }
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { systemWrite(file, UnsafeRawBufferPointer(rebasing: $0[written...])) }
            guard count > 0 else { break }
            written += count
        }
        close(file)
        guard written == bytes.count, inPlace || rename(target, path) == 0 else {
            throw Unexpected(text: "\(path) cannot be written: error \(errno)")
        }
    }

    static func remove(_ path: String) {
        unlink(path)
    }
}

private func systemWrite(_ file: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    write(file, bytes.baseAddress, bytes.count)
}
