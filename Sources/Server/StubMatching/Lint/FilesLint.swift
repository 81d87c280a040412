// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPSyntax

/// How stubs stand to plain files: which of them files go before, and which hide files that they were hardly meant to.
enum FilesLint {
    /// The priority of a plain file, as of a stub that names none. 5.
    private static let filePriority = 5
    /// Files that are tried with each stub. 1,000.
    private static let fileLimit = 1000

    /// Whether the target of a stub is more than one path.
    private static func isWide(_ stub: Stub) -> Bool {
        switch stub.request.url {
        case .any, .pattern, .pathPattern, .pathTemplate: true
        case .url, .path: false
        }
    }

    /// The stubs that only match requests that no file is served for: of many paths, and with a priority above that of files.
    static func behindFiles(_ set: FixtureSet) -> Set<Int> {
        guard !set.files.isEmpty, set.dialect == .mockapi else { return [] }
        return Set(
            set.stubs.indices.filter { ordinal in
                let stub = set.stubs[ordinal]
                return stub.priority > filePriority && !stub.isAdded && isWide(stub)
            })
    }

    /// Findings on stubs that match in the place of files whatever else a request has.
    static func findings(_ set: FixtureSet, order: [Int], program: Program, behind: Set<Int>) -> [Finding] {
        guard !set.files.isEmpty, set.dialect == .mockapi else { return [] }
        let ranks = order.indices.filter { rank in
            let stub = set.stubs[order[rank]]
            return isWide(stub) && !stub.isAdded && !behind.contains(order[rank]) && asksNothingElse(stub)
        }.prefix(LintLimits.targets)
        if ranks.isEmpty { return [] }
        let scratch = MatchScratch()
        defer { scratch.state.dropBody() }
        var hidden: [Int: [String]] = [:]
        for file in set.files.prefix(fileLimit) {
            let path = "/" + PercentCoding.path(file.path)
            var head = RequestHead()
            head.bytes = Array(path.utf8)
            head.path = ByteRange(0, head.bytes.count)
            head.bytes.withUnsafeBufferPointer { bytes in
                let nothing = Bytes(start: nil, count: 0)
                scratch.state.begin(
                    head, bytes: bytes, fields: .init(start: nil, count: 0), body: nothing, matchesAnyHost: true)
                let first = ranks.first { program.matchesURL(program.entries[UInt32($0)], &scratch.state) }
                if let first { hidden[order[first], default: []].append(file.path) }
            }
        }
        return hidden.map { ordinal, paths in
            let stub = set.stubs[ordinal]
            let others = paths.count > 1 ? " and \(paths.count - 1) more" : ""
            return Finding(
                .warning,
                "no request reaches \(paths[0])\(others): this stub answers before plain files; a \"priority\" above "
                    + "\(filePriority) makes it answer only requests that no file does",
                at: stub.place)
        }
    }

    /// Whether a stub matches every GET for its target.
    private static func asksNothingElse(_ stub: Stub) -> Bool {
        guard stub.request.method == nil || stub.request.method == "GET", stub.request.conditions.isEmpty,
            stub.scenario?.required == nil, stub.access == nil, stub.resource == nil
        else { return false }
        return !stub.isSequence || stub.afterLast != .unmatched
    }
}
