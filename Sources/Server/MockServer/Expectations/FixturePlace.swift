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
    ///   - path: absolute, or relative to the folder of the file, or else to a folder above it, as far as the root of its package.
    ///   - file: the test's file; nil if only the working directory is known, and the package that the executable was built in.
    ///   - isMade: whether a directory that is nowhere is going to be made, beside the file.
    ///   - executable: the path of the running one.
    /// - Throws: `MockServerError` that names the places looked at.
    package static func find(
        _ path: String, besideFile file: String?, isMade: Bool = false,
        executable: String? = CommandLine.arguments.first
    ) throws(MockServerError) -> String {
        if path.hasPrefix("/") { return path }
        let folder =
            file.map { URL(fileURLWithPath: $0).deletingLastPathComponent() }
            ?? URL(fileURLWithPath: FileManager.default.currentDirectoryPath)
        var folders = Self.folders(from: folder)
        if file == nil, let executable {
            let built = URL(fileURLWithPath: executable).deletingLastPathComponent()
            if let root = Self.folders(from: built).last, root != built, !folders.contains(root) {
                folders.append(root)
            }
        }
        let places = folders.map { $0.appendingPathComponent(path).path }
        if let found = places.first(where: { FileManager.default.fileExists(atPath: $0) }) { return found }
        if isMade { return places[0] }
        throw MockServerError(
            .directoryUnusable("there are no fixtures \"\(path)\": looked at \(places.joined(separator: " and "))"))
    }

    /// A folder and those above it, as far as the root of its package; it alone if it is in none.
    private static func folders(from start: URL) -> [URL] {
        var folders = [start]
        var folder = start
        while folder.path != "/" {
            if FileManager.default.fileExists(atPath: folder.appendingPathComponent("Package.swift").path) {
                return folders
            }
            folder = folder.deletingLastPathComponent()
            folders.append(folder)
        }
        return [start]
    }
}
