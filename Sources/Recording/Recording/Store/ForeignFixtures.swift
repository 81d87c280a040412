// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPSyntax
import MockapiJSONText
import MockapiStubMatching

/// The fixtures of a directory that no recording has written: stubs by hand, and files that are served by their names.
struct ForeignFixtures {
    private let index: StubIndex?
    /// The files of the stubs, and of the others.
    private let paths: (stubs: [String], files: [String])

    init(_ set: FixtureSet) {
        let stubs = set.stubs.filter { $0.source["recorded"]?["key"] == nil }
        paths = (stubs.map(\.place.path), set.files.map(\.path))
        let isEmpty = stubs.isEmpty && set.files.isEmpty
        index = isEmpty ? nil : StubIndex(FixtureSet(root: set.root, stubs: stubs, files: set.files))
    }

    /// The note on a new recording of a request that one of them matches, too; nil if none does.
    func note(on exchange: Exchange) -> String? {
        guard let index else { return nil }
        switch index.match(RequestHead(exchange), body: exchange.requestBody, scratch: MatchScratch()).outcome {
        case .stub(let number):
            return
                "\(paths.stubs[number]) answers this request, too: of two stubs the one of the lower priority, then of more conditions, goes first"
        case .file(let number):
            return "\(paths.files[number]) is served by its name, too: a stub goes before it"
        case .none: return nil
        }
    }
}
