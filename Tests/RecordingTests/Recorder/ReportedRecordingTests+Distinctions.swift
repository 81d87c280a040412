// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Reports on requests that are taken for each other, or for others than they are.
extension ReportedRecordingTests {
    static let distinctions: [Case] = {
        let (first, second) = ("Bearer zK7q7Rm2Vx9Tb4Wd8Lp3Hs01", "Bearer Qm4n8Bv2Xc6Zt0Yr5Ew9Ju37")
        /// A request for each value, with a response of its own; asked in the other order, and twice.
        func told(_ name: String, _ values: [String], _ make: (String) -> Call) -> Case {
            let calls = values.enumerated().map { index, value in
                var call = make(value)
                call.answer = Response(["Content-Type: text/plain"], Array("\(index)".utf8))
                return call
            }
            return Case(name, calls, (calls.reversed() + calls + calls).map { ($0, text($0.answer)) })
        }
        /// A request that is answered the same with other values.
        func same(_ name: String, _ recorded: Call, _ others: [Call]) -> Case {
            Case(name, [recorded], others.map { ($0, text(recorded.answer)) })
        }
        func get(_ fields: String...) -> Call { Call("GET", "/a", fields, text: "", "1") }
        return [
            told("a dodgy token is not answered as a right one is (scotch#4)", [first, second]) {
                get("Authorization: \($0)")
            },
            told("two visits of one page by two sessions (catapult#3727)", [first, second]) {
                get("Cookie: sid=\($0.dropFirst(7)); theme=dark")
            },
            told("a response by a header (cassette#10, hoverfly#339)", ["2020", "2024"]) {
                get("Stripe-Version: \($0)")
            },
            told("a header that is required (DVR#96)", ["de", "en"]) { get("X-Country: \($0)") },
            told("a tenant (wiremock#121)", ["a", "b"]) { get("X-Tenant-Id: \($0)") },
            told("a page and its data at one address (wiremock#155)", ["text/html", "application/json"]) {
                get("Accept: \($0)")
            },
            told("one envelope for two operations (wiremock#168)", ["urn:a", "urn:b"]) {
                Call("POST", "/soap", [xml, "SOAPAction: \"\($0)\""], text: "<a/>", "")
            },
            told("way points in their order (vcr#515)", ["loc=1,1&loc=2,2", "loc=2,2&loc=1,1"]) {
                Call("GET", "/route?\($0)", text: "", "")
            },
            told("a key that is filtered, in the query (vcr#689, cassetter#38)", [first, second]) {
                Call("GET", "/a?api_key=\($0.dropFirst(7))&n=1", text: "", "")
            },
            told("a secret that is filtered, in the body (vcr#445)", [first, second]) {
                Call("POST", "/a", [json], text: #"{"client_secret":"\#($0.dropFirst(7))","n":1}"#, "")
            },
            told("a key that is filtered, in a header (exvcr#143)", [first, second]) {
                get("X-Api-Key: \($0.dropFirst(7))")
            },
            same(
                "tracing that was on, off, or another (tchannel-python#430)", get("traceparent: 00-4bf9-00f0-01"),
                [get(), get("traceparent: 00-5af9-11f0-01"), get("X-B3-TraceId: 463ac35c9f6413ad")]),
            same(
                "a cookie and a date that are others each time (talkback#34, yakbak#22)",
                get("Cookie: sid=kR7tQ2mZ9pLw4xYvaK6bL9", "Date: Fri, 03 Apr 2020 10:00:00 GMT"),
                [get("Cookie: sid=zB3nW8cJ5hGd6sTfaK7bL9", "Date: Sat, 04 Apr 2020 10:00:00 GMT"), get()]),
            same(
                "a picture that says Vary: Accept, and another browser (pollyjs#195)",
                Call(
                    "GET", "/i", ["Accept: image/avif,*/*"],
                    Response(["Content-Type: image/gif", "Vary: Accept"], Array("GIF89a".utf8))),
                ["image/png,*/*;q=0.5", "*/*", "text/html"].map { Call("GET", "/i", ["Accept: \($0)"], text: "", "") }
                    + [Call("GET", "/i", text: "", "")]),
        ]
    }()
}
