// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Dispatch
import MockapiFixtures
import MockapiJSONText
import MockapiSystemIO
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Writes the items of a collection to their file, beside the event loops and one state after the other: states between are passed over.
///
/// Only content that was read or written here last is overwritten: anything else in the file is somebody's edit.
final class ResourceWriter: Sendable {
    private struct State {
        var isDue = false
        /// The hash of the file's content when it was read or written here last.
        var known: UInt64
        /// The hash of the content that is being written; nil while nothing is.
        var pending: UInt64?
        /// Whether the content that is being written goes over the file in place.
        var isWrittenOver = false
        /// The file's status when it was seen to have the known content; nil if it has not been looked at since.
        var seen: Seen?
        var problem: Problem?
        /// Counts the beginnings and the ends of writes.
        var writes = 0
    }

    /// Why the last change is not in the file.
    private struct Problem: Equatable {
        /// Whether it would have overwritten somebody else's content.
        let isOfOthers: Bool
        let text: String
    }

    /// The parts of a file's status that change with its content.
    private struct Seen: Equatable {
        let size: Int
        let modified: Int
        let inode: UInt64

        init(_ status: FileStatus) {
            size = status.size
            modified = status.modified
            inode = status.inode
        }
    }

    /// The error of a file that somebody else has written to.
    private static let changedByOthers = SystemError(call: "compare", code: ECANCELED)

    /// Bytes of a file that is compared on an event loop. 256 KiB.
    private static let shortFile = 256 * 1024
    /// How often a file is looked at that is written meanwhile. 8.
    private static let looks = 8
    /// The errors by which a file says that no other can take its place.
    private static let unreplaceable: Set = [EBUSY, EXDEV, EACCES, EPERM, EROFS]

    /// The beginning of the name of a file that is about to replace the items' own.
    static let temporaryPrefix = ".mockapi-write-"
    /// The seconds after which a temporary file was left by a killed server. 60.
    private static let leftoverAge = 60

    private let file: Resource.File
    private let state: Mutex<State>
    private let queue = DispatchQueue(label: "mockapi.write-back")

    /// - Parameter hash: of the file's content when its items were read.
    init(_ file: Resource.File, hash: UInt64) {
        self.file = file
        state = Mutex(State(known: hash))
        FileWriter.removeLeftovers(
            in: Self.folder(of: file.path), prefix: Self.temporaryPrefix, olderThan: Self.leftoverAge)
    }

    /// Whether a look at the file takes no longer than an event loop has.
    var isShort: Bool {
        guard let status = FileStatus(path: file.path) else { return true }
        return status.size <= Self.shortFile || state.withLock { $0.seen == Seen(status) }
    }

    /// Why no change may be made now; nil if one may.
    ///
    /// - Returns: the status of the response and the words for it.
    func refusal() -> (status: Int, text: String)? {
        if !isKnown() { return (409, changed) }
        return state.withLock { $0.problem }.flatMap { $0.isOfOthers ? nil : (500, $0.text) }
    }

    private var changed: String {
        "\(file.path) was changed by somebody else since it was read or written here, and is not overwritten: it must be read again first"
    }

    /// Whether a file that was read with a hash has only content from here: that read or written last, or that of the time when it was read.
    func hasWritten(_ hash: UInt64) -> Bool {
        if state.withLock({ hash == $0.known || hash == $0.pending }) { return true }
        // It may have been read between two writes; the later one is in the file when those that are due are done.
        return queue.sync { FileStatus(path: file.path) != nil && isKnown() }
    }

