// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// The contents of a fixture directory: one load of it, immutable.
package struct FixtureSet: Sendable {
    /// Whose rules the directory is served by.
    package enum Dialect: Sendable {
        case mockapi
        /// A WireMock root: newest wins among equal priorities, whatever the specificity.
        case wireMock
    }

    /// The directory, absolute; of one file, the one that it lies in.
    package var root: String
    package var dialect: Dialect
    /// In byte order of their paths, then in the order of the file.
    package var stubs: [Stub]
    /// In byte order of their paths.
    package var files: [PlainFile]
    /// Sorted.
    package var findings: [Finding]
    /// Whether the texts of every stub's responses are templates.
    package var templatesAll = false
    /// The files that stubs name as their bodies, relative to the directory.
    package var bodyFiles: Set<ExactText> = []
    /// The name of the one file that is served; nil for a whole directory.
    package var soleFile: String?
    /// The stubs and stub files of the directory that the set does not have, in the order of the stubs.
    package var leftOut: [LeftOut]

    /// A stub, or a stub file, that is not served for its errors.
    package struct LeftOut: Sendable {
        package var place: Place
        /// The patterns of the stub, so that their errors are reported with its other ones.
        package var patterns: [Pattern]

        init(place: Place, patterns: [Pattern] = []) {
            self.place = place
            self.patterns = patterns
        }
    }

    package init(
        root: String, dialect: Dialect = .mockapi, stubs: [Stub] = [], files: [PlainFile] = [],
        findings: [Finding] = [], leftOut: [LeftOut] = []
    ) {
        self.root = root
        self.dialect = dialect
        self.stubs = stubs
        self.files = files
        self.findings = findings
        self.leftOut = leftOut
    }
}
