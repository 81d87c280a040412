// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import MockServer
import MockapiTestSupport
import NetworkingKit
import Testing

/// What URLSession on Linux does otherwise than on Darwin, and `Networker` makes good.
@Suite("The errors of Networker", .supervised)
struct SessionErrorTests {
    @Test(arguments: [
        (StubFault.emptyResponse, URLError.Code.networkConnectionLost, 0),
        (.truncatedBody(afterBytes: 2), .networkConnectionLost, 1), (.wrongContentLength, .networkConnectionLost, 2),
        (.malformedChunk, .cannotParseResponse, 3), (.randomData, .cannotParseResponse, 4),
        (.badGzip, .cannotDecodeContentData, 5),
    ])
    func aBrokenAnswerHasTheCodeItHasOnDarwin(_ fault: StubFault, _ code: URLError.Code, _ number: Int) async throws {
        let server = try await MockServer.start(
            stubs: [RequestMatch.get("/\(number)").respond(body: "0123456789", fault: fault)])
        let request = PlainRequest(url: server.baseURL.appendingPathComponent("\(number)"))
        let error = await #expect(throws: URLError.self) { _ = try await Networker().response(for: request) }
        #expect(error?.code == code)
        #expect(error?.localizedDescription.isEmpty == false)
        await server.stop()
    }
}
