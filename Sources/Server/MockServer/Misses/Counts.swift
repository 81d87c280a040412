// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// How much a set of fixtures holds, in words: `412 stubs, 37 files`.
package struct Counts: CustomStringConvertible {
    package let stubs: Int
    package let files: Int

    package init(stubs: Int, files: Int) {
        self.stubs = stubs
        self.files = files
    }

    var isEmpty: Bool { stubs == 0 && files == 0 }

    package var description: String { "\(Self.count(stubs, "stub")), \(Self.count(files, "file"))" }

    /// A number with its noun: `1 stub`, `2 stubs`.
    package static func count(_ number: Int, _ noun: String) -> String {
        "\(number) \(noun)\(number == 1 ? "" : "s")"
    }
}
