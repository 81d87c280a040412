// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText
import MockapiTestSupport
import Testing

@testable import MockapiFixtures

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What is written is read to the same.
@Suite(.supervised) struct StubWriterTests {
    /// A request as it is read of what is written, as a stub of its own.
    private func reread(_ request: JSONNode) throws -> RequestPattern {
        let text = JSONWriter.compact(StubWriter.stub(request: request, steps: [.object([:])]))
        let read = AddedStub(text, label: "written.stub.json", number: 0, root: "")
        let errors = read.findings.filter { $0.severity == .error }
        return try #require(read.stub, "\(errors) of \(String(decoding: text, as: UTF8.self))").request
    }

    private func text(_ node: JSONNode) -> String { String(decoding: JSONWriter.compact(node), as: UTF8.self) }

    // MARK: Round trips

    @Test func `every condition with every matcher is read as it was before it was written`() throws {
        for pattern in PatternSamples.patterns {
            let written = StubWriter.request(pattern)
            let again = try reread(written)
            #expect(modelText(again) == modelText(pattern), "\(text(written))")
            #expect(text(StubWriter.request(again)) == text(written))
        }
    }

    @Test func `every response is read as it was before it was written`() {
        for response in PatternSamples.responses {
            let written = StubWriter.response(response)
            let again = ResponseDefinition(reading: written)
            #expect(modelText(again) == modelText(response), "\(text(written))")
            #expect(text(StubWriter.response(again)) == text(written))
        }
    }

    @Test func `a response that is written is served as it was before`() throws {
        for response in PatternSamples.responses {
            if case .file = response.content { continue }
            let stub = StubWriter.stub(request: .object([:]), steps: [StubWriter.response(response)])
            let read = AddedStub(JSONWriter.compact(stub), label: "written", number: 0, root: "")
            #expect(read.findings.filter { $0.severity == .error } == [], "\(text(stub))")
            let served = try #require(read.stub?.responses.first)
            #expect(served.status == response.status && served.reason == response.reason)
            #expect(served.delay == response.delay && served.fault == response.fault)
            #expect(served.trailers == response.trailers && served.contentEncoding == response.contentEncoding)
        }
    }

    @Test func `the stubs of the sample, of the documentation and of all tests are written as they were read`() throws {
        var requests = 0
        var responses = 0
        for written in try Corpus.texts() {
            guard let node = try? JSONParser.parse(written), node.object != nil else { continue }
            for stub in node["stubs"]?.array ?? [node] {
                let read = AddedStub(JSONWriter.compact(stub), label: "a.stub.json", number: 0, root: "")
                if let request = read.stub?.request, stub["request"] != nil {
                    requests += 1
                    let once = StubWriter.request(request)
                    let again = try reread(once)
                    #expect(modelText(again) == modelText(request), "\(text(once))")
                    #expect(text(StubWriter.request(again)) == text(once))
                }
                for response in stub["responses"]?.array ?? stub["response"].map({ [$0] }) ?? [] {
                    responses += 1
                    let definition = ResponseDefinition(reading: response)
                    let once = StubWriter.response(definition)
                    let again = ResponseDefinition(reading: once)
                    #expect(modelText(again) == modelText(definition), "\(text(once))")
                    #expect(text(StubWriter.response(again)) == text(once))
                }
            }
        }
        #expect(requests > 100)
        #expect(responses > 200)
    }

    // MARK: The table

    /// The names of all members, at any depth.
    private func names(in node: JSONNode) -> Set<String> {
        let members = node.object?.members ?? []
        let inner = (node.array ?? []) + members.map(\.value)
        return inner.reduce(Set(members.map(\.name))) { $0.union(names(in: $1)) }
    }

    private func known(_ shapes: [ObjectShape]) -> Set<String> {
        Set(shapes.flatMap { $0.keys.filter(\.isKnown).map(\.name) })
    }

    @Test func `every key of a request and of its matchers is written for some pattern`() {
        let written = PatternSamples.patterns.reduce(Set<String>()) { $0.union(names(in: StubWriter.request($1))) }
        let keys = known([.request, .credentials, .multipart, .expression, .matcher, .multiMatcher, .bodyMatcher])
        // Those that name a file have tests of their own: what they are compared with is not in the stub.
        #expect(keys.subtracting(written) == Set(FileMatcher.allCases.map(\.rawValue)))
    }

