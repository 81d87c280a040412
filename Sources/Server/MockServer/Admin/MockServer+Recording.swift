// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiJSONText

// WireMock's options `--proxy-all` and `--record-mappings`.
extension MockServer {
    /// Passes the requests that no stub of its own responses on to another server, by a stub of the priority 10.
    ///
    /// - Parameter base: a URL such as `https://api.example.com`.
    package func passOn(to base: String) throws(MockServerError) {
        let stub = JSONNode.object([
            "priority": .integer(10), "request": .object(["method": .string("ANY")]),
            "response": .object(["proxyBaseUrl": .string(base)]),
        ])
        do throws(AdminError) {
            let added = try StubAdmin(core).add([stub])
            core.current.changeGiven { $0 + added }
        } catch {
            throw MockServerError(.system(error.detail ?? error.text))
        }
    }

    /// Writes the first response to each request that stubs have passed on to files of the WireMock root, its body to one of its own.
    ///
    /// - Parameter headers: the names of header lines that the stubs ask for.
    /// - Returns: how many stubs were written.
    package func recordPassedOn(matching headers: [String]) async throws(MockServerError) -> Int {
        let none = JSONNode.integer(0)
        let captured = headers.map { JSONObject.Member(name: $0, value: .object([:])) }
        let content = JSONNode.object([
            "persist": .bool(true), "repeatsAsScenarios": .bool(false),
            "extractBodyCriteria": .object(["textSizeThreshold": none, "binarySizeThreshold": none]),
            "captureHeaders": JSONNode(.object(JSONObject(captured))),
        ])
        do throws(AdminError) {
            return try await RecordingAdmin(core).record(RecordSpec(JSONWriter.compact(content)), since: 0).count
        } catch {
            throw MockServerError(.system(error.detail ?? error.text))
        }
    }
}
