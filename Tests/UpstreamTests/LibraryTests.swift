// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import CMockapiCurl
import MockapiTestSupport
import MockapiUpstream
import MockapiWireSupport
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Each in a process of its own, since a library is loaded once.
@Suite(.supervised) struct LibraryTests {
    @Test func `libcurl is loaded by the first request, not before`() async {
        await #expect(processExitsWith: .success) {
            let client = UpstreamClient()
            precondition(ccurl_is_loaded() == 0)
            _ = try? await client.send(UpstreamRequest("GET", "ftp://refused/"))
            precondition(ccurl_is_loaded() == 0)
            _ = try? await client.send(UpstreamRequest("GET", "http://127.0.0.1:1/"))
            precondition(ccurl_is_loaded() == 1)
        }
    }

    @Test func `without libcurl a request says what to install`() async {
        await #expect(processExitsWith: .success) {
            ccurl_library_use("libabsent.so.4")
            do throws(UpstreamError) {
                _ = try await UpstreamClient().send(UpstreamRequest("GET", "http://127.0.0.1:1/"))
                fatalError("there was a response")
            } catch {
                precondition(error.kind == .libraryMissing)
                precondition(
                    error.description.hasPrefix("http://127.0.0.1:1/: libcurl cannot be loaded: libabsent.so.4: "))
                #if os(Linux)
                    precondition(error.text.hasSuffix("; install libcurl4: apt-get install libcurl4"))
                #endif
            }
        }
    }

    @Test func `the environment's proxies are not asked`() async {
        await #expect(processExitsWith: .success) {
            let server = try RawServer()
            setenv("http_proxy", "http://127.0.0.1:1", 1)
            setenv("all_proxy", "http://127.0.0.1:1", 1)
            async let head = server.answer("HTTP/1.1 204 No Content\r\n\r\n")
            let answer = try await UpstreamClient().send(UpstreamRequest("GET", server.base + "/a"))
            precondition(answer.status == 204)
            let line = try await head.first
            precondition(line == "GET /a HTTP/1.1")
        }
    }
}