    @Test func `every key of a response is written for some definition, or stays where it is`() {
        let written = PatternSamples.responses.reduce(Set<String>()) { $0.union(names(in: StubWriter.response($1))) }
        let keys = known([.response, .delayDistribution, .chunkedDribbleDelay])
        // Nobody makes these but people.
        #expect(
            keys.subtracting(written) == [
                "transformers", "transformerParameters", "proxyBaseUrl", "proxyUrlPrefixToRemove",
                "additionalProxyRequestHeaders", "removeProxyRequestHeaders", "faults", "delays", "asWritten", "dates",
            ])
    }

    @Test(arguments: KeyName.allCases) func `every name that can be written is a key of the table`(name: KeyName) {
        let tables = ObjectShape.allCases.flatMap(\.keys)
        #expect(tables.contains { $0.name == name.rawValue && $0.isKnown })
    }

    // MARK: Awkward values

    private func request(_ conditions: RequestPattern.Condition...) -> RequestPattern {
        var pattern = RequestPattern(url: .pathTemplate("/{id}"))
        pattern.conditions = conditions
        return pattern
    }

    @Test func `the order is that of the conditions, those on one part together`() {
        let pattern = request(
            .header(.init("a", .single(.absent))), .port(80), .header(.init("b", .single(.absent))),
            .body(.value(.absent)), .scheme("http"), .body(.value(.anything)))
        #expect(
            text(StubWriter.request(pattern))
                == #"{"urlPathTemplate":"/{id}","headers":{"a":{"absent":true},"b":{"absent":true}},"port":80,"#
                + #""bodyPatterns":[{"absent":true},{"anything":"anything"}],"scheme":"http"}"#)
    }

    @Test func `cookies and variables of one name are asked together`() throws {
        let pattern = request(
            .pathParameter(.init("id", .absent)), .pathParameter(.init("id", .anything)),
            .cookie(.init("c", .contains("a"))), .cookie(.init("c", .contains("b"))),
            .cookie(.init("c", .contains("c"))))
        let written = StubWriter.request(pattern)
        #expect(
            written["cookies"].map(text)
                == #"{"c":{"and":[{"and":[{"contains":"a"},{"contains":"b"}]},{"contains":"c"}]}}"#)
        #expect(
            written["pathParameters"].map(text) == #"{"id":{"and":[{"absent":true},{"anything":"anything"}]}}"#)
        #expect(text(StubWriter.request(try reread(written))) == text(written))
    }

    @Test(arguments: ["ab", "AB", "aB", "a-b"]) func `header lines of one name differ in the case of letters`(
        name: String
    ) throws {
        let line = RequestPattern.Condition.header(.init(name, .hasExactly([.absent])))
        let written = StubWriter.request(request(line, line, line, line))
        let names = (written["headers"]?.object?.members ?? []).map(\.name)
        #expect(names.first == name)
        #expect(Set(names).count == 4)
        #expect(try reread(written).headers.map(\.name) == Array(repeating: name.lowercased(), count: 4))
    }

    @Test func `what the format cannot say twice is a finding of the reader`() {
        let parameter = RequestPattern.Condition.queryParameter(.init("a", .single(.absent)))
        let line = RequestPattern.Condition.header(.init("1", .single(.absent)))
        for (pattern, name) in [(request(parameter, parameter), "a"), (request(line, line), "1")] {
            let stub = StubWriter.stub(request: StubWriter.request(pattern), steps: [.object([:])])
            let read = AddedStub(JSONWriter.compact(stub), label: "x", number: 0, root: "")
            #expect(read.findings.map(\.text) == ["repeated key \"\(name)\""])
            #expect(read.stub == nil)
        }
    }

    @Test func `names that look alike and are not stay apart`() throws {
        let names = ["é", "e\u{301}"]
        let pattern = request(.cookie(.init(names[0], .absent)), .cookie(.init(names[1], .absent)))
        let again = try reread(StubWriter.request(pattern))
        #expect(again.cookies.map { Array($0.name.utf8) } == names.map { Array($0.utf8) })
    }

    @Test(arguments: ["{} // a comment", "{'a': 1}", "", "{\"a\": 1,}"])
    func `text that is not JSON comes to the reader as it was said`(operand: String) throws {
        let matcher = StubWriter.equalToJSON(.string(operand), ignoreArrayOrder: false, ignoreExtraElements: false)
        #expect(matcher["equalToJson"]?.string == operand)
        let request: JSONNode = .object(["bodyPatterns": .array([matcher])])
        let text = JSONWriter.compact(StubWriter.stub(request: request, steps: [.object([:])]))
        let read = AddedStub(text, label: "x", number: 0, root: "")
        let finding = try #require(read.findings.first)
        #expect(finding.text.hasPrefix("this string is not JSON: "))
        #expect(finding.place.pointer == "/request/bodyPatterns/0/equalToJson")
    }

    @Test func `a pattern that does not compile is written as any other`() throws {
        let pattern = request(.header(.init("a", .single(.matches(Pattern("(["))))))
        #expect(text(StubWriter.request(pattern)).hasSuffix(#""headers":{"a":{"matches":"(["}}}"#))
        guard case .single(.matches(let read))? = try reread(StubWriter.request(pattern)).headers.first?.matcher else {
            Issue.record("expected a pattern")
            return
        }
        #expect(read.text == "([")
    }

    @Test func `an error code is written by its name where it has one`() {
        func code(_ code: UInt32) -> String? {
            var response = ResponseDefinition()
            response.fault = .resetStream(code: code, afterBytes: nil)
            return StubWriter.response(response)["errorCode"].map(text)
        }
        #expect(code(8) == "\"CANCEL\"")
        #expect(code(13) == "\"HTTP_1_1_REQUIRED\"")
        #expect(code(14) == "14")
        #expect(code(.max) == "4294967295")
    }
}

/// The stub files of this package, and those in the texts of its tests and its documentation.
private enum Corpus {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    static func texts() throws -> [String] {
        try ["Fixtures", "Tests", "docs", "Benchmarks"].flatMap { name in
            // A copy of the package has links in their places.
            let folder = root.appendingPathComponent(name).resolvingSymlinksInPath()
            let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
            return try names.sorted().flatMap { name in try texts(in: folder.appendingPathComponent(name)) }
        }
    }

    private static func texts(in file: URL) throws -> [String] {
        func whole() throws -> String { String(decoding: try Data(contentsOf: file), as: UTF8.self) }
        switch file.pathExtension {
        case "json": return file.lastPathComponent.hasSuffix(".stub.json") ? [try whole()] : []
        case "swift": return try whole().matches(of: /#"(\{.*?\})"#/).map { String($0.1) }
        case "md": return try whole().matches(of: /```json\n((?s).*?)```/).map { String($0.1) }
        default: return []
        }
    }
}
