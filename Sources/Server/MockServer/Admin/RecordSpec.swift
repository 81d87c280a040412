// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiJSONText

/// Whether something is recorded.
enum RecordingState: Sendable {
    case neverStarted, stopped
    /// - since: the number of the last request before; later ones are meant.
    /// - proxy: the stub that passes requests on.
    case recording(RecordSpec, since: UInt64, proxy: StubID?)

    var name: String {
        switch self {
        case .neverStarted: "NeverStarted"
        case .stopped: "Stopped"
        case .recording: "Recording"
        }
    }
}

/// The requests to record, and how to write them: the content of WireMock's requests for recordings.
struct RecordSpec: Sendable {
    private static let names: Set = [
        "targetBaseUrl", "filters", "captureHeaders", "requestBodyPattern", "extractBodyCriteria", "outputFormat",
        "persist", "repeatsAsScenarios", "transformers", "transformerParameters",
        // The name that WireMock's client in Java writes.
        "requestBodyPatternFactory",
    ]

    /// The service that requests are passed on to; nil if the stubs that are there do so.
    let targetBaseURL: String?
    /// The pattern of the requests that are meant; nil for all.
    let filters: JSONNode?
    /// The ids of the requests that are meant; nil for all.
    let ids: Set<String>?
    /// Whether requests are meant, too, that were not passed on.
    let takesOwn: Bool
    /// The names of header lines that the stubs ask for, each with whether letters are compared without their case.
    let headers: [(name: String, ignoresCase: Bool)]
    /// Flags of matchers of JSON bodies; nil if they stay as they are recorded.
    let jsonFlags: (ignoresOrder: Bool, ignoresExtra: Bool)?
    /// Bytes of text beyond which a body gets a file; nil for never.
    let textLimit: Int?
    /// The same for all else.
    let binaryLimit: Int?
    let givesIDs: Bool
    /// Whether files are written; nil if the request does not say.
    let isPersistent: Bool?
    /// Whether different responses to a request become a scenario; else the first is taken.
    let hasScenarios: Bool

    init(_ content: [UInt8]) throws(AdminError) {
        let node = content.isEmpty ? JSONNode.object([:]) : try AdminContent.node(content)
        guard let members = node.object?.members else {
            throw .unreadable("expected an object, found \(node.kindName)", at: nil)
        }
        for member in members where !Self.names.contains(member.name) {
            throw .unreadable("unknown key \"\(member.name.printable)\"", at: "/\(member.name)")
        }
        targetBaseURL = try Self.value("targetBaseUrl", of: node, "a text") { $0.string }
        let filters = try Self.value("filters", of: node, "an object") { $0.object }
        let pattern = filters?.members.filter { $0.name != "ids" && $0.name != "allowNonProxied" } ?? []
        self.filters = pattern.isEmpty ? nil : JSONNode(.object(JSONObject(pattern)))
        ids = filters?["ids"]?.array.map { Set($0.compactMap(\.string).map { $0.lowercased() }) }
        if let filters = self.filters { _ = try AdminContent.search(filters) }
        takesOwn = filters?["allowNonProxied"]?.bool ?? false
        let captured = try Self.value("captureHeaders", of: node, "an object") { $0.object }
        headers = (captured?.members ?? []).map { ($0.name, $0.value["caseInsensitive"]?.bool ?? false) }
        let factory = try Self.value("requestBodyPatternFactory", of: node, "an object") { $0.object }
        let body = try Self.value("requestBodyPattern", of: node, "an object") { $0.object } ?? factory
        jsonFlags =
            body?["matcher"]?.string == "equalToJson"
            ? (body?["ignoreArrayOrder"]?.bool ?? true, body?["ignoreExtraElements"]?.bool ?? true) : nil
        let criteria = try Self.value("extractBodyCriteria", of: node, "an object") { $0.object }
        textLimit = try Self.size(criteria?["textSizeThreshold"], at: "textSizeThreshold")
        binaryLimit = try Self.size(criteria?["binarySizeThreshold"], at: "binarySizeThreshold")
        let format = try Self.value("outputFormat", of: node, "\"FULL\" or \"IDS\"") { node in
            node.string.flatMap { ["FULL", "IDS"].contains($0.uppercased()) ? $0.uppercased() : nil }
        }
        givesIDs = format == "IDS"
        isPersistent = try Self.value("persist", of: node, "a truth value", Self.truth)
        hasScenarios = try Self.value("repeatsAsScenarios", of: node, "a truth value", Self.truth) ?? true
    }

    private static func value<Value>(
        _ name: String, of node: JSONNode, _ kind: String, _ read: (JSONNode) -> Value?
    ) throws(AdminError) -> Value? {
        guard let value = node[name], !value.isNull else { return nil }
        guard let result = read(value) else {
            throw .unreadable("expected \(kind), found \(value.kindName)", at: "/\(name)")
        }
        return result
    }

    /// A truth value, or one in quotes.
    private static func truth(_ node: JSONNode) -> Bool? {
        node.bool ?? (node.string == "true" ? true : node.string == "false" ? false : nil)
    }

    /// A number of bytes such as 10240, "2 kb" or "1 Mb".
    private static func size(_ node: JSONNode?, at name: String) throws(AdminError) -> Int? {
        guard let node, !node.isNull else { return nil }
        if let count = node.number?.integer, count >= 0 { return count }
        let text = (node.string ?? "").lowercased().utf8.filter { $0 != 0x20 }
        let digits = text.prefix { (0x30...0x39).contains($0) }
        let powers = ["": 0, "b": 0, "kb": 10, "mb": 20, "gb": 30]
        guard let power = powers[String(decoding: text.dropFirst(digits.count), as: UTF8.self)],
            let count = Int(String(decoding: digits, as: UTF8.self)), count <= Int.max >> power
        else {
            throw .unreadable(
                "expected a size such as \"2 kb\", found \(node.kindName)", at: "/extractBodyCriteria/\(name)")
        }
        return count << power
    }

    /// Whether the journal must be searched for the requests.
    var looksIntoJournal: Bool { filters != nil || ids != nil || takesOwn || !headers.isEmpty }

    /// Whether a body of this size gets a file of its own.
    func extracts(_ count: Int, isText: Bool) -> Bool {
        (isText ? textLimit : binaryLimit).map { count > $0 } ?? false
    }
}
