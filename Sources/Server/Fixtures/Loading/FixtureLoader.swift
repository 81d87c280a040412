// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiSystemIO

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Loads fixture directories: the rules of the fixture format that are about files.
package enum FixtureLoader {
    /// Reads a directory, or one file, once; mistakes inside of it are in the set's findings, and fixtures with an error are left out.
    ///
    /// - Parameters:
    ///   - root: the directory, or the one file of it that is served; a relative path is one of the working directory.
    ///   - wireMock: whether to read it by WireMock's rules whatever it looks like.
    ///   - templatesAll: whether the texts of every stub's responses are templates.
    /// - Throws: `FixtureError` if it is not there or cannot be read.
    package static func load(
        root: String, wireMock: Bool = false, templatesAll: Bool = false
    ) throws(FixtureError) -> FixtureSet {
        let source = try resolve(root)
        let mark = ReadingMark(root: source.path)
        defer { withExtendedLifetime(mark) {} }
        let unfinished = (try? UnfinishedRecording.read(in: source.path)) ?? nil
        var walk = DirectoryWalk(source)
        if let unfinished, source.file == nil { walk.take(unfinished) }
        var load = FixtureLoad(source, walk: walk, wireMock: wireMock, templatesAll: templatesAll)
        return load.fixtureSet()
    }

    /// A directory that is served, or one file of it.
    struct Source {
        /// The directory's real path.
        let path: String
        /// Of the directory, or of the file.
        let status: FileStatus
        /// The name of the file if it alone is served.
        var file: String?
    }

    static func resolve(_ root: String) throws(FixtureError) -> Source {
        guard let real = realpath(root, nil) else { throw failure(.last("realpath"), root) }
        defer { free(real) }
        let path = String(cString: real)
        guard let status = FileStatus(path: path) else { throw failure(.last("stat"), root) }
        if status.kind == .file {
            // By the name that was given, which may be a link.
            let folder = root.directory.isEmpty ? (root.hasPrefix("/") ? "/" : ".") : String(root.directory)
            guard let real = realpath(folder, nil) else { throw failure(.last("realpath"), folder) }
            defer { free(real) }
            return Source(path: String(cString: real), status: status, file: String(root.fileName))
        }
        guard status.kind == .directory else { throw FixtureError(path: root, reason: .notADirectory) }
        guard let stream = opendir(path) else { throw failure(.last("opendir"), root) }
        closedir(stream)
        return Source(path: path, status: status)
    }

    /// How many names of a directory are compared with a missing name.
    private static let nameLimit = 10_000

    /// A directory beside a missing one with nearly its name, as it would be given.
    private static func near(_ root: String) -> String? {
        let path = root.hasSuffix("/") ? String(root.dropLast()) : root
        let isAlone = !path.utf8.contains(UInt8(ascii: "/"))
        let parent = isAlone ? "." : "\(path.directory)/"
        guard let stream = opendir(parent) else { return nil }
        defer { closedir(stream) }
        var names: [String] = []
        var count = 0
        while count < nameLimit, let entry = readdir(stream) {
            count += 1
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 1) { String(validatingCString: $0) }
            }
            guard let name, !name.hasPrefix("."), FileStatus(path: "\(parent)/\(name)")?.kind == .directory else {
                continue
            }
            names.append(name)
        }
        guard let word = Nearest.word(to: String(path.fileName), among: names.sorted { $0.precedesInBytes($1) }),
            word.isNear
        else { return nil }
        return isAlone ? word.word : "\(parent)\(word.word)"
    }

    private static func failure(_ error: SystemError, _ root: String) -> FixtureError {
        if error.isMissing { return FixtureError(path: root, reason: .missing, near: near(root)) }
        if error.isNotADirectory { return FixtureError(path: root, reason: .notADirectory) }
        return FixtureError(path: root, reason: .unreadable(error.words))
    }
}
