// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Fixtures
import JSONText

/// The delays of all responses, as WireMock's global settings have them.
struct SettingsAdmin {
    private let core: ServerCore

    init(_ core: ServerCore) {
        self.core = core
    }

    func resource(_ body: [UInt8]) -> AdminAPI.Resource {
        AdminAPI.Resource(methods: ["GET", "POST", "PUT"]) { (method, _) throws(AdminError) in
            if method == "GET" { return .node(node) }
            try set(body)
            return .node(.object([:]))
        }
    }

    private var node: JSONNode {
        let value = core.globalDelay.value
        var members: [JSONObject.Member] = []
        if value.fixedMilliseconds > 0 {
            members.append(.init(name: "fixedDelay", value: .integer(value.fixedMilliseconds)))
        }
        if let distribution = value.distribution {
            members.append(.init(name: "delayDistribution", value: distribution.node))
        }
        members.append(.init(name: "extended", value: .object([:])))
        members.append(.init(name: "proxyPassThrough", value: .bool(true)))
        return .object(["settings": JSONNode(.object(JSONObject(members)))])
    }

    /// Replaces all: what is left out is none.
    private func set(_ body: [UInt8]) throws(AdminError) {
        let content = try AdminContent.node(body, limit: AdminContent.shortLimit)
        let settings = content["settings"] ?? content
        guard settings.object != nil else { throw AdminError(422, "expected an object") }
        var response: [JSONObject.Member] = []
        if let fixed = settings["fixedDelay"], !fixed.isNull {
            response.append(.init(name: "fixedDelayMilliseconds", value: fixed))
        }
        if let distribution = settings["delayDistribution"], !distribution.isNull {
            response.append(.init(name: "delayDistribution", value: distribution))
        }
        let text = JSONWriter.compact(.object(["response": JSONNode(.object(JSONObject(response)))]))
        let read = AddedStub(ofAdmin: text, label: "", number: 0, root: "", templatesAll: false, replacing: nil)
        guard let delay = read.stub?.responses.first?.delay else { throw AdminError(read.findings, below: "/response") }
        core.globalDelay.set(delay)
    }
}

extension ResponseDelay.Distribution {
    fileprivate var node: JSONNode {
        switch self {
        case .fixed(let milliseconds):
            return .object(["type": .string("fixed"), "milliseconds": .integer(milliseconds)])
        case .uniform(let lower, let upper):
            return .object(["type": .string("uniform"), "lower": .integer(lower), "upper": .integer(upper)])
        case .lognormal(let median, let sigma, let maximum):
            var members: [JSONObject.Member] = [
                .init(name: "type", value: .string("lognormal")), .init(name: "median", value: .double(median)),
                .init(name: "sigma", value: .double(sigma)),
            ]
            if let maximum { members.append(.init(name: "maxValue", value: .double(maximum))) }
            return JSONNode(.object(JSONObject(members)))
        }
    }
}
