// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// A session's facts on the stubs that it writes, so that a further step of one costs no look at those before it.
struct WrittenStubs {
    private struct Known {
        /// The steps, by digests of their bodies.
        var steps: [Fingerprint: [Int]] = [:]
        /// How many steps are among them.
        var count = 0
        /// Whether the file was looked through for secrets, all but the steps that come now.
        var isLookedThrough = false
    }

    /// Keyed by their files and their places in these.
    private var stubs: [String: Known] = [:]

    /// Whether nothing but a step that is added can hold a secret which the session has not seen.
    func isLookedThrough(_ stub: RecordedStub) -> Bool { stubs[Self.place(stub)]?.isLookedThrough ?? false }

    /// Takes note of a step of a stub whose file holds no secrets.
    mutating func note(_ stub: RecordedStub, step: Int) {
        var known = stubs.removeValue(forKey: Self.place(stub)) ?? Known()
        known.isLookedThrough = true
        if stub.steps.indices.contains(step), step < known.count { Self.add(step, of: stub, to: &known) }
        known.count = min(known.count, stub.steps.count)
        stubs[Self.place(stub)] = known
    }

    /// The file of the first step up to a step that has a body of the same bytes, as the stub names it; nil if there is none.
    mutating func file(with body: BodyContent, of stub: RecordedStub, upTo last: Int) -> String? {
        var known = stubs.removeValue(forKey: Self.place(stub)) ?? Known()
        for step in known.count..<max(known.count, stub.steps.count) { Self.add(step, of: stub, to: &known) }
        known.count = stub.steps.count
        let candidates = known.steps[Self.digest(body)] ?? []
        stubs[Self.place(stub)] = known
        let step = candidates.first { step in
            step <= last && stub.steps.indices.contains(step) && stub.steps[step].response.bodyFile != nil
                && stub.steps[step].response.body.hasSameBytes(as: body)
        }
        return step.flatMap { stub.steps[$0].response.bodyFile }
    }

    /// Forgets the stubs of files that are no more.
    mutating func forget(_ paths: [String]) {
        for path in paths { stubs[path] = nil }
    }

    private static func add(_ step: Int, of stub: RecordedStub, to known: inout Known) {
        let response = stub.steps[step].response
        guard response.bodyFile != nil else { return }
        known.steps[digest(response.body), default: []].append(step)
    }

    private static func digest(_ body: BodyContent) -> Fingerprint {
        var hash = StreamHash()
        body.forEachPiece { piece in
            hash.combine(piece)
            return true
        }
        return hash.value
    }

    private static func place(_ stub: RecordedStub) -> String {
        stub.ordinal.map { "\(stub.path)#\($0)" } ?? stub.path
    }
}
