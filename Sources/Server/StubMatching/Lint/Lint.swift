// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiJSONText

/// Finds stubs that stand in each other's way.
struct Lint {
    let set: FixtureSet
    /// The ordinals of the stubs, best rank first.
    let order: [Int]
    let program: Program
    let targets: TargetGroups
    let tables: IndexTables

    /// The warnings, in no order; their number of comparisons is bounded by `LintLimits`.
    func findings() -> [Finding] {
        let unasking = unaskingFindings()
        if set.stubs.count < 2 { return unasking }
        var facts: [UInt32: StubFacts] = [:]
        var families: [String: String]?
        let covered = Reachability(self).coveredRanks(&facts)
        var findings = unasking
        findings += covered.filter { !areTold(stub($0.key), stub($0.value), &families) }.map { rank, better in
            Finding(
                .warning,
                "no request reaches this stub: \(name(better)) answers every request that it matches; remove one of them, or ask more "
                    + "of the other or give it a higher priority number",
                at: stub(rank).place)
        }
        if set.dialect == .mockapi {
            for (rank, better) in Ambiguity(self, leavingOut: Set(covered.keys)).pairs(&facts)
            where !areTold(stub(rank), stub(better), &families) {
                findings.append(
                    Finding(
                        .warning,
                        "a request can match this stub and \(name(better)), which answers only because it stands later; give "
                            + "one of them a priority or one more condition",
                        at: stub(rank).place))
            }
        }
        return findings
    }

    /// Whether recorded stubs are told apart by the digests of their requests.
    ///
    /// - Parameter families: those of all recorded stubs by their keys, once they were asked for.
    private func areTold(_ stub: Stub, _ other: Stub, _ families: inout [String: String]?) -> Bool {
        guard let sent = stub.sent, let others = other.sent, !sent.places.isEmpty, !others.places.isEmpty else {
            return false
        }
        if let group = stub.toldGroup, group == other.toldGroup { return true }
        if sent.group == others.group { return false }
        // Stubs of senders stand beside those for everybody, which exclude each other.
        let known =
            families ?? Dictionary(set.stubs.lazy.compactMap { StubFacts.told($0) }.map { ($0.key, $0.family) }) { $1 }
        families = known
        return known[sent.group].map { $0 == known[others.group] } ?? false
    }

    /// Findings on stubs that ask for nothing, since they have no `request` rather than an empty one.
    private func unaskingFindings() -> [Finding] {
        if set.dialect == .wireMock { return [] }
        return set.stubs.compactMap { stub in
            guard case .any = stub.request.url, !stub.isAdded, !stub.isGuard, stub.request.method == nil,
                stub.request.conditions.isEmpty, let written = stub.source.object?.members,
                written.contains(where: { $0.name == "response" || $0.name == "responses" }),
                !written.contains(where: { $0.name == "request" })
            else { return nil }
            return Finding(
                .warning,
                "a stub without \"request\" answers every request; write {\"urlPath\": \"/…\"}, or {} if every one is meant",
                at: stub.place)
        }
    }

    func stub(_ rank: UInt32) -> Stub { set.stubs[order[Int(rank)]] }

    func facts(_ rank: UInt32, _ known: inout [UInt32: StubFacts]) -> StubFacts {
        if let facts = known[rank] { return facts }
        let facts = StubFacts(stub(rank))
        known[rank] = facts
        return facts
    }

    private func name(_ rank: UInt32) -> String {
        let place = stub(rank).place
        return place.line > 0 ? "\(place.path):\(place.line)" : place.path
    }
}
