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

/// Lists the files of a fixture directory in byte order of their paths.
///
/// Names that start with a dot are left out, but for `.well-known` (RFC 8615), which holds a host's well-known resources. Symbolic
/// links are followed inside the directory, never out of it and never round. A link that is itself found by way of a link leads to each
/// directory once: else a few links to each other would make a small directory one without end.
struct DirectoryWalk {
    /// How many files and directories are listed: links that lead to each other can make a small directory a large one.
    static let entryLimit = 1_000_000
    /// How many of them are listed by way of links.
    static let linkedLimit = 100_000
    /// Bytes of the files that links lead to again. 256 MiB: each has a name of its own, under which it is read.
    static let repeatedLimit = 256 * 1024 * 1024
    /// Bytes that another name of a file counts for, unless it is JSON, which may be read as stubs. 32 KiB: the rest is not read again.
    private static let heldLimit = 32 * 1024

    /// The directory's real path.
    private let root: String
    private let limit: Int
    private(set) var files: [FileEntry] = []
    private(set) var findings: [Finding] = []
    /// The directories that hold the one being listed, itself included.
    private var ancestors: [FileIdentity] = []
    private var count = 0
    /// How many of the directories that hold the one being listed were reached by links.
    private var linkDepth = 0
    private var linkedCount = 0
    /// The directories that links within linked directories have led to.
    private var linked: Set<FileIdentity> = []
    /// The files that links have led to, and the bytes of those that they led to again.
    private var linkedFiles: Set<FileIdentity> = []
    private var repeatedBytes = 0

    private struct Item {
        var name: String
        var status: FileStatus
        var isLink = false
        /// The name as it sorts: a directory's with `/`, so that its files sort like their paths.
        var order: String { status.kind == .directory ? name + "/" : name }
    }

    /// - Parameter root: a real path, without links.
    init(root: String, status: FileStatus, limit: Int = entryLimit) {
        self.root = root
        self.limit = limit
        listAll(status)
    }

    init(_ source: FixtureLoader.Source) {
        root = source.path
        limit = Self.entryLimit
        if let file = source.file {
            files = [FileEntry(path: file, status: source.status)]
        } else {
            listAll(source.status)
        }
    }

    private mutating func listAll(_ status: FileStatus) {
        list("", status: status)
        if count > limit {
            report(.error, "more than \(limit) files and directories; the rest is left out", at: ".")
        }
        if linkedCount > Self.linkedLimit {
            report(
                .error,
                "more than \(Self.linkedLimit) files and directories by way of symbolic links; the rest is left out",
                at: ".")
        }
        if repeatedBytes > Self.repeatedLimit {
            report(
                .error,
                "symbolic links lead again to files of more than 256 MiB that they have led to before; the rest is left out",
                at: ".")
        }
    }

    /// Takes the files that a recording is about to move into place as if they were there already.
    mutating func take(_ unfinished: UnfinishedRecording) {
        let gone = Set(unfinished.moves.map { ExactText($0.path) } + unfinished.removals.map { ExactText($0) })
        files.removeAll { gone.contains(ExactText($0.path)) }
        for move in unfinished.moves {
            let part = "\(UnfinishedRecording.folder)/\(move.part)"
            // One that is no longer there has been moved since the list was read.
            guard let status = FileStatus(path: "\(root)/\(part)") ?? FileStatus(path: "\(root)/\(move.path)") else {
                continue
            }
            files.append(FileEntry(path: move.path, status: status, part: part))
        }
        files.sort { $0.path.precedesInBytes($1.path) }
    }

    private mutating func report(_ severity: Finding.Severity, _ text: String, at path: String) {
        findings.append(Finding(severity, text, at: Place(path: path)))
    }

    private func absolute(_ path: String) -> String { path.isEmpty ? root : "\(root)/\(path)" }

    private mutating func list(_ directory: String, status: FileStatus) {
        guard let (items, leftOut) = items(of: directory) else { return }
        reportCase(of: items, in: directory)
        ancestors.append(status.identity)
        count(leftOut)
        for item in items {
            count(1)
            if isFull { break }
            let path = directory.isEmpty ? item.name : "\(directory)/\(item.name)"
            if item.status.kind == .directory {
                if item.isLink {
                    if linkDepth > 0, !linked.insert(item.status.identity).inserted {
                        report(
                            .warning,
                            "the symbolic link lies behind another link, and leads to a directory that a link has led to before; it is not followed",
                            at: path)
                        continue
                    }
                    linkDepth += 1
                }
                list(path, status: item.status)
                if item.isLink { linkDepth -= 1 }
            } else {
                if linkDepth > 0 || item.isLink { noteLinked(path, item.status) }
                if isFull { break }
                files.append(FileEntry(path: path, status: item.status))
            }
        }
        ancestors.removeLast()
    }

