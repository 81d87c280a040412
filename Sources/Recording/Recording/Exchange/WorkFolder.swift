// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPSyntax
import MockapiSystemIO
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The hidden folder of a fixture directory in which files wait to be moved to their places.
///
/// While there are any, a `.gitignore` in it, which is there before the first, keeps Git from taking them and itself: leftovers of a killed recording
/// are not committed by the next `git add`.
enum WorkFolder {
    private static let ignoring = ".gitignore"
    /// An empty one would itself be committed.
    private static let ignored = Array("*\n".utf8)
    /// Held while files come and go, so that the last file that goes does not take the `.gitignore` from one that comes.
    private static let turn = Mutex<Void>(())

    /// Makes a file in it, and it too if it is missing; open for writing.
    ///
    /// - Parameter root: the fixture directory, a real path.
    /// - Returns: the name, which no other file has.
    static func makeFile(in root: String) throws(RecordingError) -> (name: String, descriptor: Int32) {
        let folder = try enter(in: root)
        let name = newName
        let (descriptor, number) = turn.withLock { _ in
            if let failure = folder.makeFile(ignoring, holding: ignored) { return (Int32(-1), failure) }
            let file = folder.makeFile(name)
            return (file ?? -1, file == nil ? errno : 0)
        }
        guard descriptor >= 0 else { throw .system("create a file in \(root)", number) }
        return (name, descriptor)
    }

    /// Links a file into it, too.
    ///
    /// - Returns: its name there; nil if the file system has no such links.
    static func link(_ path: String, in root: String) throws(RecordingError) -> String? {
        let folder = try enter(in: root)
        let name = newName
        return turn.withLock { _ in
            folder.makeFile(ignoring, holding: ignored) == nil && folder.link(path, as: name)
        } ? name : nil
    }

    private static var newName: String {
        "\(UnfinishedRecording.partPrefix)\(getpid())-\(UInt64.random(in: 0 ... .max))"
    }

    /// The folder, which is made if it is missing.
    static func enter(in root: String) throws(RecordingError) -> OpenFolder {
        let directory = try OpenFolder(root: root)
        var isNew = false
        guard let folder = try directory.enter(UnfinishedRecording.folder, made: { _ in isNew = true }) else {
            throw RecordingError("\(UnfinishedRecording.folder) is missing")
        }
        if isNew { try directory.synchronise() }
        return folder
    }

    /// Takes the `.gitignore` away if nothing else is left: Git does not see an empty folder.
    static func tidy(_ folder: OpenFolder) {
        turn.withLock { _ in
            guard let names = try? folder.names(), names == [ignoring] else { return }
            folder.remove(ignoring)
        }
    }

    /// Removes a file of it that has not been moved to its place.
    ///
    /// - Parameter path: absolute.
    static func removeFile(_ path: String) {
        unlink(path)
        guard let slash = path.lastIndex(ascii: "/"), let folder = try? OpenFolder(root: String(path[..<slash])) else {
            return
        }
        tidy(folder)
    }

    /// Removes the folder if nothing waits in it.
    static func leave(in root: String) {
        guard let directory = try? OpenFolder(root: root),
            let folder = (try? directory.enter(UnfinishedRecording.folder)) ?? nil
        else { return }
        tidy(folder)
        directory.removeFolder(UnfinishedRecording.folder)
    }

    /// Removes the folder with all that is in it.
    static func remove(in root: OpenFolder) {
        let name = UnfinishedRecording.folder
        turn.withLock { _ in
            // A link, or a file, of a checkout; the target of a link stays.
            guard root.hasFolder(name), let folder = (try? root.enter(name)) ?? nil else { return root.remove(name) }
            // The `.gitignore` goes last, as it came first.
            let names = ((try? folder.names()) ?? []).filter { $0 != ignoring }
            for name in names + [ignoring] { folder.remove(name) }
            root.removeFolder(name)
        }
    }
}
