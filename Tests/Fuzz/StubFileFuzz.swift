// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPSyntax
import MockapiJSONText
import MockapiMatchingSupport
import MockapiMetering

@testable import MockapiStubMatching

/// A stub file of any bytes is read and checked; what it holds is asked, and explained.
enum StubFileFuzz {
    static func take(_ bytes: UnsafeBufferPointer<UInt8>) {
        let text = Array(bytes)
        let added = AddedStub(text, label: "a.stub.json", number: 0, root: "")
        for finding in added.findings { _ = finding.description }
        guard let stub = added.stub else { return }
        let index = StubIndex(FixtureSet(root: "/", stubs: [stub]))
        for finding in index.findings { _ = finding.description }
        let scratch = MatchScratch()
        for (method, target) in [("GET", "/"), ("POST", "/a/b?x=1&y=%20"), (stub.request.method ?? "PUT", "/a%2Fb/")] {
            let head = RequestHead.make(
                method, target, headers: [("accept", "*/*"), ("cookie", "a=b; c")], host: "a:1")
            // A body that matches is not kept.
            _ = index.match(head, body: text, matchesAnyHost: false, scratch: scratch, keepsBody: true) { _ in false }
            let paid = scratch.state.budget.meter.paid
            precondition(paid <= Meter.units, "a request takes more work than it may")
            let isRead: Bool
            switch scratch.state.json {
            case .broken, .value: isRead = true
            case .unread, .tooLarge, .tooMuchWork: isRead = scratch.state.hasForm && scratch.state.form.count > 0
            }
            precondition(!isRead || paid >= text.count, "a body is read that is not paid for")
            let result = index.match(head, body: text, matchesAnyHost: false, scratch: scratch)
            let misses = index.nearMisses(for: head, body: text, matchesAnyHost: false, scratch: scratch)
            for miss in misses { for difference in miss.differences { _ = difference.text } }
            if result.outcome == .stub(0) {
                precondition(misses.first?.differences.isEmpty == true, "a stub that matches differs")
            }
        }
    }
}
