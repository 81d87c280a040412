// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPSyntax
import MockapiJSONText

/// The hosts that stubs name: those they ask for, those they were recorded from, and those of origins that they rewrite.
enum FixtureHosts {
    /// In lower case and without ports.
    static func names(of stubs: some Sequence<Stub>) -> Set<String> {
        var names: Set<String> = []
        for stub in stubs {
            if let host = stub.request.host { collect(host, &names) }
            if stub.isRecorded, let origin = stub.source["recorded"]?["from"]?.string {
                names.formUnion(self.host(of: origin))
            }
            for origin in stub.responses.flatMap(\.rewriteOrigins) { names.formUnion(host(of: origin)) }
        }
        return names
    }

    /// The host of `https://api.example.com:8443`; none if the text is not an origin.
    private static func host(of origin: String) -> [String] {
        let authority = Array(
            origin.utf8.drop { $0 != ASCII.slash }.drop { $0 == ASCII.slash }.prefix { $0 != ASCII.slash })
        return authority.isEmpty
            ? [] : [String(decoding: Authority.host(authority[...]), as: UTF8.self).lowercased()]
    }

    private static func collect(_ matcher: ValueMatcher, _ names: inout Set<String>) {
        switch matcher {
        case .equalTo(let host, _):
            names.insert(host.split(ascii: ":").first.map { $0.lowercased() } ?? host.lowercased())
        case .and(let parts), .or(let parts):
            for part in parts { collect(part, &names) }
        default: break
        }
    }
}