    /// Whether the file has the content that was read or written here last; a file that is gone has no other content.
    private func isKnown() -> Bool {
        for _ in 0..<Self.looks {
            guard let status = FileStatus(path: file.path) else { return true }
            let (isSeen, writes) = state.withLock { ($0.seen == Seen(status), $0.writes) }
            if isSeen { return true }
            guard let hash = try? ContentHash.ofFile(at: file.path) else { return true }
            let isKnown = state.withLock { state -> Bool? in
                // A write may have begun or ended between the look and this.
                if state.writes != writes { return nil }
                // A write under way may or may not have replaced the file yet; a write in place checks for itself.
                if state.pending != nil, state.isWrittenOver || hash == state.pending { return true }
                if state.pending == nil, hash == state.known { state.seen = Seen(status) }
                return hash == state.known
            }
            if let isKnown { return isKnown }
        }
        // It is written again and again, and each time looked at.
        return true
    }

    /// - Parameters:
    ///   - items: called when it is written, for the items of that time.
    ///   - tell: called with the reason why it could not be, if that is new.
    func write(_ items: @escaping @Sendable () -> [JSONNode], tell: @escaping @Sendable (String) -> Void) {
        let isFirst = state.withLock { state in
            defer { state.isDue = true }
            return !state.isDue
        }
        guard isFirst else { return }
        queue.async { [self] in
            state.withLock { $0.isDue = false }
            let text = file.text(items())
            let hash = ContentHash.of(text)
            // A reload may see the file before this returns. The file's present content is not written once more: that could go over an edit.
            let isChange = state.withLock { state in
                if hash == state.known, state.problem == nil { return false }
                state.writes += 1
                state.pending = hash
                state.seen = nil
                return true
            }
            guard isChange else { return }
            let problem = self.problem(replacingWith: text)
            let isNew = state.withLock { state in
                state.writes += 1
                state.pending = nil
                state.isWrittenOver = false
                if problem == nil { state.known = hash }
                defer { state.problem = problem }
                return problem != state.problem
            }
            if isNew, let problem { tell(problem.text) }
        }
    }

    /// Returns when all due content is written.
    func finish() async {
        await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
    }

    /// Puts another file in the place of the items', whole or not at all; if none can take its place, it is overwritten.
    ///
    /// - Returns: why not.
    private func problem(replacingWith text: [UInt8]) -> Problem? {
        func problem(_ why: String) -> Problem {
            Problem(isOfOthers: false, text: "\(file.path) cannot be written: \(why)")
        }
        guard let real = realpath(file.path, nil) else { return problem(SystemError.lastWords) }
        defer { free(real) }
        let target = String(cString: real)
        guard target.hasPrefix(file.root == "/" ? "/" : "\(file.root)/") else {
            return problem("it lies outside of the fixture directory")
        }
        var status = stat()
        guard stat(target, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return problem("it is not a file") }
        do throws(SystemError) {
            try replace(target, with: text, mode: UInt32(status.st_mode & 0o777))
            return nil
        } catch {
            if error == Self.changedByOthers { return Problem(isOfOthers: true, text: changed) }
            return problem(error.words)
        }
    }

    private static func folder(of path: String) -> String {
        String(path.prefix(upTo: path.utf8.lastIndex(of: UInt8(ascii: "/")) ?? path.startIndex))
    }

    private func replace(_ target: String, with text: [UInt8], mode: UInt32) throws(SystemError) {
        let folder = Self.folder(of: target)
        do throws(SystemError) {
            try FileWriter.replace(
                target, with: text,
                temporary: "\(folder)/\(Self.temporaryPrefix)\(UInt64.random(in: .min ... .max))", mode: mode,
                isKept: true
            ) { () throws(SystemError) in try checkKnown(target) }
        } catch {
            guard Self.unreplaceable.contains(error.code) else { throw error }
            try checkKnown(target)
            state.withLock { $0.isWrittenOver = true }
            try FileWriter.overwrite(target, with: text)
        }
    }

    /// Throws if the file has other content than was read or written here last.
    private func checkKnown(_ target: String) throws(SystemError) {
        let hash = try ContentHash.ofFile(at: target)
        guard state.withLock({ $0.known == hash }) else { throw Self.changedByOthers }
    }
}
