// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import MockapiTestSupport
import MockapiWireSupport
import NetworkingKit
import Testing

@Suite(.supervised) struct ProviderErrorTests {
    private static let response = Endpoint.Response(statusCode: 500, data: Data("no".utf8))

    private static let all: [(ProviderError, String)] = [
        (.requestMapping("h:x"), "the endpoint makes no request: h:x"),
        (
            .parameterEncoding(RequestError.emptyForm),
            "the content of the request cannot be encoded: a multipart form has one part at least (RFC 2046 §5.1)"
        ),
        (.encodableMapping(CocoaError(.coderInvalidValue)), "the value cannot be encoded as JSON: "),
        (
            .sampleData(RequestError.emptyForm),
            "the stub has no sample: a multipart form has one part at least (RFC 2046 §5.1)"
        ),
        (.underlying(URLError(.timedOut), response), "the request failed: URLError -1001: "),
        (.statusCode(response), "the status is not accepted: status 500, 2 bytes"),
        (.jsonMapping(response), "the content is not the JSON that was requested: status 500, 2 bytes"),
        (.stringMapping(response), "the content is not the text that was requested: status 500, 2 bytes"),
        (
            .objectMapping(RequestError.emptyForm, response),
            "the content cannot be decoded: status 500, 2 bytes: a multipart form has one part at least (RFC 2046 §5.1)"
        ),
    ]

    @Test func eachPhaseHasItsTextAndItsNumber() {
        for (number, (error, text)) in Self.all.enumerated() {
            #expect(error.description.hasPrefix(text))
            #expect(error.errorCode == number)
            #expect(error.localizedDescription == error.description)
        }
    }

    @Test func theResponseIsThereFromThePhaseItCameIn() {
        #expect(Self.all.map { $0.0.response != nil } == [false, false, false, false, true, true, true, true, true])
        #expect(
            Self.all.map { $0.0.underlyingError != nil } == [false, true, true, true, true, false, false, false, true])
    }

    @Test func aServiceThatIsAwayIsAURLError() async throws {
        // No test's server gets a port below 1,024.
        let target = AnyTarget.unsent.at("http://127.0.0.1:1")
        do {
            _ = try await Provider<AnyTarget>().request(target)
            Issue.record("a response came")
        } catch {
            guard case .underlying(let cause as URLError, nil) = error else {
                Issue.record("\(error)")
                return
            }
            #expect(cause.code == .cannotConnectToHost)
            #expect(!error.isCancelled)
        }
    }

    @Test func aStatusIsValidatedOnTheWire() async throws {
        let echo = try await EchoServer.start()
        func status(_ path: String, _ validation: ValidationType) async -> String {
            do {
                let target = AnyTarget(baseURL: echo.url, path: path, validationType: validation)
                return try await "\(Provider<AnyTarget>().request(target).statusCode)"
            } catch ProviderError.underlying(ProviderError.statusCode(let inner), let response) {
                return "refused \(inner.statusCode) \(response?.data.count ?? -1)"
            } catch {
                return "\(error)"
            }
        }
        #expect(await status("teapot", .none) == "418")
        #expect(await status("teapot", .successCodes) == "refused 418 15")
        #expect(await status("teapot", .successAndRedirectCodes) == "refused 418 15")
        #expect(await status("teapot", .customCodes([200, 418])) == "418")
        #expect(await status("things", .customCodes([418])) == "refused 200 11")
        #expect(await status("moved", .successAndRedirectCodes) == "304")
        #expect(await status("moved", .successCodes) == "refused 304 0")
        await echo.stop()
    }

    @Test func validationsHaveTheirCodes() {
        #expect(ValidationType.none.statusCodes.isEmpty)
        #expect(ValidationType.successCodes.statusCodes == Array(200..<300))
        #expect(ValidationType.successAndRedirectCodes.statusCodes == Array(200..<400))
        #expect(ValidationType.customCodes([1]).statusCodes == [1])
    }
}
