// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import MockapiTestSupport
import NetworkingKit
import Testing

@Suite(.supervised) struct EndpointResponseTests {
    private struct Item: Decodable, Equatable {
        var name: String?
    }

    private func response(_ text: String, status: Int = 200) -> Endpoint.Response {
        Endpoint.Response(statusCode: status, data: Data(text.utf8))
    }

    /// The phase an error is of.
    private func phase(_ body: () throws(ProviderError) -> Any) -> String {
        do {
            return "\(try body())"
        } catch {
            switch error {
            case .statusCode: return "statusCode"
            case .jsonMapping: return "jsonMapping"
            case .stringMapping: return "stringMapping"
            case .objectMapping: return "objectMapping"
            default: return "\(error)"
            }
        }
    }

    @Test(arguments: [
        (199, false, false), (200, true, true), (299, true, true), (300, false, true), (399, false, true),
        (400, false, false),
    ])
    func statusesAreFiltered(_ status: Int, _ isSuccessful: Bool, _ isSuccessfulOrRedirect: Bool) {
        let response = response("", status: status)
        #expect(((try? response.filterSuccessfulStatusCodes()) != nil) == isSuccessful)
        #expect(((try? response.filterSuccessfulStatusAndRedirectCodes()) != nil) == isSuccessfulOrRedirect)
        #expect(((try? response.filter(statusCode: 300)) != nil) == (status == 300))
        #expect(((try? response.filter(statusCodes: 300...)) != nil) == (status >= 300))
        #expect(((try? response.filter(statusCodes: ..<300)) != nil) == (status < 300))
    }

    @Test func aFilterThrowsTheResponse() {
        #expect(throws: ProviderError.self) { try response("", status: 500).filterSuccessfulStatusCodes() }
        #expect(
            phase { () throws(ProviderError) in try response("", status: 500).filter(statusCode: 200) } == "statusCode")
    }

    @Test func jsonMayBeASingleValue() throws {
        #expect(try response("7").mapJSON() as? Int == 7)
        #expect(try (response(#"{"a":[1]}"#).mapJSON() as? [String: [Int]]) == ["a": [1]])
        #expect(phase { () throws(ProviderError) in try response("{").mapJSON() } == "jsonMapping")
        #expect(phase { () throws(ProviderError) in try response("").mapJSON() } == "jsonMapping")
        #expect(try response("").mapJSON(failsOnEmptyData: false) is NSNull)
    }

    @Test func textIsTheContentOrAStringInIt() throws {
        #expect(try response("a text").mapString() == "a text")
        #expect(try response("").mapString() == "")
        #expect(try response(#"{"user":{"name":"Ada"}}"#).mapString(atKeyPath: "user.name") == "Ada")
        #expect(
            phase { () throws(ProviderError) in try response(#"{"user":1}"#).mapString(atKeyPath: "user") }
                == "stringMapping")
        #expect(
            phase { () throws(ProviderError) in try response(#"{"user":1}"#).mapString(atKeyPath: "name") }
                == "stringMapping")
        #expect(phase { () throws(ProviderError) in try response("x").mapString(atKeyPath: "name") } == "jsonMapping")
        let binary = Endpoint.Response(statusCode: 200, data: Data([0xFF]))
        #expect(phase { () throws(ProviderError) in try binary.mapString() } == "stringMapping")
    }

    @Test func aContentIsDecoded() throws {
        #expect(try response(#"{"name":"a"}"#).map(Item.self) == Item(name: "a"))
        #expect(try response(#"[{"name":"a"}]"#).map([Item].self) == [Item(name: "a")])
        #expect(phase { () throws(ProviderError) in try response("[]").map(Item.self) } == "objectMapping")
        #expect(phase { () throws(ProviderError) in try response("{").map(Item.self) } == "objectMapping")
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .secondsSince1970
        #expect(
            try response(#"{"at":60}"#).map([String: Date].self, using: decoder) == [
                "at": Date(timeIntervalSince1970: 60)
            ])
    }

    @Test func aValueAtAKeyPathIsDecoded() throws {
        let content = response(#"{"data":{"item":{"name":"a"},"count":3,"names":["x"],"on":true}}"#)
        #expect(try content.map(Item.self, atKeyPath: "data.item") == Item(name: "a"))
        #expect(try content.map(Int.self, atKeyPath: "data.count") == 3)
        #expect(try content.map([String].self, atKeyPath: "data.names") == ["x"])
        #expect(try content.map(Bool.self, atKeyPath: "data.on"))
        #expect(try content.map(String.self, atKeyPath: "data.item.name") == "a")
        #expect(
            phase { () throws(ProviderError) in try content.map(Int.self, atKeyPath: "data.item") } == "objectMapping")
        #expect(
            phase { () throws(ProviderError) in try content.map(Int.self, atKeyPath: "data.none") } == "jsonMapping")
        #expect(
            phase { () throws(ProviderError) in try content.map(Int.self, atKeyPath: "data.count.x") } == "jsonMapping")
    }

    @Test func noContentIsNothingWhereThatIsAllowed() throws {
        #expect(try response("").map(Item.self, failsOnEmptyData: false) == Item())
        #expect(try response("").map([Item].self, failsOnEmptyData: false) == [Item()])
        #expect(try response("").map(Item.self, atKeyPath: "data", failsOnEmptyData: false) == Item())
        #expect(
            try response(#"{"name":"a"}"#).map(Item.self, atKeyPath: "data", failsOnEmptyData: false) == Item(name: "a")
        )
        #expect(phase { () throws(ProviderError) in try response("").map(Item.self) } == "objectMapping")
        #expect(
            phase { () throws(ProviderError) in try response("").map(Int.self, failsOnEmptyData: false) }
                == "objectMapping")
    }

    @Test func responsesAreEqualWhateverWasAsked() {
        let one = Endpoint.Response(statusCode: 200, data: Data(), request: URLRequest(url: AnyTarget.unsent.baseURL))
        #expect(one == response(""))
        #expect(one != response("", status: 201))
        #expect(one != response("a"))
    }
}
