// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import MockapiContract
import NetworkingCore

/// A request of a requirement; `Output` is how its response is read.
struct ContractRequest<Output>: Request {
    let url: URL
    var method = HTTPMethod.get
    var headers: [String: String] = [:]
    var query: [URLQueryItem] = []
    var body: Data?
    var bodyFile: URL?
    /// In whole seconds, since Foundation on Linux knows no others.
    var timeout = 10
    let read: @Sendable (Data) throws -> Output

    init(_ url: URL, read: @escaping @Sendable (Data) throws -> Output) {
        self.url = url
        self.read = read
    }

    func decode(_ data: Data) throws -> Output { try read(data) }

    func urlRequest() throws -> URLRequest {
        let plain = PlainRequest(
            url: url, method: method, headers: headers, query: query, body: body, bodyFile: bodyFile)
        var request = try plain.urlRequest()
        request.timeoutInterval = TimeInterval(timeout)
        return request
    }
}

extension ContractRequest<Data> {
    init(_ url: URL) {
        self.init(url) { $0 }
    }

    /// - Parameter index: which of the step's requests.
    init(_ step: Step, _ index: Int, _ stage: ContractStage) throws {
        self.init(try stage.url(step.target(index)))
        method = HTTPMethod(step.method)
        for (name, value) in step.headers { headers[name] = value }
        body = step.body.map { Data($0) }
        timeout = step.timeout
    }
}

/// The same without the parameters beside Foundation's request.
private struct PlainRequest: Request {
    let url: URL
    let method: HTTPMethod
    let headers: [String: String]
    let query: [URLQueryItem]
    let body: Data?
    let bodyFile: URL?
}
