// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Fixtures

/// The hosts that the stubs of a set name.
enum FixtureHosts {
    /// In lower case and without ports.
    static func names(_ set: FixtureSet) -> Set<String> {
        var names: Set<String> = []
        for stub in set.stubs {
            if let host = stub.request.host { collect(host, &names) }
        }
        return names
    }

    private static func collect(_ matcher: ValueMatcher, _ names: inout Set<String>) {
        switch matcher {
        case .equalTo(let host, _):
            names.insert(host.split(separator: ":").first.map { $0.lowercased() } ?? host.lowercased())
        case .and(let parts), .or(let parts):
            for part in parts { collect(part, &names) }
        default: break
        }
    }
}
