// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiTestSupport
import MockapiWireSupport
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Faults on the wire that users of HTTP clients have reported, each done by a client that does right otherwise.
@Suite(.supervised) struct ReportedClientTests {
    private static let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Drivers/deviating/play.py").path

    /// The reports, by the deviation of `Tests/Drivers/deviating` that does what they describe.
    private static let reports: KeyValuePairs = [
        "an encoded slash twice": "disneystreaming/smithy4s#72",
        "sends fragments": "http-rs/async-h1#128, dotnet/corefx#32378",
        "lines of Base64": "clj-commons/aleph#350, RusticiSoftware/TinCanPython#88",
        "repeats a reset POST": "softonic/axios-retry#66",
        "repeats at POST 500": "logstash-plugins/logstash-output-http#105",
        "repeats at POST 504": "panoramicdata/PanoramicData.OData.Client#43",
        "needs a reason": "tornadoweb/tornado#857",
        "passes over 100 alone": "snoyberg/http-client#521, eclipse-vertx/vert.x#4508",
        "GET after 307 PUT": "forwardemail/superagent#317",
        "no content after 307 PUT": "gatling/gatling#2780",
        "two slashes are a path": "cakephp/cakephp#11163, micropython/micropython-lib#1141",
        "keeps Authorization by 302": "adobe/fetch#447",
        "keeps Authorization by http": "psf/requests#4716, seanmonstar/reqwest#3034",
        "swallow length": "owncloud/client#2528, scdl-org/scdl#248, martian56/raven#739",
        "HTTP/1.0 keeps connections":
            "AsyncHttpClient/async-http-client#911, palantir/dialogue#2537, oven-sh/bun#35545",
        "gives up idle connections": "square/okhttp#220",
        "asks the proxy for all": "request/request#853, Azure/azure-sdk-for-js#5228",
        "Max-Age of 31 bits": "AsyncHttpClient/async-http-client#889",
        "negative ages are for ever": "curl/curl#9932",
        "a path is for what is above it": "jetty/jetty.project#1888",
        "cookies with commas": "dotnet/runtime#42856",
        "a line for each cookie": "nahi/httpclient#449, softwaremill/sttp#279",
    ]

    /// Each, in a sample every sixth.
    @Test func `a fault that has been reported of a client is found by a requirement that is about it`() async throws {
        let names = Self.reports.map(\.key).enumerated().filter { $0.offset % (Thoroughness.isSample ? 6 : 1) == 0 }
            .map(\.element)
        let end = try await Command(
            line: ["/usr/bin/python3", "-B", Self.script, Command.executable("mockapi")] + names
        ).end()
        let reports = Self.reports.map { "\($0.key): \($0.value)" }.joined(separator: "\n")
        #expect(
            end.output == "\(names.count) deviations, \(names.count) found\n", "\(end.output)\(end.errors)\n\(reports)")
        #expect(end.code == 0)
    }
}
