// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPSyntax
import MockapiMetering

extension DigestPattern: TestedLeaf {
    func tester(_: inout PatternLibrary) throws(BrokenOperand) -> any ValueTester { DigestTester(digest: text) }
}

extension RequestState {
    /// The digests of the body, as it is seen and as it was sent: made once per request.
    fileprivate var bodyDigests: [String] {
        mutating get {
            if let known = documents["sha256"] as? [String] { return known }
            guard budget.meter.pay(body.count + (sentBody?.count ?? 0)) else {
                givenUp.insert(.digest)
                return []
            }
            let digests =
                [SHA256.text(of: UnsafeRawBufferPointer(body))] + (sentBody.map { [SHA256.text(of: $0)] } ?? [])
            documents["sha256"] = digests
            return digests
        }
    }
}

/// Compares the SHA-256 of a value with another. A large body takes its time, as an engine does.
struct DigestTester: ValueTester {
    let digest: String
    var kind: GivenUp { .digest }

    func passes(_ value: Bytes, isBody: Bool, _ program: Program, _ state: inout RequestState) -> Bool {
        if isBody { return state.bodyDigests.contains(digest) }
        guard state.budget.meter.pay(value.count) else {
            state.givenUp.insert(kind)
            return false
        }
        return SHA256.text(of: UnsafeRawBufferPointer(value)) == digest
    }

    func mismatch(_ value: Bytes, isBody: Bool, _ program: Program, _ state: inout RequestState) -> Mismatch? {
        Mismatch(found: SHA256.text(of: UnsafeRawBufferPointer(value)))
    }
}
