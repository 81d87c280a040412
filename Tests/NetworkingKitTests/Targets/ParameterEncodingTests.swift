// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import MockapiTestSupport
import NetworkingKit
import Testing

@Suite(.supervised) struct ParameterEncodingTests {
    private func query(
        _ parameters: [String: any Sendable], _ encoding: URLEncoding = .queryString, at url: String = "http://h/p"
    ) throws -> String? {
        let request = URLRequest(url: try #require(URL(string: url)))
        return try encoding.encode(request, with: parameters).url?.absoluteString.split(separator: "?").dropFirst()
            .first.map(String.init)
    }

    private func json(_ parameters: [String: any Sendable], _ encoding: JSONEncoding = .default) throws -> String {
        let request = URLRequest(url: try #require(URL(string: "http://h/p")))
        return String(decoding: try encoding.encode(request, with: parameters).httpBody ?? Data(), as: UTF8.self)
    }

    @Test func namesAreSorted() throws {
        #expect(try query(["c": 3, "a": 1, "b": 2]) == "a=1&b=2&c=3")
    }

    @Test func arraysAndDictionariesHaveBrackets() throws {
        let parameters: [String: any Sendable] = [
            "page": ["number": 2, "size": 20], "filter": ["tags": ["x", "y"], "kinds": ["z"]],
        ]
        #expect(
            try query(parameters)?.removingPercentEncoding
                == "filter[kinds][]=z&filter[tags][]=x&filter[tags][]=y&page[number]=2&page[size]=20")
        #expect(try query(["page": ["number": 2]]) == "page%5Bnumber%5D=2")
    }

    @Test func arraysMayHaveNoBracketsOrAnIndex() throws {
        let plain = URLEncoding(destination: .queryString, arrayEncoding: .noBrackets)
        #expect(try query(["a": [1, 2]], plain) == "a=1&a=2")
        let indexed = URLEncoding(destination: .queryString, arrayEncoding: .indexInBrackets)
        #expect(try query(["a": [1, 2]], indexed)?.removingPercentEncoding == "a[0]=1&a[1]=2")
    }

    @Test func booleansAreDigitsOrWords() throws {
        #expect(try query(["no": false, "one": 1, "yes": true]) == "no=0&one=1&yes=1")
        let literal = URLEncoding(destination: .queryString, boolEncoding: .literal)
        #expect(try query(["no": false, "one": 1, "yes": true], literal) == "no=false&one=1&yes=true")
    }

    @Test func whatIsNilIsLeftOut() throws {
        let nothing: Int? = nil
        let something: Int? = 7
        #expect(try query(["a": nothing, "b": something]) == "b=7")
        #expect(try json(["a": nothing, "b": something]) == #"{"a":null,"b":7}"#)
    }

    @Test func delimitersInValuesAreEscaped() throws {
        #expect(try query(["q": "a&b=c/d?é"]) == "q=a%26b%3Dc%2Fd%3F%C3%A9")
    }

    @Test func aQueryThatIsThereStays() throws {
        #expect(try query(["b": 2], at: "http://h/p?a=1") == "a=1&b=2")
        #expect(try query([:], at: "http://h/p?a=1") == "a=1")
    }

    @Test func numbersKeepTheirForm() throws {
        #expect(
            try query(["big": UInt64.max, "small": -0.5, "exact": Decimal(1) / 8])
                == "big=18446744073709551615&exact=0.125&small=-0.5")
        #expect(
            try json(["big": UInt64.max, "small": -0.5, "exact": Decimal(1) / 8, "float": Float(0.5)])
                == #"{"big":18446744073709551615,"exact":0.125,"float":0.5,"small":-0.5}"#)
    }

    @Test func noParametersLeaveTheRequestAsItIs() throws {
        var request = URLRequest(url: try #require(URL(string: "http://h/p")))
        request.httpMethod = "POST"
        #expect(try URLEncoding.httpBody.encode(request, with: nil) == request)
        #expect(try URLEncoding.httpBody.encode(request, with: [:]) == request)
        #expect(try JSONEncoding.default.encode(request, with: nil) == request)
        #expect(try JSONEncoding.default.encode(request, with: [:]).httpBody == Data("{}".utf8))
    }

    @Test func jsonIsPrettyWhereThatIsSaid() throws {
        #expect(
            try json(["b": [1], "a": "x/y"], .prettyPrinted) == "{\n  \"a\" : \"x/y\",\n  \"b\" : [\n    1\n  ]\n}")
    }

    @Test func whatJSONCannotSayIsNamedByItsPlace() throws {
        let error = #expect(throws: RequestError.self) {
            _ = try json(["filter": ["since": [1.5, Double.infinity]]])
        }
        #expect(
            error.map { "\($0)" }
                == "filter[since][1]: inf is not a JSON value: give a string, a finite number, a Boolean, an array, a dictionary by strings, or nil"
        )
        #expect(throws: RequestError.self) { _ = try json(["at": Date(timeIntervalSince1970: 0)]) }
        #expect(throws: RequestError.self) { _ = try json(["by": [1: "a"]]) }
    }
}
