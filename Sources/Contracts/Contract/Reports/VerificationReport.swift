// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import MockServer
import MockapiReports
import Synchronization

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The results of the expectations of tests, as JUnit XML beside that of the test runner.
package enum VerificationReport {
    /// Names the directory that files are written to; without it none are.
    package static let variable = "MOCKAPI_JUNIT_DIRECTORY"

    /// How often each test, or case of one, has been written by this process.
    private static let written = Mutex<[String: Int]>([:])

    /// Writes a file for one test, or one case of a test with parameters.
    ///
    /// - Parameters:
    ///   - test: the name of the test, which the name of the file is made of.
    ///   - arguments: those of the case; empty where there are none, or they are not known. Cases that are alike are told apart by a number.
    package static func write(
        _ results: [VerificationResult], of test: String, arguments: @autoclosure () -> String = "",
        directory: String? = ProcessInfo.processInfo.environment[variable]
    ) throws {
        guard let directory, !directory.isEmpty else { return }
        let arguments = arguments()
        let number = written.withLock { written in
            written["\(directory)\n\(test)\n\(arguments)", default: 0] += 1
            return written["\(directory)\n\(test)\n\(arguments)", default: 1]
        }
        let parts = [arguments, number > 1 ? "#\(number)" : ""].filter { !$0.isEmpty }
        let suffix = parts.isEmpty ? "" : " [\(parts.joined(separator: " "))]"
        let report = JUnitReport(
            name: test + suffix,
            cases: results.map { result in
                JUnitReport.Case(
                    className: test, name: result.name + suffix, result: result.failure.flatMap(verdict) ?? .pass)
            }, startedAt: Date().timeIntervalSince1970)
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        try Data(report.xml.utf8).write(to: URL(fileURLWithPath: "\(directory)/\(fileName(test))"))
    }

    private static func verdict(_ failure: VerificationFailure) -> JUnitReport.Case.Result? {
        if failure.isWarning { return nil }
        let callSite = failure.callSite.map { "\n\($0.filePath):\($0.line)" } ?? ""
        let heading = failure.text.prefix { $0 != "\n" }
        return .failure(message: String(heading), text: failure.text + callSite)
    }

    /// Cases of one test that run side by side have files of their own.
    private static func fileName(_ test: String) -> String {
        let name = String(test.map { $0.isLetter || $0.isNumber || "-_.".contains($0) ? $0 : "_" }.prefix(150))
        return "TEST-\(name)-\(UUID().uuidString).xml"
    }
}
