// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiJSONText

/// Which stubs a test has to use: an unused one fails it.
public enum StubVerification: Sendable {
    /// No stub has to be used.
    case none
    /// Those that are written in code.
    case stubsInCode
    /// Those of files, too.
    case allStubs
}

/// Which stubs were used.
struct StubUsage {
    /// How many stubs a failure lists. 10.
    private static let shown = 10

    private let stubs: [Stub]
    private let used: Set<String>
    /// The requests that must not come, as stubs have them.
    private let never: Set<[UInt8]>

    /// - Parameters:
    ///   - used: the ids of those that were used.
    ///   - never: requests that are expected never: a stub for them is there to see that they do not come.
    init(_ stubs: [Stub], used: Set<String>, never: [RequestMatch] = []) {
        self.stubs = stubs
        self.used = used
        self.never = Set(never.map { JSONWriter.compact($0.node) })
    }

    /// Nil if no stub has to be used.
    func unused(_ verification: StubVerification) -> VerificationResult? {
        let asked: [Stub]
        switch verification {
        case .none: return nil
        case .stubsInCode: asked = stubs.filter { $0.isAdded && !isForbidden($0) }
        case .allStubs: asked = stubs.filter { !$0.isGuard && !isForbidden($0) }
        }
        let unused = asked.filter { !used.contains($0.id) }
        return VerificationResult(
            name: "every stub is used",
            failure: unused.isEmpty
                ? nil : VerificationFailure(kind: .unused, text: text(unused, of: asked.count), callSite: nil))
    }

    private func isForbidden(_ stub: Stub) -> Bool {
        !never.isEmpty && stub.source["request"].map { never.contains(JSONWriter.compact($0)) } ?? false
    }

    private func text(_ unused: [Stub], of count: Int) -> String {
        var lines = ["\(unused.count) of \(Counts.count(count, "stub")) answered nothing:"]
        lines += unused.prefix(Self.shown).map { "     \(Self.line($0))" }
        if unused.count > Self.shown { lines.append("     and \(unused.count - Self.shown) more") }
        return lines.joined(separator: "\n")
    }

    private static func line(_ stub: Stub) -> String {
        let url =
            stub.resource?.collection
            ?? stub.request.url.key.flatMap { stub.source["request"]?[$0]?.string } ?? "any URL"
        return "\(stub.place.path): \(stub.request.method ?? "ANY") \(url)".printable
    }

    /// The stubs that were used and are too old.
    func expired(_ age: RecordingAge, now: Double) -> [VerificationResult] {
        stubs.compactMap { stub in
            guard used.contains(stub.id), let text = age.text(on: stub, now: now) else { return nil }
            let path = stub.place.path.printable
            return VerificationResult(
                name: "\(path) is recent",
                failure: VerificationFailure(
                    kind: .expired, text: "\(path) \(text)", callSite: nil, isWarning: !age.fails))
        }
    }
}
