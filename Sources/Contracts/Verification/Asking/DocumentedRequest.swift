// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPSyntax
import MockapiJSONText

/// The request of a fixture, as it is looked up in a document.
extension VerifiedFixture {
    /// Why it has no response of its own; nil if it has one.
    var noResponseReason: String? {
        guard let stub else { return nil }
        if stub.resource != nil { return "resources" }
        if stub.responses.allSatisfy({ $0.proxy != nil }) { return "answers of another server" }
        if stub.responses.allSatisfy({ $0.fault != nil }) { return "faults" }
        return stub.responses.allSatisfy { $0.fault != nil || $0.proxy != nil }
            ? "faults and answers of another server" : nil
    }

    /// The method that it matches; nil for any.
    var method: String? {
        guard let stub else { return "GET" }
        return recorded?["request"]?.string.flatMap { $0.split(ascii: " ").first.map(String.init) }
            ?? stub.request.method
    }

    /// The paths that a plain file is served at, the shortest last.
    var paths: [String] {
        guard case .file(let file) = source else { return [] }
        return file.requestPaths.map { $0.replacing(bytesOf: "%", with: "%25") }
    }

    /// The path, raw, and the names in the query; nil if they are not known.
    var documentedPlace: Result<(path: String, query: [String]?, isTemplate: Bool), Unclear> {
        guard let stub else { return .success((paths.first ?? "/\(path)", [], false)) }
        func place(_ target: some StringProtocol) -> (path: String, query: [String]?, isTemplate: Bool) {
            let sides = target.split(ascii: "?", maxSplits: 1)
            let query = Array((sides.dropFirst().first ?? "").utf8)
            let names = QueryText.pairs(of: query).map { QueryText.decoded($0.name) }
            return (String(sides.first ?? "/"), names, false)
        }
        if let label = recorded?["request"]?.string {
            let parts = label.split(ascii: " ", maxSplits: 1)
            if parts.count == 2 { return .success(place(parts[1])) }
        }
        let names: [String] = stub.request.queryParameters.compactMap { parameter in
            if case .single(.absent) = parameter.matcher { nil } else { parameter.name }
        }
        switch stub.request.url {
        case .url(let target): return .success(place(target))
        case .path(let path): return .success((path, names, false))
        case .pathTemplate(let template): return .success((template, names, true))
        case .any: return .failure(Unclear(text: "it answers to any URL"))
        case .pattern, .pathPattern: return .failure(Unclear(text: "it answers to a pattern of URLs"))
        }
    }
}
