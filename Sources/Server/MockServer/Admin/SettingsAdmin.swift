// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiJSONText
import Synchronization

/// The delays of all responses, as WireMock's global settings have them.
struct SettingsAdmin {
    private let core: ServerCore

    init(_ core: ServerCore) {
        self.core = core
    }

    func resource(_ body: [UInt8]) -> AdminResource {
        let replace: AdminResource.Action = { (_) throws(AdminError) in
            try set(body)
            return .node(.object([:]))
        }
        return AdminResource(get: { _ in .node(node) }, post: replace, put: replace)
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
        members.append(.init(name: "extended", value: JSONNode(.object(core.extendedSettings.withLock { $0 }))))
        members.append(.init(name: "proxyPassThrough", value: .bool(core.passesProxied.load(ordering: .relaxed))))
        return .object(["settings": JSONNode(.object(JSONObject(members)))])
    }

    /// Replaces all: a setting that is left out is unset.
    private func set(_ body: [UInt8]) throws(AdminError) {
        let content = try AdminContent.node(body, limit: AdminContent.shortLimit)
        let settings = content["settings"] ?? content
        guard let members = settings.object?.members else { throw .unreadable("expected an object", at: nil) }
        for member in members where !Self.names.contains(member.name) {
            throw .unreadable("unknown key \"\(member.name.printable)\"", at: "/\(member.name)")
        }
        var response = ObjectWriter()
        if let fixed = settings["fixedDelay"], !fixed.isNull { response.add(.fixedDelayMilliseconds, fixed) }
        if let distribution = settings["delayDistribution"], !distribution.isNull {
            response.add(.delayDistribution, distribution)
        }
        var stub = ObjectWriter()
        stub.add(.response, response.node)
        let text = JSONWriter.compact(stub.node)
        let read = AddedStub(ofAdmin: text, label: "", number: 0, root: "", templatesAll: false, replacing: nil)
        guard let delay = read.stub?.responses.first?.delay else {
            throw AdminError(read.findings, below: "/response").naming("/fixedDelayMilliseconds", "/fixedDelay")
        }
        core.globalDelay.set(delay)
        core.passesProxied.store(settings["proxyPassThrough"]?.bool ?? false, ordering: .relaxed)
        core.extendedSettings.withLock { $0 = settings["extended"]?.object ?? JSONObject() }
    }

    private static let names: Set = ["fixedDelay", "delayDistribution", "extended", "proxyPassThrough"]
    /// Bytes that all extended settings may have together. 64 KiB.
    private static let extendedLimit = 64 * 1024

    /// The settings that clients keep here for themselves: PATCH adds members, and replaces those of the same name.
    func extended(_ body: [UInt8]) -> AdminResource {
        AdminResource(patch: { (_) throws(AdminError) in
            let content = try AdminContent.node(body, limit: AdminContent.shortLimit)
            guard let changes = content["extended"]?.object else {
                throw .unreadable("expected {\"extended\": {…}}", at: "/extended")
            }
            let isTooMuch = core.extendedSettings.withLock { settings in
                let names = Set(changes.members.map(\.name))
                let merged = JSONObject(settings.members.filter { !names.contains($0.name) } + changes.members)
                guard JSONWriter.compact(JSONNode(.object(merged))).count <= Self.extendedLimit else { return true }
                settings = merged
                return false
            }
            if isTooMuch { throw AdminError(422, "extended settings are \(Self.extendedLimit / 1024) KiB at most") }
            return .node(.object([:]))
        })
    }
}
