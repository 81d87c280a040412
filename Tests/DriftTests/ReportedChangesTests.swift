// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiTestSupport
import Testing

@testable import MockapiDrift

/// Changes of answers that users of other tools have reported as missed or invented by those: each is named by its tracker.
@Suite(.supervised) struct ReportedChangesTests {
    /// As in `DriftCases`; the name is the report.
    private static let text = ##"""
        {"case":"pact-reference#113, an empty object that gets a member","recorded":{},"live":{"foo":"bar"},"level":"info","id":"property-added"}
        {"case":"pact-php#75, an empty object written otherwise","recorded":{"text":"{}","h":["Content-Type: application/json"]},"live":{"text":"{\n}\n","h":["Content-Type: application/json"]}}
        {"case":"pact-specification#112, a nested list that is empty","recorded":{"items":[{"id":"e911064f-4d6a-4dfa-a679-e87e57c41330"}]},"live":{"items":[]},"level":"info","id":"items-empty"}
        {"case":"pact-specification#108, a list that was recorded empty","recorded":[],"live":[{"a":1}],"level":"info","id":"items-learned"}
        {"case":"pact-jvm#698, items of another type in a raw list","recorded":["1"],"live":[1],"level":"breaking","id":"type-changed"}
        {"case":"pact-jvm#122, a 404 that has lost its body","recorded":{"$":{"errorMessage":"x"},"h":["Content-Type: application/json"],"s":404},"live":{"text":"","h":["Content-Type: application/json"],"s":404},"level":"breaking","id":"body-missing"}
        {"case":"keploy#4471, another request id","recorded":{"$":{"a":1},"h":["X-Request-Id: 1aa0"]},"live":{"$":{"a":1},"h":["X-Request-Id: e612"]}}
        {"case":"keploy#4471, a token against forged requests that is gone","recorded":{"$":{"a":1},"h":["X-CSRF-Token: 1aa0"]},"live":{"$":{"a":1}},"level":"warning","id":"header-removed"}
        {"case":"keploy#3987, a member more and so another length","recorded":{"$":{"a":1},"h":["Content-Length: 7"]},"live":{"$":{"a":1,"b":2},"h":["Content-Length: 13"]},"level":"info","id":"property-added"}
        {"case":"dredd#553, a charset that is added","recorded":{"$":{"a":1},"h":["Content-Type: application/json"]},"live":{"$":{"a":1},"h":["Content-Type: application/json; charset=utf-8"]},"level":"info","id":"charset-changed"}
        {"case":"dredd#883, a table as plain text","recorded":{"text":"id,name\n1,a\n","h":["Content-Type: text/csv"]},"live":{"text":"id,name\n1,a\n","h":["Content-Type: text/plain"]},"level":"breaking","id":"content-type-changed"}
        {"case":"hurl#658, a semicolon behind the charset","recorded":{"text":"hello","h":["Content-Type: text/plain; charset=UTF-8"]},"live":{"text":"hello","h":["Content-Type: text/plain; charset=utf-8;"]}}
        {"case":"karate#814, an empty text in the place of JSON","recorded":{"orgId":1},"live":{"text":"","h":["Content-Type: application/json"]},"level":"breaking","id":"body-missing"}
        {"case":"karate#2406, an empty JSON text in the place of an object","recorded":{"id":1},"live":{"$":"","h":["Content-Type: application/json"]},"level":"breaking","id":"type-changed"}
        {"case":"karate#1178, a word for a truth","recorded":{"on":false},"live":{"on":"false"},"level":"breaking","id":"type-changed"}
        {"case":"karate#2820, a null that is gone","recorded":{"user":null,"n":1},"live":{"n":1},"level":"warning","id":"property-removed"}
        {"case":"tavern#380, items in another order","recorded":["a","b"],"live":["b","a"]}
        {"case":"tavern#622, members in another order","recorded":{"foo":{"id":"1"},"bar":{"id":"2"}},"live":{"bar":{"id":"2"},"foo":{"id":"1"}}}
        {"case":"tavern#707, a member more within another","recorded":{"a":1,"b":{"first":10}},"live":{"a":1,"b":{"first":10,"second":20}},"level":"info","id":"property-added"}
        {"case":"oasdiff#280, items with another member","recorded":[{"oldField":"x"}],"live":[{"newField":"x"}],"level":"breaking","id":"property-removed"}
        """##

    @Test func `each reported change is what it is to a client`() throws {
        for line in Self.text.split(separator: "\n") {
            let item = try DriftCase(line)
            let found = item.comparison.compare(item.live).findings
            let worst = found.map(\.level).max()
            let seen = Set(found.filter { $0.level == worst }.map { "\($0.level.rawValue) \($0.id.rawValue)" })
            let expected = item.level.map { ["\($0.rawValue) \(item.id ?? "")"] } ?? []
            #expect(seen == Set(expected), "\(item.name): \(found.map { "\($0.pointer) \($0.text)" })")
        }
    }

    private func sample(_ type: String?, _ body: [UInt8]) -> ResponseSample {
        ResponseSample(status: 200, headers: type.map { [("Content-Type", $0)] } ?? [], body: body)
    }

    @Test func `schemathesis 1394, a media type that is missing is reported once`() {
        let body = Array(#"{"a": 1}"#.utf8)
        let found = ResponseComparison(recorded: [sample("application/json", body)]).compare([sample(nil, body)])
            .findings
        #expect(found.map { "\($0.level.rawValue) \($0.id.rawValue)" } == ["breaking header-removed"])
    }

    @Test func `hurl 1560, a page without a charset that is written in another one is told`() {
        let page: [UInt8] = Array("<p>".utf8) + [0xC4, 0xE3, 0xBA, 0xC3] + Array("</p>".utf8)
        let other = Array("<p>你好</p>".utf8)
        func told(_ old: ResponseSample, _ new: ResponseSample) -> [String] {
            ResponseComparison(recorded: [old]).compare([new]).findings.map { "\($0.level.rawValue) \($0.id.rawValue)" }
        }
        #expect(told(sample("text/html", page), sample("text/html", page)) == [])
        #expect(told(sample("text/html", page), sample("text/html", other)) == ["warning encoding-changed"])
        #expect(told(sample("text/html", other), sample("text/html", page)) == ["breaking encoding-changed"])
        let (said, now) = (sample("text/html; charset=gb2312", page), sample("text/html; charset=utf-8", other))
        #expect(told(said, now) == ["warning charset-changed"])
    }
}
