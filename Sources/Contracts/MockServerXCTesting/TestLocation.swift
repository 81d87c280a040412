// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation

/// The source location of a test case's method, which XCTest does not know: found by its name in the sources.
struct TestLocation {
    /// Files that are looked into; of a project with more, the rest is not. 2,000.
    private static let fileLimit = 2_000
    /// Bytes of a file that is looked into. 1 MiB.
    private static let sizeLimit = 1024 * 1024

    let file: String
    let line: Int

    /// - Parameters:
    ///   - name: as XCTest has it: `FoodTests.testBread`, or `-[AppTests.FoodTests testBread]`.
    ///   - file: the file of the class; nil if it is looked for.
    ///   - folder: where it is looked for.
    /// - Returns: nil if it is not found.
    static func find(_ name: String, in file: String?, or folder: String) -> TestLocation? {
        let words = name.split { "-[]. ()".contains($0) }.map(String.init)
        guard words.count >= 2 else { return nil }
        let (type, method) = (words[words.count - 2], words[words.count - 1])
        if let file {
            return location(of: method, of: type, in: file) ?? TestLocation(file: file, line: 1)
        }
        let paths = FileManager.default.enumerator(atPath: folder)
        var count = 0
        while let path = paths?.nextObject() as? String, count < fileLimit {
            guard path.hasSuffix(".swift") else { continue }
            count += 1
            if let location = location(of: method, of: type, in: "\(folder)/\(path)") { return location }
        }
        return nil
    }

    /// The method after the declaration of its class, or of an extension of that.
    private static func location(of method: String, of type: String, in file: String) -> TestLocation? {
        let size = (try? FileManager.default.attributesOfItem(atPath: file))?[.size] as? Int ?? 0
        guard size <= sizeLimit, let text = try? String(contentsOfFile: file, encoding: .utf8), text.contains(type)
        else { return nil }
        var isInside = false
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            if names(type, behind: ["class ", "extension "], in: line) { isInside = true }
            if isInside, names(method, behind: ["func "], in: line) { return TestLocation(file: file, line: index + 1) }
        }
        return nil
    }

    /// Whether a line declares a name.
    private static func names(_ name: String, behind keywords: [String], in line: Substring) -> Bool {
        keywords.contains { keyword in
            guard let start = line.firstRange(of: keyword)?.upperBound, line[start...].hasPrefix(name) else {
                return false
            }
            let next = line[start...].dropFirst(name.count).first
            return next.map { !$0.isLetter && !$0.isNumber && $0 != "_" } ?? true
        }
    }
}
