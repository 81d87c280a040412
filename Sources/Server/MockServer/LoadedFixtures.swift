// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import MockapiFixtures
import MockapiHTTPSyntax
import MockapiStubMatching

/// Fixtures as they were loaded, with all that was found wrong with them.
package struct LoadedFixtures: Sendable {
    let served: ServedFixtures

    init(_ served: ServedFixtures) {
        self.served = served
    }

    /// Reads a directory.
    ///
    /// - Throws: `MockServerError` if there is no directory or it cannot be read.
    package init(path: String, wireMock: Bool, templatesAll: Bool = false) throws(MockServerError) {
        self.init(
            ServedFixtures(try FixtureCache.read(path, wireMock: wireMock, templatesAll: templatesAll), generation: 1))
    }

    /// Made of a set that was built, or changed, in memory.
    package init(_ set: FixtureSet) {
        self.init(ServedFixtures(set, generation: 1))
    }

    /// The fixtures that are served.
    package var set: FixtureSet { served.set }

    /// Fixtures without a directory: every request is a miss.
    package static var none: LoadedFixtures { LoadedFixtures(ServedFixtures(FixtureSet(root: ""), generation: 1)) }

    /// The findings on the files and on how the stubs stand to each other, sorted.
    package var findings: [Finding] {
        (served.set.findings + served.index.findings + (emptiness.map { [$0] } ?? [])).sorted()
    }

    /// The findings on patterns that take too long on everyday texts; a server does not wait for them.
    package var dearPatterns: [Finding] { DearPatterns.findings(served.set) }

    /// The finding on a directory with nothing to serve; nil for any other.
    package var emptiness: Finding? {
        guard !root.isEmpty, served.set.stubs.isEmpty, served.set.files.isEmpty, served.set.findings.isEmpty else {
            return nil
        }
        return Finding(
            .warning, "there are no stubs and no files here to be served; mockapi init writes some",
            at: Place(path: "."))
    }

    /// The places of fixtures that are not served for their errors: stubs, and stub files that cannot be read. Sorted.
    package var leftOut: [Place] {
        let places = served.set.leftOut.map(\.place) + served.index.unusable.map { served.set.stubs[$0].place }
        return places.sorted { Finding(.error, "", at: $0) < Finding(.error, "", at: $1) }
    }

    /// The path and media type of the one plain file that is served; nil for a directory, and for a stub file.
    package var soleFile: (path: String, mediaType: String)? {
        guard served.set.soleFile != nil, let file = served.set.files.first else { return nil }
        return (PercentCoding.path(file.requestPaths[0]), file.mediaType)
    }

    package var counts: Counts { Counts(stubs: served.set.stubs.count, files: served.set.files.count) }

    /// The note for its user if responses were recorded for pages of one origin; nil if none were.
    package func originNote(_ names: SettingNames) -> String? { CrossOrigin.note(on: served.set.stubs, names) }

    /// The URLs, or their beginnings, by which stubs make the server reach others.
    package var outgoing: [String] {
        served.set.stubs.flatMap { $0.responses.compactMap(\.proxy?.base) + $0.webhooks.map(\.url) }
    }

    /// The note for its user if stubs make the server reach others; nil if none do.
    ///
    /// - Parameter cure: the setting that prevents it.
    package func outgoingNote(_ cure: String) -> String? {
        var places: [String] = []
        var count = 0
        for stub in served.set.stubs {
            let urls = stub.responses.compactMap(\.proxy?.base) + stub.webhooks.map(\.url)
            if !urls.isEmpty { count += 1 }
            for url in urls {
                let authority = url.split(ascii: "/", maxSplits: 2, omittingEmptySubsequences: true).prefix(2)
                let place = authority.joined(separator: "//").printable
                if !places.contains(place) { places.append(place) }
            }
        }
        guard count > 0 else { return nil }
        let others = places.count > 3 ? " and \(places.count - 3) more" : ""
        return "  \(Counts.count(count, "stub")) \(count == 1 ? "has" : "have") this server reach "
            + "\(places.prefix(3).joined(separator: ", "))\(others); \(cure) keeps it from that"
    }

    /// The directory, absolute.
    package var root: String { served.set.root }
}
