// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax
import MockapiJSONText
import MockapiSystemIO

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The changes that a recording has begun to make, by the list that it writes before it moves the first file.
///
/// From then on its responses are recorded: a reader that comes while files are moved, or after the recording
/// was killed, reads the files that are still to be moved where they lie. So a response's head and its body are of one recording at
/// every moment.
package struct UnfinishedRecording: Sendable {
    /// Where a recording keeps the files that are not in their places yet.
    package static let folder = ".mockapi-recording"
    /// The list of the moves, in that folder.
    package static let list = "commit"
    /// The prefix of the names of the other files in that folder.
    package static let partPrefix = "part-"
    /// Bytes of a list; a longer list is not ours. 16 MiB.
    private static let listLimit = 16 * 1024 * 1024
    /// Bytes that a file is known by, beside its size. 64 KiB.
    private static let knownBytes = 64 * 1024

    /// Why a recording into this directory cannot have written a list, or why the list must not be carried out any more.
    package struct Problem: Error {
        package let text: String
    }

    /// A file of the folder and its place; those that are in their places are left out.
    package private(set) var moves: [(part: String, path: String)] = []
    /// The paths of the files that are removed then.
    package private(set) var removals: [String] = []

    /// The list in a directory; nil if there is none.
    ///
    /// A checkout may hold a list that no recording wrote: it counts only if it is whole and inside.
    /// - Parameter root: a real path.
    package static func read(in root: String) throws(Problem) -> UnfinishedRecording? {
        guard FileStatus(link: "\(root)/\(folder)")?.kind == .directory,
            let status = FileStatus(link: "\(root)/\(folder)/\(list)")
        else { return nil }
        guard status.kind == .file, status.size <= listLimit else {
            throw Problem(text: "it is not a list of a recording")
        }
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try FileReader.read("\(root)/\(folder)/\(list)", limit: listLimit).bytes
        } catch {
            // All is in its place by now.
            if error.isMissing { return nil }
            throw Problem(text: "it cannot be read: \(error.words)")
        }
        guard let node = try? JSONParser.parse(bytes), let moves = node["moves"]?.array,
            let removals = node["removals"]?.array
        else { throw Problem(text: "it is not a list of a recording") }
        var unfinished = UnfinishedRecording()
        for node in moves { try unfinished.add(move: node, in: root) }
        for node in removals { try unfinished.add(removal: node, in: root) }
        return unfinished
    }

    /// The text of a list.
    ///
    /// - Parameter root: the directory, whose files are as they were before.
    package static func text(moves: [(part: String, path: String)], removals: [String], in root: String) -> [UInt8] {
        let known = { (path: String) in fingerprint(of: "\(root)/\(path)").map { JSONNode.string($0) } ?? .null }
        return JSONWriter.compact(
            .object([
                "moves": .array(moves.map { .array([.string($0.part), .string($0.path), known($0.path)]) }),
                "removals": .array(removals.map { .array([.string($0), known($0)]) }),
            ]))
    }

    private mutating func add(move node: JSONNode, in root: String) throws(Problem) {
        guard let list = node.array, list.count == 3, let part = list[0].string, let path = list[1].string,
            part.hasPrefix(Self.partPrefix), !part.utf8.contains(where: { $0 == 0 || $0 == UInt8(ascii: "/") })
        else { throw Problem(text: "it moves a file that no recording has written") }
        try Self.check(path, in: root)
        let file = "\(root)/\(Self.folder)/\(part)"
        if FileStatus(link: file)?.kind == .file {
            if Self.fingerprint(of: "\(root)/\(path)") == list[2].string { return moves.append((part, path)) }
            // A recording that is under way may have moved it since; else somebody has edited the file that it replaces.
            guard FileStatus(link: file) == nil else { throw Problem(text: "\(path) has changed since") }
        }
        // One that was carried out has left its file there.
        guard FileStatus(link: "\(root)/\(path)")?.kind == .file else {
            throw Problem(text: "\(part) is missing, and so is \(path)")
        }
    }

    private mutating func add(removal node: JSONNode, in root: String) throws(Problem) {
        guard let list = node.array, list.count == 2, let path = list[0].string else {
            throw Problem(text: "it removes a file without a name")
        }
        try Self.check(path, in: root)
        guard FileStatus(link: "\(root)/\(path)") != nil else { return }
        // The file is as it was when the list was written: nobody has edited it since, or checked another out.
        if Self.fingerprint(of: "\(root)/\(path)") == list[1].string { return removals.append(path) }
        guard FileStatus(link: "\(root)/\(path)") == nil else { throw Problem(text: "\(path) has changed since") }
    }

    private static func check(_ path: String, in root: String) throws(Problem) {
        guard isFixture(path) else { throw Problem(text: "\(path) is not a path of a fixture") }
        var end = path.startIndex
        while let slash = path[end...].firstIndex(of: "/") {
            let folder = path[..<slash]
            if FileStatus(link: "\(root)/\(folder)")?.kind == .link {
                throw Problem(text: "\(folder) is a symbolic link, and nothing is written by way of one")
            }
            end = path.index(after: slash)
        }
    }

    /// Whether a recording may write or remove a path: inside of the directory, and with no name that begins with a dot, which no
    /// server serves and other programs take for theirs.
    package static func isFixture(_ path: String) -> Bool {
        let parts = path.split(ascii: "/", omittingEmptySubsequences: false)
        return parts.allSatisfy { !$0.isEmpty && !$0.hasPrefix(".") } && !path.utf8.contains(0)
    }

    /// The text that a file is known by; nil if there is no file.
    private static func fingerprint(of path: String) -> String? {
        guard let (bytes, status) = try? FileReader.read(path, limit: knownBytes) else { return nil }
        return "\(status.size)-\(ContentHash.of(bytes).hexadecimal)"
    }
}

/// Shows a recording that a fixture directory is being read, so that it waits before it moves files.
///
/// It is a lock of an open file on the directory (fcntl(2), F_OFD_SETLK), which ends with the process however that ends. A reader takes
/// it before it looks for a list; a writer looks for it once the list is there: so one of the two sees the other.
package final class ReadingMark {
    private let descriptor: Int32

    /// - Parameter root: a real path. If the file system knows no such lock, reading goes on without.
    package init(root: String) {
        descriptor = open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        #if os(Linux)
            var lock = Self.lock(F_RDLCK)
            _ = fcntl(descriptor, Self.setOfOpenFile, &lock)
        #endif
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Whether somebody reads a directory.
    ///
    /// - Parameter descriptor: the directory, open.
    package static func isSet(on descriptor: Int32) -> Bool {
        #if os(Linux)
            var lock = lock(F_WRLCK)
            return fcntl(descriptor, getOfOpenFile, &lock) == 0 && Int32(lock.l_type) != F_UNLCK
        #else
            return false
        #endif
    }

    #if os(Linux)
        // F_OFD_GETLK and F_OFD_SETLK, which Swift's modules do not export.
        private static let getOfOpenFile: Int32 = 36
        private static let setOfOpenFile: Int32 = 37

        private static func lock(_ type: Int32) -> flock {
            var lock = flock()
            lock.l_type = Int16(type)
            lock.l_whence = Int16(SEEK_SET)
            return lock
        }
    #endif
}
