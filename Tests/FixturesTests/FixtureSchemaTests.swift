// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiJSONText
import MockapiTestSupport
import Testing

@Suite(.supervised) struct FixtureSchemaTests {
    @Test func `the schema is JSON of draft 2020-12`() throws {
        let node = try JSONParser.parse(FixtureSchema.json)
        #expect(node["$schema"]?.string == "https://json-schema.org/draft/2020-12/schema")
        #expect(node["$id"]?.string == "urn:mockapi:stub-file")
        #expect(FixtureSchema.json.hasSuffix("}\n"))
    }

    @Test func `every key has a sentence`() throws {
        for definition in try definitions() {
            for property in definition.value["properties"]?.object?.members ?? [] {
                let text = property.value["description"]?.string ?? ""
                #expect(text.count > 10 && text.hasSuffix("."), "\(definition.name).\(property.name)")
            }
        }
    }

    @Test func `every reference leads somewhere`() throws {
        let names = Set(try definitions().map(\.name))
        let references = FixtureSchema.json.matches(of: /#\/\$defs\/(\w+)/).map { String($0.1) }
        #expect(Set(references) == names)
    }

    private func definitions() throws -> [JSONObject.Member] {
        try #require(FixtureSchema.node["$defs"]?.object?.members)
    }

    private func keys(_ definition: String) throws -> [String] {
        try #require(FixtureSchema.node["$defs"]?[definition]?["properties"]?.object?.members.map(\.name))
    }

    @Test func `the schema has the keys of the format`() throws {
        let common = ["$schema", "id", "name", "metadata"]
        #expect(
            try keys("stub") == common + [
                "priority", "verify", "capture", "request", "response", "responses", "afterLast", "resource",
                "scenarioName", "requiredScenarioState", "newScenarioState", "hold", "recorded", "contract",
                "authentication",
                "rateLimit", "protects", "serveEventListeners",
            ])
        #expect(
            try keys("contractPart") == [
                "needed", "type", "format", "enum", "equals", "minItems", "optional", "nullable", "ignore",
            ])
        #expect(try keys("stubList") == common + ["stubs"])
        #expect(
            try keys("request") == [
                "method", "url", "urlPath", "urlPattern", "urlPathPattern", "urlPathTemplate", "pathParameters", "host",
                "queryParameters", "otherQueryParameters", "headers", "cookies", "basicAuthCredentials", "bodyPatterns",
                "formParameters", "multipartPatterns", "port", "scheme", "clientIp",
            ])
        #expect(
            try keys("response") == [
                "status", "reason", "headers", "headerCharset", "bodyFile", "body", "jsonBody", "base64Body",
                "contentEncoding",
                "defaultContentType", "contentLength", "trailers", "rewriteOrigins", "ranges", "asWritten", "dates",
                "transformers",
                "transformerParameters", "proxyBaseUrl",
                "proxyUrlPrefixToRemove", "additionalProxyRequestHeaders", "removeProxyRequestHeaders",
                "fixedDelayMilliseconds",
                "delayDistribution",
                "chunkedDribbleDelay", "fault", "afterBytes", "bytesPerSecond", "errorCode", "afterThisStream", "scope",
                "faults",
                "delays",
            ])
    }

    /// The reader and the schema are made from one table; this asks the reader itself, key by key.
    @Test(arguments: [
        ("stub", "", #"{KEY, "response": {}}"#), ("request", "/request", #"{"request": {KEY}, "response": {}}"#),
        ("response", "/response", #"{"response": {KEY}}"#),
        ("recorded", "/recorded", #"{"recorded": {KEY}, "response": {}}"#),
        ("contractPart", "/contract/a", #"{"contract": {"a": {KEY}}, "response": {}}"#),
        ("matcher", "/request/host", #"{"request": {"host": {KEY}}, "response": {}}"#),
        ("multiMatcher", "/request/headers/A", #"{"request": {"headers": {"A": {KEY}}}, "response": {}}"#),
        ("bodyMatcher", "/request/bodyPatterns/0", #"{"request": {"bodyPatterns": [{KEY}]}, "response": {}}"#),
        ("authentication", "/authentication", #"{"authentication": {KEY}, "response": {}}"#),
        ("bearer", "/authentication/bearer", #"{"authentication": {"bearer": {KEY}}, "response": {}}"#),
        ("digest", "/authentication/digest", #"{"authentication": {"digest": {KEY}}, "response": {}}"#),
        ("oauth2", "/authentication/oauth2", #"{"authentication": {"oauth2": {KEY}}}"#),
        ("rateLimit", "/rateLimit", #"{"rateLimit": {KEY}, "response": {}}"#),
        ("faultRule", "/response/faults/0", #"{"response": {"faults": [{KEY}]}}"#),
        ("delayRule", "/response/delays/0", #"{"response": {"delays": [{KEY}]}}"#),
        (
            "serveEventListener", "/serveEventListeners/0", #"{"serveEventListeners": [{KEY}], "response": {}}"#
        ),
        (
            "webhook", "/serveEventListeners/0/parameters",
            #"{"serveEventListeners": [{"name": "webhook", "parameters": {KEY}}], "response": {}}"#
        ),
        (
            "retry", "/serveEventListeners/0/parameters/retry",
            #"{"serveEventListeners": [{"name": "webhook", "parameters": {"retry": {KEY}}}], "response": {}}"#
        ),
        ("ruleCondition", "/response/faults/0/when", #"{"response": {"faults": [{"when": {KEY}}]}}"#),
        ("multipart", "/request/multipartPatterns/0", #"{"request": {"multipartPatterns": [{KEY}]}, "response": {}}"#),
        (
            "expression", "/request/host/matchesJsonPath",
            #"{"request": {"host": {"matchesJsonPath": {KEY}}}, "response": {}}"#
        ),
        (
            "credentials", "/request/basicAuthCredentials",
            #"{"request": {"basicAuthCredentials": {KEY}}, "response": {}}"#
        ),
    ])
    func `the reader knows the keys of the schema and no others`(shape: String, pointer: String, text: String) throws {
        let all = Set(try definitions().flatMap { try keys($0.name) })
        let directory = try TemporaryDirectory()
        for key in all {
            let stub = text.replacing("KEY", with: "\"\(key)\": [[]]")
            try directory.write("\(key).stub.json", Array(stub.utf8))
        }
        let unknown = try directory.load().findings.filter {
            $0.text.hasPrefix("unknown key") && "\(pointer)/\($0.place.path)" == "\($0.place.pointer).stub.json"
        }.map { $0.place.path.replacing(".stub.json", with: "") }
        #expect(all.subtracting(unknown) == Set(try keys(shape)).union(shape == "stub" ? ["stubs"] : []))
    }
}
