// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText
import MockapiTestSupport
import Testing

@testable import MockapiDrift

/// All that is reported between each two of some bodies, and each two of some header lines: `Findings.txt` has it in full.
@Suite(.supervised) struct FindingTableTests {
    /// Values that are compared with each other, group by group.
    private static let bodies = [
        [
            "null", "true", "1", "1.5", "1.0", "9007199254740993", "9223372036854775808", "1e400", #""a""#, #""""#,
            "[]", "{}", "[1]",
            #"{"a":1}"#, #""redacted.response.x""#,
        ],
        [
            "2026-11-20T10:00:00Z", "2026-11-20T10:00:00+01:00", "2026-11-20T10:00:00", "2026-11-20 10:00:00",
            "2026-11-20t10:00:00z",
            "2026-11-20T10:00:00.5Z", "2026-11-20T10:00:00,5Z", "2026-11-20", "0b2c7e3c-6a53-4f6e-9a59-5f0c8d6f6a01",
            "https://a.example/x",
            "a@b.example", "12.50", "#a1b2c3", "YWJjZA==", "word", "two words",
        ].map { "[\"\($0)\",\"\($0)\"]" },
        [
            #"["open","closed","open","open","closed"]"#,
            #"["open","closed","open","open","closed","pending","pending"]"#,
            #"["open","open","open","open","open"]"#, #"["open"]"#, #"["gone"]"#,
            #"["open","closed","open","open","two words"]"#,
            #"["a","b","c","d","e","f","g","h","i","j","k","l","m","n","o","p","q"]"#,
            #"["open","closed","open",null,"closed","open"]"#,
            #"["a","b","c","d","e","f","g","h","a","b","c","d","e","f","g","h"]"#,
            #"["a","b","c","d","e","f","g","h","i","a","b","c","d","e","f","g","h","i"]"#,
        ],
        [
            "1700000000", "1700000000000", "1700000000000000", "1700000000000000000", "1700000000.5", "12", "-5",
            "5000000000", "0.5e1",
        ],
        [
            #"[["a",1],["b",2]]"#, #"[["a"]]"#, #"[[1,"a"]]"#, #"[["a",1,true]]"#, #"[["a",null],["b",1]]"#, "[]",
            "[[]]", "[[1],[2,3]]", #"[["a",1]]"#,
            #"[{"a":1},{"a":2,"b":3}]"#, #"[{"a":1,"b":1},{"a":2,"b":3}]"#, #"[{"b":null}]"#, "[1,null]", "[1]",
        ],
        [
            #"{"EUR":1.5,"USD":2}"#, #"{"CHF":1}"#, #"{"17":{"n":1},"18":{"n":2}}"#, #"{"19":{"n":1,"m":2},"20":{}}"#,
            #"{"a":1,"b":2}"#, #"{"a":1}"#,
            #"{"b":2,"c":3}"#, #"{"2026-11-20":1,"2026-11-21":2}"#, #"{"de":"x","en":"y","fr":"z"}"#, #"{"a":1,"a":2}"#,
            #"{"id":1,"name":"x","to":2}"#,
            #"{"user_17abc":1,"user_18abc":2,"user_19abc":3}"#,
            #"{"0b2c7e3c-6a53-4f6e-9a59-5f0c8d6f6a01":1,"0b2c7e3c-6a53-4f6e-9a59-5f0c8d6f6a02":2}"#,
        ],
        [
            #"[{"type":"a","x":1},{"type":"b","y":1}]"#, #"[{"type":"a","x":1},{"type":"c","z":1}]"#,
            #"[{"type":"a"},{"type":"b","y":1,"x":2}]"#,
            #"[{"type":"a","x":1}]"#, #"[{"__typename":"A","x":1}]"#, #"[{"__typename":"B","x":"1"}]"#,
            #"[{"type":"b"}]"#, #"[{"type":1,"x":1}]"#,
            #"[{"type":"a","id":1,"x":1},{"type":"b","id":2,"y":null}]"#, #"[{"type":"d","y":1}]"#,
        ],
        [
            #"{"next":"https://a/2","items":[1]}"#, #"{"next":null,"items":[1]}"#, #"{"items":[1]}"#,
            #"{"links":{"next":"x","self":"y"},"items":[1]}"#,
            #"{"links":{"self":"y"},"items":[1]}"#, #"{"paging":{"cursors":{"after":"a","before":"b"}},"items":[1]}"#,
            #"{"offset":"x","items":[1]}"#,
            #"{"offset":5,"items":[1]}"#, #"{"nextPageToken":"","items":[]}"#,
            #"{"nextBillingDate":"2026-01-01","items":[1]}"#, #"{"meta":{"total":1},"items":[1]}"#,
            #"{"after":"x","items":[1]}"#, #"{"page":{"after":"x","before":null},"items":[1]}"#,
        ],
    ]

