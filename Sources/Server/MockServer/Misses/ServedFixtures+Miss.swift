// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPSyntax
import MockapiStubMatching

extension ServedFixtures {
    /// The miss of an unmatched request, with the stubs and files nearest to it.
    func miss(
        _ head: borrowing RequestHead, _ body: [UInt8], matchesAnyHost: Bool, methods: [String],
        scratch: MatchScratch, reusesBody: Bool = false
    ) -> Miss {
        let method = head.string(head.method)
        let type = head.fields.first { head.equalsIgnoringCase($0.name, "content-type") }
        let content = Miss.Content(
            count: body.count, bytes: body.count <= Miss.Content.limit ? body : [],
            mediaType: type.map { head.string($0.value) } ?? "")
        // A guard does not respond to requests that it lets in, and is near to everything that it protects.
        let near = index.nearMisses(
            for: head, body: body, matchesAnyHost: matchesAnyHost, scratch: scratch,
            reusesBody: reusesBody, limit: Miss.nearestLimit + guards.count)
        var miss = Miss(
            method: method, target: head.string(head.target), path: head.string(head.path), content: content,
            fixtures: set,
            nearest: Array(near.filter { !isGuard($0) }.prefix(Miss.nearestLimit)),
            allowed: methods.contains(method) ? [] : methods)
        miss.isHandshake = head.fields.contains {
            head.equalsIgnoringCase($0.name, "upgrade") && head.equalsIgnoringCase($0.value, "websocket")
        }
        miss.unserved = unserved(miss)
        return miss
    }

    /// Why the file that lies at the path of a request is not served; nil if there is none.
    private func unserved(_ miss: Miss) -> String? {
        guard miss.allowed.isEmpty, miss.method == "GET" || miss.method == "HEAD" else { return nil }
        let path = PercentCoding.decode(miss.path.utf8.dropFirst())
        return set.unservedReason(of: String(decoding: path, as: UTF8.self))?.printable
    }

    private func isGuard(_ near: NearMiss) -> Bool {
        if case .stub(let ordinal) = near.subject { guards.contains(ordinal) } else { false }
    }

    /// The methods that the target of a request is known under.
    func allowedMethods(
        _ head: borrowing RequestHead, matchesAnyHost: Bool, scratch: MatchScratch
    ) -> [String] {
        if head.equals(head.target, "*") { return PlainResponse.allMethods }
        let methods = index.methods(for: head, matchesAnyHost: matchesAnyHost, scratch: scratch)
        return methods.isEmpty || methods.contains("OPTIONS") ? methods : (methods + ["OPTIONS"]).sorted()
    }

    /// The stub that would match a request, among those after the first so many; nil if none of them would.
    func stub(for head: borrowing RequestHead, body: [UInt8], from first: Int, matchesAnyHost: Bool) -> String? {
        guard first < set.stubs.count else { return nil }
        let result = index.match(
            head, body: body, matchesAnyHost: matchesAnyHost, scratch: MatchScratch()
        ) { $0 >= first }
        guard case .stub(let ordinal) = result.outcome, ordinal >= first else { return nil }
        return set.stubs[ordinal].place.path
    }

    /// The text for a client whose request matches nothing.
    func explanation(of head: borrowing RequestHead, body: [UInt8], matchesAnyHost: Bool) -> String {
        let scratch = MatchScratch()
        let methods = allowedMethods(head, matchesAnyHost: matchesAnyHost, scratch: scratch)
        return MissReport(miss(head, body, matchesAnyHost: matchesAnyHost, methods: methods, scratch: scratch)).text
    }
}
