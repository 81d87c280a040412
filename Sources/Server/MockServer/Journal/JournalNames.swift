// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures

/// The names that the journal keeps of the stub or file that matched a request: laid out at load, and nothing of its
/// contents.
///
/// An entry has them in its own bytes, so that no set of fixtures outlives its use for the journal's sake.
struct JournalNames: Sendable {
    /// The most bytes of a stub's name; the rest is cut off. 1 KiB.
    private static let nameLimit = 1024

    /// File, id and name, one after the other.
    let bytes: [UInt8]
    let fileSize: Int32
    let idSize: Int32
    /// Negative for a stub without a name, and for a file.
    let nameSize: Int32

    init(_ stub: Stub) {
        self.init(file: stub.place.path, id: stub.id, name: stub.name)
    }

    init(_ file: PlainFile) {
        self.init(file: file.path, id: "", name: nil)
    }

    private init(file: String, id: String, name: String?) {
        let name = name.map { $0.utf8.prefix(Self.nameLimit) }
        bytes = Array(file.utf8) + Array(id.utf8) + (name.map { Array($0) } ?? [])
        fileSize = Int32(file.utf8.count)
        idSize = Int32(id.utf8.count)
        nameSize = name.map { Int32($0.count) } ?? -1
    }
}
