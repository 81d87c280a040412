// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import MockapiTestSupport
import NetworkingKit
import Synchronization
import Testing

@Suite(.supervised) struct APIRequestTests {
    private struct Sent: APIRequest {
        typealias Response = Data
        var baseURL = URL(fileURLWithPath: "/")
        var method: HTTPMethod = .get
        var path = ""
        var values: @Sendable () -> Any? = { nil }
        var form: [String: String]?
        var headerFields: [String: String] = [:]

        var parameters: Any? { values() }
        var bodyParameters: (any BodyParameters)? {
            if let form { return FormURLEncodedBodyParameters(formObject: form) }
            return method == .get ? nil : values().map(JSONBodyParameters.init)
        }

        init(_ base: String = "http://127.0.0.1/api", _ path: String = "", method: HTTPMethod = .get) throws {
            baseURL = try #require(URL(string: base))
            self.path = path
            self.method = method
        }
    }

    private struct Empty: APIRequest {
        typealias Response = Void
        var method: HTTPMethod { .get }
        var path: String { "/x" }
    }

    private struct Text: APIRequest {
        typealias Response = String
        var method: HTTPMethod { .get }
        var path: String { "/x" }
    }

    private struct List: APIRequest {
        typealias Response = [Article]
        var method: HTTPMethod { .get }
        var path: String { "/x" }
    }

    private struct Numbers: APIRequest {
        typealias Response = [Int]
        let dataParser: any DataParser
        var method: HTTPMethod { .get }
        var path: String { "/x" }

        func intercept(object: Any, urlResponse: HTTPURLResponse) throws -> Any {
            (object as? [String: Any])?["numbers"] ?? object
        }
    }

    private struct Strict: APIRequest {
        typealias Response = [Int]
        var method: HTTPMethod { .get }
        var path: String { "/x" }
        var dataParser: any DataParser { JSONDataParser() }
    }

    private struct Signed: APIRequest {
        typealias Response = Data
        let count: @Sendable () -> Void
        var method: HTTPMethod { .post }
        var path: String { "/x" }
        var baseURL: URL { URL(string: "http://127.0.0.1") ?? URL(fileURLWithPath: "/") }
        var parameters: Any? { ["b": 1, "a": [true, NSNull()]] }

        func intercept(urlRequest: URLRequest) throws -> URLRequest {
            count()
            var request = urlRequest
            request.setValue("\(request.httpBody?.count ?? 0)", forHTTPHeaderField: "Signature")
            return request
        }
    }

    private static func failure(_ request: some APIRequest) -> String? {
        let error = #expect(throws: ClientError.self) { try request.urlRequest() }
        return error.map { "\($0.underlying)" }
    }

    @Test(arguments: [
        ("http://127.0.0.1/api", "/users/1", "http://127.0.0.1/api/users/1"),
        ("http://127.0.0.1/api/", "users/ada l", "http://127.0.0.1/api/users/ada%20l"),
        ("http://127.0.0.1/api?key=1", "/users", "http://127.0.0.1/api/users?key=1"),
        ("http://127.0.0.1/api", "", "http://127.0.0.1/api"),
    ])
    func aPathGoesBehindTheBase(_ base: String, _ path: String, _ url: String) throws {
        #expect(try Sent(base, path).urlRequest().url?.absoluteString == url)
    }

