// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import MockServer

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What the expectations of tests came to, as JUnit XML beside that of the test runner.
package enum VerificationReport {
    /// Names the directory that files are written to; without it none are.
    package static let variable = "MOCKAPI_JUNIT_DIRECTORY"

    /// Writes a file for one test.
    ///
    /// - Parameter test: the name of the test, which the name of the file is made of.
    package static func write(
        _ results: [VerificationResult], of test: String,
        directory: String? = ProcessInfo.processInfo.environment[variable]
    ) throws {
        guard let directory, !directory.isEmpty else { return }
        let report = JUnitReport(
            name: test,
            cases: results.map { result in
                JUnitReport.Case(className: test, name: result.name, result: result.failure.flatMap(verdict) ?? .pass)
            }, startedAt: Date().timeIntervalSince1970)
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        try Data(report.xml.utf8).write(to: URL(fileURLWithPath: "\(directory)/\(fileName(test))"))
    }

    private static func verdict(_ failure: VerificationFailure) -> JUnitReport.Case.Result? {
        if failure.isWarning { return nil }
        let place = failure.place.map { "\n\($0.filePath):\($0.line)" } ?? ""
        let heading = failure.text.prefix { $0 != "\n" }
        return .failure(message: String(heading), text: failure.text + place)
    }

    /// Cases of one test that run side by side have files of their own.
    private static func fileName(_ test: String) -> String {
        let name = String(test.map { $0.isLetter || $0.isNumber || "-_.".contains($0) ? $0 : "_" }.prefix(150))
        return "TEST-\(name)-\(UUID().uuidString).xml"
    }
}
