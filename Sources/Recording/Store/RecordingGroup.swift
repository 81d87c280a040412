// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Answers that are prepared, and written together: all files are synchronised in one round.
struct RecordingGroup {
    struct Member {
        let exchange: Exchange
        let recording: Recording
        let prepared: RecordingWriter.Prepared
        /// Its files that are called by names which were free.
        let names: [String]
        /// Where its outcome stands among those of the group.
        let position: Int
    }

    private(set) var members: [Member] = []
    private(set) var transaction: FileTransaction
    /// What the requests are found by.
    private var keys: Set<String> = []

    /// - Parameter root: the fixture directory, a real path.
    init(root: String) {
        transaction = FileTransaction(root: root)
    }

    /// Whether what is recorded of a request is about to be written.
    func touches(_ request: DerivedRequest, origin: String) -> Bool {
        !keys.isDisjoint(with: Self.keys(of: request, origin: origin))
    }

    func holds(_ position: Int) -> Bool {
        members.last?.position == position
    }

    mutating func add(_ member: Member) {
        members.append(member)
        transaction.add(member.prepared.transaction)
        keys.formUnion(Self.keys(of: member.recording.request, origin: member.exchange.origin))
    }

    private static func keys(of request: DerivedRequest, origin: String) -> [String] {
        [
            request.key, RequestKey.of(request.node, origin: ""),
            RequestKey.sent(request.node, lines: request.headers, origin: origin),
        ]
    }
}