    /// Lines of a name that are compared with each other, and with none.
    private static let lines: [(name: String, values: [String])] = [
        (
            "Content-Type",
            [
                "application/json", "application/JSON; charset=utf-8", "application/json; v=1",
                "text/html; charset=latin1", "application/vnd.a+json",
            ]
        ),
        ("ETag", ["\"a\"", "\"b\"", "W/\"a\""]), ("Vary", ["Accept", "accept, Origin", "*"]),
        ("Content-Encoding", ["gzip", "br"]),
        (
            "Cache-Control",
            [
                "no-store", "max-age=60", "max-age=60, private", "max-age=10, must-revalidate", "public, immutable",
                "private=\"a,b\"",
            ]
        ),
        ("Set-Cookie", ["a=1; Path=/", "a=2; path=/; Secure; Max-Age=5", "b=1; HttpOnly; SameSite=Lax", "=x", "a"]),
        (
            "Location",
            [
                "/users/17", "/users/18?x=1", "/login", "https://a.example/users/17", "https://b.example/users/17",
                "redacted.location", "//a.example/u", "users/5#f",
            ]
        ),
        (
            "WWW-Authenticate",
            ["Basic realm=\"a, b\"", "Bearer", "Basic realm=\"a\", Bearer scope=\"x\"", "bearer error=\"e\""]
        ),
        ("Allow", ["GET, HEAD", "GET", "GET,,HEAD, POST"]),
        (
            "Link",
            [
                "</2>; rel=\"next\"", "</1>; rel=prev, </2>; rel=\"next last\"", "</x,y>; rel=deprecation",
                "</s>; rel=stylesheet",
            ]
        ),
        (
            "Content-Disposition",
            [
                "attachment; filename=\"a.pdf\"", "inline; filename=\"b.PDF\"", "attachment; filename*=UTF-8''c.txt",
                "attachment",
            ]
        ),
        ("Content-Language", ["de", "DE, en", "fr"]),
        ("Access-Control-Allow-Origin", ["*", "https://a.example", "https://b.example"]),
        ("Access-Control-Allow-Methods", ["GET", "GET, POST", "*"]), ("Access-Control-Max-Age", ["5", "10"]),
        ("Access-Control-Allow-Credentials", ["true", "false"]),
        ("Sunset", ["Sat, 31 Dec 2027 23:59:59 GMT", "Fri, 30 Jun 2028 23:59:59 GMT", "soon"]),
        ("Deprecation", ["true", "@1"]),
        ("Warning", ["299 - \"x\"", "110 - \"stale\""]), ("X-Api-Version", ["1", "2"]),
        ("Accept-Ranges", ["bytes", "none"]), ("Content-Range", ["bytes 0-1/5", "bytes 0-2/5"]),
        ("X-Other", ["1", "2", "redacted.header.x"]),
        ("Content-Security-Policy", ["script-src 'nonce-a' x", "script-src 'nonce-b' x", "script-src 'self'"]),
        ("Date", ["Sat, 31 Dec 2027 23:59:59 GMT"]), ("X-Request-Id", ["a", "b"]),
        ("Strict-Transport-Security", ["max-age=1", "max-age=2"]), ("Content-Length", ["1", "2"]),
    ]

