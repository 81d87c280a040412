// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPSyntax
import MockapiJSONText
import MockapiMatchingSupport
import MockapiMetering

@testable import MockapiStubMatching

/// A template and a path with a line end between them, taken as a template and as a pattern: a short template agrees with trying every
/// way to cut the path, and nothing traps.
enum TargetFuzz {
    static func take(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let cut = bytes.firstIndex(of: 10) else { return }
        let path = Array(bytes[(cut + 1)...])
        guard path.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != 0x3F && $0 != 0x23 }),
            let text = String(validating: bytes[..<cut], as: UTF8.self)
        else { return }
        let target = "/" + String(decoding: path, as: UTF8.self)
        let urls: [URLMatcher] = [
            .pathTemplate("/" + text), .pathPattern(Pattern("/" + text)), .pattern(Pattern(text)), .url("/" + text),
        ]
        let stubs = urls.enumerated().map { place, url in
            Stub.make("\(place).stub.json", RequestPattern(url: url), priority: 1 + place)
        }
        let index = StubIndex(FixtureSet(root: "/", stubs: stubs))
        for finding in index.findings { _ = finding.description }
        let scratch = MatchScratch()
        let head = RequestHead.make("GET", target)
        let result = index.match(head, scratch: scratch)
        let paid = scratch.state.budget.meter.paid
        precondition(paid <= Meter.units, "a request takes more work than it may")
        // The literals of a template and a whole target are compared once, in the bounds of a head; a pattern reads on.
        let isOfPattern = result.outcome == .stub(1) || result.outcome == .stub(2)
        precondition(!isOfPattern || paid * 4 + 64 >= target.utf8.count, "a pattern reads what it does not pay for")
        let loop = MatchScratch(isOnLoop: true)
        let soon = index.match(head, scratch: loop)
        precondition(loop.state.budget.meter.paid <= Meter.onLoop, "a request takes more of a loop than it may")
        precondition(soon == result || loop.isCut, "a loop finds something else")
        for miss in index.nearMisses(for: head, scratch: scratch) {
            for difference in miss.differences { _ = difference.text }
        }
        guard text.utf8.count <= 12, target.utf8.count <= 12, text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }),
            !text.contains("{}"), !text.contains("***")
        else { return }
        let fits = TemplateOracle.variables("/" + text, target) != nil
        precondition(fits == (result.outcome == .stub(0)), "a template disagrees with trying every way")
    }
}
