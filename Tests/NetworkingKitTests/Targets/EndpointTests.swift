// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import MockapiTestSupport
import NetworkingKit
import Testing

@Suite(.supervised) struct EndpointTests {
    private func endpoint(_ target: AnyTarget) -> Endpoint {
        Provider.defaultEndpointMapping(for: target)
    }

    private func failure(_ target: AnyTarget) -> String {
        do {
            _ = try endpoint(target).urlRequest()
            return "no error"
        } catch {
            return "\(error)"
        }
    }

    @Test(arguments: [
        ("http://api.example.com", "", "http://api.example.com"),
        ("http://api.example.com/", "", "http://api.example.com/"),
        ("http://api.example.com/v1", "things", "http://api.example.com/v1/things"),
        ("http://api.example.com/v1/", "/things", "http://api.example.com/v1/things"),
        ("http://api.example.com", "things/a b", "http://api.example.com/things/a%20b"),
        ("http://api.example.com", "things?page=2", "http://api.example.com/things%3Fpage=2"),
    ])
    func aPathIsAppendedToTheBase(_ base: String, _ path: String, _ url: String) {
        var target = AnyTarget.unsent.at(base)
        target.path = path
        #expect(URL(target: target).absoluteString == url)
    }

    @Test func fieldsAreAddedInThePlaceOfTheirLike() throws {
        var target = AnyTarget.unsent
        target.headers = ["accept": "text/plain", "X-Client": "tests"]
        let changed = endpoint(target).adding(newHTTPHeaderFields: ["Accept": "application/json"])
        #expect(changed.httpHeaderFields == ["Accept": "application/json", "X-Client": "tests"])
        #expect(try changed.urlRequest().value(forHTTPHeaderField: "accept") == "application/json")
    }

    @Test func aTaskIsReplaced() throws {
        var target = AnyTarget.unsent
        target.method = .post
        let changed = endpoint(target).replacing(task: .requestData(Data("new".utf8)))
        #expect(try changed.urlRequest().httpBody == Data("new".utf8))
    }

    @Test func endpointsAreEqualWhereTheySendTheSame() {
        var one = AnyTarget.unsent
        var other = AnyTarget.unsent
        one.task = .requestParameters(parameters: ["a": 1, "b": 2], encoding: URLEncoding.default)
        other.task = .requestParameters(parameters: ["b": 2, "a": 1], encoding: URLEncoding.queryString)
        #expect(endpoint(one) == endpoint(other))
        #expect(endpoint(one).hashValue == endpoint(other).hashValue)
        other.headers = ["Accept": "text/plain"]
        #expect(endpoint(one) != endpoint(other))
        one.headers = other.headers
        one.method = .post
        #expect(endpoint(one) != endpoint(other))
    }

    @Test func uploadsAreEqualWhereTheirContentIs() {
        var one = AnyTarget.unsent
        one.method = .post
        var other = one
        one.task = .uploadFile(URL(fileURLWithPath: "/a"))
        other.task = .uploadFile(URL(fileURLWithPath: "/b"))
        #expect(endpoint(one) != endpoint(other))
        other.task = .uploadFile(URL(fileURLWithPath: "/a"))
        #expect(endpoint(one) == endpoint(other))
    }

    @Test func endpointsThatMakeNoRequestAreEqualWhereTheReasonIs() {
        var one = AnyTarget.unsent
        one.method = .post
        var other = one
        one.task = .requestParameters(parameters: ["a": Double.nan], encoding: JSONEncoding.default)
        other.task = .requestParameters(parameters: ["b": Double.nan], encoding: JSONEncoding.default)
        #expect(endpoint(one) != endpoint(other))
        #expect(endpoint(one) == endpoint(one))
    }

    @Test func aURLWithoutASchemeMakesNoRequest() {
        #expect(
            failure(AnyTarget.unsent.at("things")) == "the endpoint makes no request: things")
    }

    @Test func aMethodThatIsNoTokenMakesNoRequest() {
        var target = AnyTarget.unsent
        target.method = "A B"
        #expect(
            failure(target)
                == #"the endpoint makes no request: "A B" is not a method: a method is a token such as GET"#)
    }

    @Test func aFieldWithALineBreakMakesNoRequest() {
        var target = AnyTarget.unsent
        target.headers = ["X-A": "1\r\nX-B: 2"]
        #expect(
            failure(target)
                == #"the endpoint makes no request: "X-A": "1\r\nX-B: 2" is not a field: a name is a token, a value has no line break and no NUL"#
        )
    }

    @Test func compositeParametersNeedAnEncodingOfContents() {
        var target = AnyTarget.unsent
        target.method = .post
        for (encoding, name) in [(URLEncoding.default, "methodDependent"), (.queryString, "queryString")] {
            target.task = .requestCompositeParameters(
                bodyParameters: ["a": 1], bodyEncoding: encoding, urlParameters: [:])
            #expect(
                failure(target)
                    == "the content of the request cannot be encoded: URLEncoding.\(name) does not encode a content: composite parameters take URLEncoding.httpBody or JSONEncoding"
            )
        }
    }

    @Test func aValueThatCannotBeEncodedIsAnErrorOfItsPhase() {
        var target = AnyTarget.unsent
        target.method = .post
        target.task = .requestJSONEncodable(["a": Double.infinity])
        do {
            _ = try endpoint(target).urlRequest()
            Issue.record("infinity was encoded")
        } catch {
            guard case .encodableMapping(let cause) = error else {
                Issue.record("\(error)")
                return
            }
            #expect(cause is EncodingError)
            #expect(error.response == nil)
        }
    }
}