    /// What a contract asks of `/v`, and what `/v` is recorded and received as.
    private static let contract = [
        #"{"type":"string"}"#, #"{"type":["number","null"]}"#, #"{"type":"integer"}"#, #"{"type":"any"}"#,
        #"{"type":"array"}"#, #"{"type":"bool"}"#,
        #"{"type":"odd"}"#, #"{"format":"uuid"}"#, #"{"format":"ipv4"}"#, #"{"format":"odd"}"#, #"{"enum":["a",1]}"#,
        #"{"equals":"a"}"#, #"{"minItems":2}"#,
        #"{"needed":true}"#, #"{"needed":false}"#, #"{"optional":true}"#, #"{"ignore":true}"#,
        #"{"needed":true,"optional":true}"#, #"{"optional":true,"type":"string"}"#,
        "{}",
    ]
    private static let changes = [
        (#""a""#, #""b""#), (#""a""#, "1"), (#""a""#, "null"), (#""a""#, nil), ("1", "1.5"), ("[1,2]", "[1]"),
        ("[1]", "[]"), ("true", "false"),
        (#""0b2c7e3c-6a53-4f6e-9a59-5f0c8d6f6a01""#, #""x""#), (#""10.0.0.1""#, #""10.0.0.x""#),
        (#"["a","b","a","b","a"]"#, #"["c"]"#), (#"{"x":1}"#, "{}"),
    ]

    private static func sample(_ body: String, _ headers: [(String, String)], index: Int = 0) -> ResponseSample {
        ResponseSample(status: 200, headers: headers, body: Array(body.utf8), index: index)
    }

    private static func shown(_ comparison: ResponseComparison, _ live: [ResponseSample]) -> String {
        let result = comparison.compare(live)
        let findings = result.findings.map { finding in
            let site = if case .body(let offset) = finding.site { "@\(offset)" } else { "" }
            return
                "\(finding.level.rawValue) \(finding.pointer)\(site)#\(finding.sample) \(finding.text)"
        }
        return ([result.compared.words] + (result.obstacle.map { ["not checked: \($0)"] } ?? []) + findings).joined(
            separator: " | ")
    }

    private static func table() throws -> [String] {
        var rows: [String] = []
        let json = [("Content-Type", "application/json")]
        for (group, values) in bodies.enumerated() {
            for (first, old) in values.enumerated() {
                for (second, new) in values.enumerated() where first != second {
                    let names = group == 3 ? ["at", "total"] : ["v"]
                    for name in names {
                        let comparison = ResponseComparison(recorded: [sample("{\"\(name)\":\(old)}", json)])
                        rows.append(
                            "\(name) \(old) → \(new): " + shown(comparison, [sample("{\"\(name)\":\(new)}", json)]))
                    }
                }
                // Two samples, two responses, and what is marked as volatile.
                let (next, last) = (values[(first + 1) % values.count], values[(first + 2) % values.count])
                var comparison = ResponseComparison(recorded: [
                    sample("{\"v\":\(old)}", json), sample("{\"v\":\(next)}", json, index: 1),
                ])
                rows.append("\(old), \(next) → \(last): " + shown(comparison, [sample("{\"v\":\(last)}", json)]))
                comparison.recorded.removeLast()
                rows.append(
                    "\(old) → \(next), \(last): "
                        + shown(comparison, [sample("{\"v\":\(next)}", json), sample("{\"v\":\(last)}", json)]))
                comparison.movingPaths = ["$.v"]
                rows.append("\(old) → \(next), moving: " + shown(comparison, [sample("{\"v\":\(next)}", json)]))
                comparison.volatilePaths = ["$.v", "$.none"]
                rows.append("\(old) → \(next), volatile: " + shown(comparison, [sample("{\"v\":\(next)}", json)]))
            }
        }
        for asked in contract {
            for (old, new) in changes {
                var comparison = ResponseComparison(recorded: [sample("{\"v\":\(old),\"w\":\(old)}", json)])
                comparison.pins = ContractPins(try JSONParser.parse("{\"/v\":\(asked)}"))
                let body = new.map { "{\"v\":\($0),\"w\":\($0)}" } ?? "{}"
                rows.append("\(asked): \(old) → \(new ?? "none"): " + shown(comparison, [sample(body, json)]))
            }
            for place in ["header:Allow", "status", "/", "x", "/v/*"] {
                var comparison = ResponseComparison(recorded: [sample("{\"v\":[1]}", json + [("Allow", "GET")])])
                comparison.pins = ContractPins(try JSONParser.parse("{\"\(place)\":\(asked)}"))
                rows.append(
                    "\(place) \(asked): " + shown(comparison, [sample("{\"v\":[\"b\"]}", json + [("allow", "HEAD")])]))
            }
        }
        for (name, values) in lines {
            let sets =
                [[]] + values.map { [(name, $0)] } + [
                    [(name, values[0]), (name.lowercased(), values[values.count - 1])]
                ]
            for old in sets {
                for new in sets where old.isEmpty || new.isEmpty || old.map(\.1) != new.map(\.1) {
                    let words = [old, new].map { $0.map { "\($0.0): \($0.1)" }.joined(separator: "; ") }
                    rows.append(
                        "\(words[0]) → \(words[1]): "
                            + shown(ResponseComparison(recorded: [sample("", old)]), [sample("", new)]))
                }
            }
            let all = values.map { sample("", [(name, $0)]) }
            rows.append(
                "\(name), all → none and first: " + shown(ResponseComparison(recorded: all), [sample("", []), all[0]]))
            rows.append(
                "\(name), first and none → all: " + shown(ResponseComparison(recorded: [all[0], sample("", [])]), all))
            var volatile = ResponseComparison(recorded: [all[0]])
            volatile.volatileHeaders = [name]
            rows.append("\(name), volatile: " + shown(volatile, [all[all.count - 1]]))
        }
        for line in DriftCases.text.split(separator: "\n") {
            let item = try DriftCase(line)
            rows.append("\(item.name): " + shown(item.comparison, item.live))
            var back = item.comparison
            back.recorded = item.live
            rows.append("\(item.name), back: " + shown(back, item.comparison.recorded))
        }
        return rows
    }

    @Test func `all that is reported stands in the table`() throws {
        try PinnedTable.expect(Self.table(), in: "Findings.txt")
    }
}
