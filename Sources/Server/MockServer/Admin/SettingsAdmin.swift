// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiJSONText

/// The delays of all responses, as WireMock's global settings have them.
struct SettingsAdmin {
    private let core: ServerCore

    init(_ core: ServerCore) {
        self.core = core
    }

    func resource(_ body: [UInt8]) -> AdminAPI.Resource {
        let replace: AdminAPI.Resource.Action = { (_) throws(AdminError) in
            try set(body)
            return .node(.object([:]))
        }
        return AdminAPI.Resource(get: { _ in .node(node) }, post: replace, put: replace)
    }

    private var node: JSONNode {
        let value = core.globalDelay.value
        var members: [JSONObject.Member] = []
        if value.fixedMilliseconds > 0 {
            members.append(.init(name: "fixedDelay", value: .integer(value.fixedMilliseconds)))
        }
        if let distribution = value.distribution {
            members.append(.init(name: "delayDistribution", value: StubWriter.distribution(distribution)))
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
        var response = ObjectWriter()
        if let fixed = settings["fixedDelay"], !fixed.isNull { response.add(.fixedDelayMilliseconds, fixed) }
        if let distribution = settings["delayDistribution"], !distribution.isNull {
            response.add(.delayDistribution, distribution)
        }
        var stub = ObjectWriter()
        stub.add(.response, response.node)
        let text = JSONWriter.compact(stub.node)
        let read = AddedStub(ofAdmin: text, label: "", number: 0, root: "", templatesAll: false, replacing: nil)
        guard let delay = read.stub?.responses.first?.delay else { throw AdminError(read.findings, below: "/response") }
        core.globalDelay.set(delay)
    }
}
