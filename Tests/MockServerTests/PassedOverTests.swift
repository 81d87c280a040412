// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockServer
import MockapiProxy
import MockapiTestSupport
import MockapiWireSupport
import Testing

/// A response is in doubt where a stub that goes before was passed over unjudged, wherever the response comes from.
@Suite(.supervised) struct PassedOverTests {
    private static let costly =
        #"{"priority": 1, "request": {"urlPath": "/m", "headers": {"X-A": {"matches": "^(a|aa)+$"}}}, "response": {}}"#
    private static let line = "X-A: " + String(repeating: "a", count: 5_000) + "!"

    enum Source: CaseIterable {
        case response, template, file, held, heldCode, code, resource, proxied

        func files(_ upstream: TestServer) -> KeyValuePairs<String, String> {
            switch self {
            case .response: ["m.stub.json": costly, "n.stub.json": stub(#"{"body": "m"}"#)]
            case .template:
                ["m.stub.json": costly, "n.stub.json": stub(#"{"transformers": ["response-template"], "body": "m"}"#)]
            case .file: ["m.stub.json": costly, "m": "m"]
            case .held: ["m.stub.json": costly, "n.stub.json": stub(#"{"body": "m"}"#, #""hold": "m", "#)]
            case .heldCode, .code: ["m.stub.json": costly]
            case .resource:
                // Its path is a pattern, for which nothing is left behind another; a comparison has steps of its own.
                [
                    "m.stub.json":
                        #"{"priority": 1, "request": {"urlPath": "/m", "bodyPatterns": [{"equalToJson": "[1]"}]}, "response": {}}"#,
                    "n.stub.json": #"{"resource": {"collection": "/m"}}"#,
                ]
            case .proxied:
                ["m.stub.json": costly, "n.stub.json": stub(#"{"proxyBaseUrl": "\#(upstream.base)"}"#)]
            }
        }

        private func stub(_ response: String, _ keys: String = "") -> String {
            #"{\#(keys)"request": {"urlPath": "/m"}, "response": \#(response)}"#
        }

        private var costly: String { PassedOverTests.costly }
    }

    @Test(arguments: Source.allCases)
    func `a response behind a stub that was passed over unjudged is told in the verdict`(of source: Source)
        async throws
    {
        try await TestServer.serving(["m": "m"]) { upstream async throws in
            try await TestServer.serving(source.files(upstream), { $0.forwarder = StubProxy() }) { server throws in
                switch source {
                case .code: try server.server.add(RequestMatch.get("/m").respond { _ in MockResponse(body: "m") })
                case .heldCode:
                    try server.server.add(RequestMatch.get("/m").respond { _ in MockResponse(body: "m") }.hold("m"))
                default: break
                }
                let client = try server.connect()
                let body = source == .resource ? "[0" + String(repeating: ",0", count: 500_000) + "]" : ""
                try client.send(
                    "GET /m HTTP/1.1\r\nHost: a\r\n\(Self.line)\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
                if source == .held || source == .heldCode {
                    let isWaiting = #"{"name":"m","holds":true,"waiting":1}"#
                    #expect(
                        try await until({ try? server.get("/__admin/holds").text }) {
                            $0?.filter { !$0.isWhitespace }.contains(isWaiting) == true
                        })
                    try server.server.release("m")
                }
                let response = try client.response()
                #expect(response.status == 200 && response.text == (source == .resource ? "[]" : "m"))
                let texts = server.server.verify().map(\.text)
                let doubt =
                    "and could not respond as it says: m.stub.json:1 goes before it and was passed over: \(source == .resource ? "a comparison of JSON" : "a pattern") of its takes more steps than allowed on this request"
                #expect(texts.count == 1 && texts.first?.hasSuffix(doubt) == true, "\(texts)")
            }
        }
    }
}
