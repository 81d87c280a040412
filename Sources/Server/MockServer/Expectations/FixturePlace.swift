// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Finds the fixtures that a test names.
package enum FixturePlace {
    /// - Parameters:
    ///   - path: absolute, or relative to the folder of the file, or else to the root of its package.
    ///   - file: the test's file; nil where only the working directory is known.
    ///   - isMade: whether a directory that is nowhere is going to be made, beside the file.
    /// - Throws: `MockServerError` that names the places looked at.
    package static func find(
        _ path: String, besideFile file: String?, isMade: Bool = false
    ) throws(MockServerError) -> String {
        if path.hasPrefix("/") { return path }
        let folder =
            file.map { URL(fileURLWithPath: $0).deletingLastPathComponent() }
            ?? URL(fileURLWithPath: FileManager.default.currentDirectoryPath)
        var places = [folder.appendingPathComponent(path).path]
        if let root = packageRoot(above: folder) {
            places.append(root.appendingPathComponent(path).path)
        }
        if let found = places.first(where: { FileManager.default.fileExists(atPath: $0) }) { return found }
        if isMade { return places[0] }
        throw MockServerError(
            .directoryUnusable("there are no fixtures \"\(path)\": looked at \(places.joined(separator: " and "))"))
    }

    private static func packageRoot(above folder: URL) -> URL? {
        var folder = folder
        while folder.path != "/" {
            if FileManager.default.fileExists(atPath: folder.appendingPathComponent("Package.swift").path) {
                return folder
            }
            folder = folder.deletingLastPathComponent()
        }
        return nil
    }
}
