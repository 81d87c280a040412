// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures

extension FixtureSet {
    /// Adds stubs written in code; oddities of them are with the findings then.
    ///
    /// - Parameter number: the number of the first of them; the others follow.
    /// - Returns: the handlers that compute their responses, by the ids that they have here.
    /// - Throws: `MockServerError` with every finding if one has an error.
    @discardableResult
    mutating func add(_ stubs: [MockStub], from number: Int) throws(MockServerError) -> [String: StubHandler] {
        var added: [Stub] = []
        var errors: [Finding] = []
        var warnings: [Finding] = []
        var handlers: [String: StubHandler] = [:]
        for (index, stub) in stubs.enumerated() {
            let read = AddedStub(
                stub.text, label: stub.label, number: number + index, root: root, templatesAll: templatesAll)
            errors += read.findings.filter { $0.severity == .error }
            warnings += read.findings.filter { $0.severity == .warning }
            if let written = read.stub {
                added.append(written)
                handlers[written.id] = stub.handler
            } else if read.findings.isEmpty {
                errors.append(Finding(.error, "expected one stub; write each by itself", at: Place(path: stub.label)))
            }
        }
        guard errors.isEmpty else { throw MockServerError(.fixturesUnusable(findings: errors.map(\.description))) }
        self.stubs += added
        findings += warnings
        return handlers
    }
}
