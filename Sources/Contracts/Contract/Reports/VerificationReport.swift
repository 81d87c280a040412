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
    ///   - arguments: those of the case; empty if there are none, or they are not known. Cases that are alike are told apart by a number.
    package static func write(
        _ results: [VerificationResult], of test: String, arguments: @autoclosure () -> String = "",
        directory: String? = ProcessInfo.processInfo.environment[variable]
    ) throws {
        try write(
            results.map { ($0.name, $0.failure.flatMap(verdict) ?? .pass) }, of: test, arguments: arguments(),
            directory: directory)
    }

    /// Writes a file for one test whose server did not start, so that a reader of the files alone does not take the test for passed.
    package static func write(
        unstarted error: any Error, of test: String, arguments: @autoclosure () -> String = "",
        directory: String? = ProcessInfo.processInfo.environment[variable]
    ) throws {
        let text = "\(error)"
        let heading = text.prefix { $0 != "\n" }
        try write(
            [("the server starts", .error(message: String(heading), text: text))], of: test, arguments: arguments(),
            directory: directory)
    }

    private static func write(
        _ cases: [(name: String, result: JUnitReport.Case.Result)], of test: String,
        arguments: @autoclosure () -> String, directory: String?
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
            cases: cases.map { JUnitReport.Case(className: test, name: $0.name + suffix, result: $0.result) },
            startedAt: Date().timeIntervalSince1970)
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
