// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPSyntax

extension DigestPattern: TestedLeaf {
    func tester(_: inout PatternLibrary) throws(BrokenOperand) -> any ValueTester { DigestTester(digest: text) }
}

/// Compares the SHA-256 of a value with another. A large body takes its time, as an engine does.
struct DigestTester: ValueTester {
    let digest: String

    func passes(_ value: Bytes, isBody: Bool, _ program: Program, _ state: inout RequestState) -> Bool {
        if SHA256.text(of: UnsafeRawBufferPointer(value)) == digest { return true }
        guard isBody, let sent = state.sentBody else { return false }
        return SHA256.text(of: sent) == digest
    }

    func mismatch(_ value: Bytes, isBody: Bool, _ program: Program, _ state: inout RequestState) -> Mismatch? {
        Mismatch(found: SHA256.text(of: UnsafeRawBufferPointer(value)))
    }
}
