// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// What a fixture directory holds: one load of it, immutable.
package struct FixtureSet: Sendable {
    /// Whose rules the directory is served by.
    package enum Dialect: Sendable {
        case mockapi
        /// A WireMock root: newest wins among equal priorities, whatever the specificity.
        case wireMock
    }

    /// The directory, absolute.
    package var root: String
    package var dialect: Dialect
    /// In byte order of their paths, then in the order of the file.
    package var stubs: [Stub]
    /// In byte order of their paths.
    package var files: [PlainFile]
    /// Sorted.
    package var findings: [Finding]

    package init(
        root: String, dialect: Dialect = .mockapi, stubs: [Stub] = [], files: [PlainFile] = [], findings: [Finding] = []
    ) {
        self.root = root
        self.dialect = dialect
        self.stubs = stubs
        self.files = files
        self.findings = findings
    }
}