    private var isFull: Bool {
        count > limit || linkedCount > Self.linkedLimit || repeatedBytes > Self.repeatedLimit
    }

    private mutating func count(_ names: Int) {
        count += names
        if linkDepth > 0 { linkedCount += names }
    }

    private mutating func noteLinked(_ path: String, _ status: FileStatus) {
        if linkedFiles.insert(status.identity).inserted { return }
        repeatedBytes += path.fileExtension == "json" ? status.size : min(status.size, Self.heldLimit)
    }

    /// The files and directories of a directory, links followed, in order, and how many other names it has, `.` and `..` aside; nil if it cannot
    /// be read.
    private mutating func items(of directory: String) -> ([Item], leftOut: Int)? {
        guard let stream = opendir(absolute(directory)) else {
            let error = SystemError.last("opendir")
            // It was there when its parent was listed.
            if error.isMissing, !directory.isEmpty { return nil }
            report(.error, "the directory cannot be read: \(error.words)", at: directory)
            return nil
        }
        defer { closedir(stream) }
        var items: [Item] = []
        var names = 0
        while let entry = readdir(stream) {
            names += 1
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 1) { characters -> String? in
                    let isLeftOut =
                        characters.pointee == CChar(UInt8(ascii: ".")) && strcmp(characters, HiddenName.wellKnown) != 0
                    return isLeftOut ? nil : self.name(characters, in: directory)
                }
            }
            guard let name else { continue }
            var status = stat()
            guard fstatat(dirfd(stream), name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { continue }
            let path = directory.isEmpty ? name : "\(directory)/\(name)"
            guard let target = target(of: FileStatus(status), at: path) else { continue }
            items.append(Item(name: name, status: target, isLink: FileStatus(status).kind == .link))
        }
        return (
            items.map { ($0.order, $0) }.sorted { $0.0.precedesInBytes($1.0) }.map(\.1), max(0, names - items.count - 2)
        )
    }

    private mutating func name(_ characters: UnsafePointer<CChar>, in directory: String) -> String? {
        if let name = String(validatingCString: characters) { return name }
        let shown = String(cString: characters)
        report(
            .error, "the name is not UTF-8; rename the file", at: directory.isEmpty ? shown : "\(directory)/\(shown)")
        return nil
    }

    /// The status of an entry, or of the target of a link; nil, with a finding, if it is of no use.
    private mutating func target(of status: FileStatus, at path: String) -> FileStatus? {
        switch status.kind {
        case .file, .directory:
            return status
        case .other:
            report(.warning, "neither a file nor a directory; it is left out", at: path)
            return nil
        case .link:
            guard let real = realpath(absolute(path), nil) else {
                report(.warning, "the symbolic link leads nowhere: \(SystemError.lastWords)", at: path)
                return nil
            }
            defer { free(real) }
            let target = String(cString: real)
            guard target == root || target.hasPrefix(root == "/" ? root : root + "/") else {
                report(.warning, "the symbolic link leads out of the fixture directory and is not followed", at: path)
                return nil
            }
            guard let status = FileStatus(path: target) else {
                report(.warning, "the symbolic link leads nowhere: \(SystemError.lastWords)", at: path)
                return nil
            }
            if status.kind == .directory, isRound(status, at: path) {
                report(
                    .warning, "the symbolic link leads back to a directory that holds it and is not followed", at: path)
                return nil
            }
            return self.target(of: status, at: path)
        }
    }

    /// Whether a directory is one of those that hold the path: those above, or the one being listed.
    private func isRound(_ status: FileStatus, at path: String) -> Bool {
        let identity = status.identity
        return ancestors.contains(identity)
            || FileStatus(path: absolute(String(path.directory)))?.identity == identity
    }

    /// Names of one directory that some file systems take for the same.
    private mutating func reportCase(of items: [Item], in directory: String) {
        var seen: [String: String] = [:]
        seen.reserveCapacity(items.count)
        for item in items {
            if let other = seen.updateValue(item.name, forKey: item.name.lowercased()) {
                let what = other == item.name ? "in how its accents are written (Unicode NFC and NFD)" : "in case"
                report(
                    .warning, "differs from \"\(other)\" only \(what); some file systems take the two for one",
                    at: directory.isEmpty ? item.name : "\(directory)/\(item.name)")
            }
        }
    }
}

extension FixtureLoader {
    /// The paths of all files of a directory, relative to it, as a load finds them.
    package static func paths(of root: String) -> [String] {
        FileStatus(path: root).map { DirectoryWalk(root: root, status: $0).files.map(\.path) } ?? []
    }
}
