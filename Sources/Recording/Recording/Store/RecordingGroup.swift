// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Responses that are prepared, and written together: all files are synchronised in one round.
struct RecordingGroup {
    struct Member {
        let exchange: Exchange
        /// The request before it was told apart from the same one of another sender.
        let asked: DerivedRequest
        let recording: Recording
        let prepared: RecordingWriter.Prepared
        /// Its files that are called by names which were free.
        let names: [String]
        /// Where its outcome stands among those of the group.
        let position: Int
    }

    private(set) var members: [Member] = []
    private(set) var transaction: FileTransaction
    /// The keys by which the requests are found.
    private var keys: Set<String> = []
    /// The indices of new recordings, by the shapes of their requests, which leave out random-looking values; the first
    /// of each.
    private var shapes: [String: Int] = [:]

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
        let origin = member.exchange.origin
        if let shape = RequestShape(member.recording.request.node, origin: origin), shapes[shape.key] == nil {
            shapes[shape.key] = members.count
        }
        members.append(member)
        transaction.add(member.prepared.transaction)
        // Senders are told apart by what is recorded of all that have asked the same.
        for request in [member.asked, member.recording.request] {
            keys.formUnion(Self.keys(of: request, origin: origin))
        }
    }

    /// A recording about to be written whose request differs in random-looking values only.
    func like(_ shape: RequestShape) -> Recording? {
        shapes[shape.key].map { members[$0].recording }
    }

    private static func keys(of request: DerivedRequest, origin: String) -> [String] {
        [
            request.key, RequestKey.of(request.node, origin: ""),
            request.base,
        ]
    }
}
