// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import HTTPTypes
import MockServer
import MockapiTestSupport
import NetworkingKit
import Testing

/// The core: methods.
@Suite(.supervised) struct HTTPMethodTests {
    @Test(arguments: ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "UPDATE", "Purge", "X-1!"])
    func aMethodArrivesAsWritten(_ method: String) async throws {
        let service = try await Service.answering("/m")
        let data: Data = try await Networker().data(
            for: PlainRequest(url: service.url("/m"), method: HTTPMethod(method)))
        #expect(String(decoding: data, as: UTF8.self) == "ok")
        #expect(service.targets == ["\(method) /m"])
        await service.stop()
    }

    @Test func headIsAnsweredWithoutContent() async throws {
        let service = try await Service.answering("/m")
        let response = try await Networker().response(for: PlainRequest(url: service.url("/m"), method: .head))
        #expect(response.status == 200)
        #expect(response.data.isEmpty)
        #expect(response.headers["Content-Length"] == "2")
        await service.stop()
    }

    @Test(arguments: ["", "GET ", "A B", "Ü", "GET\r\nX: y"])
    func whatIsNoTokenIsRefused(_ method: String) async throws {
        let request = PlainRequest(url: try #require(URL(string: "http://127.0.0.1:1/")), method: HTTPMethod(method))
        await #expect(throws: RequestError.method(method)) { try await Networker().data(for: request) }
        #expect(
            "\(RequestError.method(method))"
                == "\(method.debugDescription) is not a method: a method is a token such as GET")
    }
}
