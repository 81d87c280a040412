// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPSyntax
import MockapiJSONText
import MockapiMetering

@testable import MockapiStubMatching

/// A template and a path with a line end between them, taken as a template and as a pattern: a short template agrees with trying every
/// way to cut the path, and nothing traps.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let bytes = UnsafeBufferPointer(start: start, count: count)
    guard let cut = bytes.firstIndex(of: 10) else { return 0 }
    let path = Array(bytes[(cut + 1)...])
    guard path.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != 0x3F && $0 != 0x23 }),
        let text = String(validating: bytes[..<cut], as: UTF8.self)
    else { return 0 }
    let target = "/" + String(decoding: path, as: UTF8.self)
    let stubs = [
        Stub.make("a.stub.json", RequestPattern(url: .pathTemplate("/" + text)), priority: 1),
        Stub.make("b.stub.json", RequestPattern(url: .pathPattern(Pattern("/" + text))), priority: 2),
        Stub.make("c.stub.json", RequestPattern(url: .pattern(Pattern(text))), priority: 3),
        Stub.make("d.stub.json", RequestPattern(url: .url("/" + text)), priority: 4),
    ]
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
    else { return 0 }
    let fits = TemplateOracle.variables("/" + text, target) != nil
    precondition(fits == (result.outcome == .stub(0)), "a template disagrees with trying every way")
    return 0
}
