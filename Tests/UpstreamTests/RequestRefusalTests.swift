// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiTestSupport
import MockapiUpstream
import MockapiWireSupport
import Testing

@Suite(.supervised) struct RequestRefusalTests {
    private let client = UpstreamClient()

    private func refusal(_ request: UpstreamRequest) async -> String? {
        let error = await failure { _ = try await client.send(request) }
        #expect(error?.kind == .invalid)
        return error?.description
    }

    @Test func `a request that cannot be sent as it is written is refused before anything is sent`() async throws {
        let url = "http://127.0.0.1:1/"
        #expect(
            await refusal(UpstreamRequest("GET", "ftp://a/"))
                == "ftp://a/: the URL has no scheme that is known; write http:// or https:// before it")
        #expect(
            await refusal(UpstreamRequest("GET", "http://a/ b"))
                == "http://a/ b: the URL has a blank or a control character; percent-encode it")
        #expect(
            await refusal(UpstreamRequest("GET", "http://me:secret@a/"))
                == "http://a/: the URL has credentials; send them in an Authorization field")
        #expect(
            await refusal(UpstreamRequest("GE T", url))
                == "\(url): the method \"GE T\" is not a token (RFC 9110 §9.1); leave out what is not a letter, digit or hyphen"
        )
        #expect(
            await refusal(UpstreamRequest("GET", url, fields: [.init("a:b", "1")]))
                == "\(url): the field name \"a:b\" is not a token (RFC 9110 §5.1); leave out what is not a letter, digit or hyphen"
        )
        #expect(
            await refusal(UpstreamRequest("GET", url, fields: [.init("a", "1\r\nb: 2")]))
                == "\(url): the value of a has a line end or NUL (RFC 9110 §5.5); leave it out")
        #expect(
            await refusal(UpstreamRequest("HEAD", url, body: .bytes([1])))
                == "\(url): HEAD with content cannot be sent; leave the content out")
        #expect(
            await refusal(UpstreamRequest("GET", url, version: .h2))
                == "\(url): h2 is HTTP/2 over TLS; choose h2c for an http URL")
        #expect(
            await refusal(UpstreamRequest("GET", "https://a/", version: .h2c))
                == "https://a/: h2c is HTTP/2 without TLS; choose h2 for an https URL")
        #expect(await refusal(UpstreamRequest("GET", "http://127.0.0.1:99999/"))?.hasSuffix("correct the URL") == true)
    }

    @Test(arguments: [1, 3]) func `content of another length than was said ends the request`(count: Int) async throws {
        let server = try RawServer()
        async let _ = try blocking { try server.accept().remainder() }
        let stream = AsyncStream<[UInt8]> { feed in
            feed.yield([UInt8](repeating: 1, count: count))
            feed.finish()
        }
        let request = UpstreamRequest("PUT", server.base, body: .sequence(stream, length: 2))
        let error = await failure { _ = try await client.send(request) }
        #expect(error?.kind == .requestBody)
        #expect(error?.text == "the content is \(count) bytes, its length was said to be 2; mend its source")
    }

    @Test func `a source of content that throws ends the request`() async throws {
        struct Broken: Error {}
        let server = try RawServer()
        async let _ = try blocking { try server.accept().remainder() }
        let body = UpstreamRequestBody.chunks(length: nil) { throw Broken() }
        let error = await failure { _ = try await client.send(UpstreamRequest("PUT", server.base, body: body)) }
        #expect(error?.kind == .requestBody)
        #expect(error?.text == "the source of the content failed: Broken(); mend it")
    }
}