    @Test func aPathWithAQueryIsRefused() throws {
        #expect(
            Self.failure(try Sent("http://127.0.0.1", "/x?y=1"))
                == "\"/x?y=1\" is not a path: a query goes into `queryParameters`, and a fragment is never sent")
    }

    @Test func aQueryIsSortedAndItsValuesAreText() throws {
        var request = try Sent()
        request.values = {
            [
                "text": "a&b", "list": [1, 2], "flag": true, "half": 0.5, "alone": NSNull(), "none": Int?.none as Any,
                "some": Int?.some(3) as Any, "order": Order.up, "url": URL(fileURLWithPath: "/p"),
            ] as [String: Any]
        }
        #expect(
            try request.urlRequest().url?.query
                == "alone&flag=true&half=0.5&list=1&list=2&order=up&some=3&text=a%26b&url=file%3A%2F%2F%2Fp")
    }

    private enum Order: String {
        case up
    }

    @Test func aValueThatIsNoTextIsRefused() throws {
        var request = try Sent()
        request.values = { ["page": ["number": 1]] }
        #expect(
            Self.failure(request)
                == "\"page\" is Dictionary<String, Int>: a value of a query or a form is text, a number, a Bool, NSNull or an array of these"
        )
    }

    @Test func parametersThatAreNoQueryAreRefused() throws {
        var request = try Sent()
        request.values = { [1, 2] }
        #expect(
            Self.failure(request)
                == "the parameters of GET are Array<Int>: those of a query are a dictionary with names as keys")
    }

    @Test func parametersThatAreNoJSONAreRefused() throws {
        var request = try Sent(method: .post)
        request.values = { ["order": Order.up] }
        #expect(
            Self.failure(request)
                == "Dictionary<String, Order> is not JSON: use dictionaries, arrays, strings, numbers, Bool and NSNull, or `JSONBodyParameters` of an Encodable"
        )
    }

    @Test func aMethodThatIsNoTokenIsRefused() throws {
        #expect(
            Self.failure(try Sent(method: "G T"))
                == "\"G T\" is not a method: a method is a token such as GET")
    }

    @Test func aFormIsSentAsAForm() throws {
        var request = try Sent(method: .post)
        request.form = ["b": "1 + 1", "a": "ü"]
        let sent = try request.urlRequest()
        #expect(sent.httpBody.map { String(decoding: $0, as: UTF8.self) } == "a=%C3%BC&b=1%20%2B%201")
        #expect(sent.value(forHTTPHeaderField: "Content-Type") == "application/x-www-form-urlencoded")
    }

    @Test func theFieldsOfARequestWin() throws {
        var request = try Sent(method: .post)
        request.values = { ["a": 1] }
        request.headerFields = ["content-type": "application/vnd.api+json", "X-Own": "1"]
        let sent = try request.urlRequest()
        #expect(sent.allHTTPHeaderFields?.count == 2)
        #expect(sent.value(forHTTPHeaderField: "Content-Type") == "application/vnd.api+json")
        #expect(sent.value(forHTTPHeaderField: "X-Own") == "1")
    }

    @Test func anEncodableIsABody() throws {
        let body = JSONBodyParameters(["z": 1, "a": 2], contentType: "application/vnd.api+json")
        #expect(String(decoding: try body.buildEntity(), as: UTF8.self) == #"{"a":2,"z":1}"#)
        #expect(body.contentType == "application/vnd.api+json")
    }

    @Test func aRequestIsInterceptedOnceWithAllThatIsSent() throws {
        let count = Mutex(0)
        let request = Signed { count.withLock { $0 += 1 } }
        let sent = try request.urlRequest()
        #expect(sent.httpBody.map { String(decoding: $0, as: UTF8.self) } == #"{"a":[true,null],"b":1}"#)
        #expect(sent.value(forHTTPHeaderField: "Signature") == "23")
        #expect(count.withLock { $0 } == 1)
    }

    @Test func responsesOfKnownTypesNeedNoCode() throws {
        try Empty().decode(Data("anything".utf8))
        #expect(try Text().decode(Data("text".utf8)) == "text")
        let article = #"{"name": "n", "description": "d", "card_artwork_url": "http://x/y", "released_at": "now"}"#
        #expect(try List().decode(Data(#"{"data": [{"attributes": \#(article)}]}"#.utf8)).map(\.name) == ["n"])
        #expect(try Numbers(dataParser: DecodableDataParser()).decode(Data("[1, 2]".utf8)) == [1, 2])
    }

    @Test func aDecodableIsMadeOfTheObjectOfAnotherParserToo() throws {
        let request = Numbers(dataParser: JSONDataParser())
        #expect(try request.decode(Data(#"{"numbers": [3, 4]}"#.utf8)) == [3, 4])
    }

    @Test func noContentIsAnEmptyObject() throws {
        #expect((try JSONDataParser().parse(data: Data()) as? [String: Any])?.isEmpty == true)
    }

    @Test func textOfAnotherEncodingIsUnexpected() {
        let error = #expect(throws: (any Error).self) { try Text().decode(Data([0xFF, 0xFE, 0xFD])) }
        #expect(error.map { "\($0)" } == "unexpected Data: 3 bytes")
    }

    @Test func theStatusOfAPageThatIsNoJSONIsTold() throws {
        let url = try #require(URL(string: "http://127.0.0.1/x"))
        let http = try #require(HTTPURLResponse(url: url, statusCode: 502, httpVersion: nil, headerFields: nil))
        let response = DataResponse(data: Data("<html>".utf8), http: http)
        let error = #expect(throws: ResponseError.self) { try Strict().parse(response) }
        #expect(error?.description == "GET http://127.0.0.1/x: 502\n<html>")
    }

    @Test func aPageThatIsNoJSONIsAnErrorOfTheParserWhereItsStatusIsAccepted() throws {
        let error = #expect(throws: (any Error).self) { try Strict().decode(Data("<html>".utf8)) }
        #expect((error as? CocoaError)?.code == .propertyListReadCorrupt)
    }
}
