// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import Fixtures
import JSONText

/// What a recording that was killed has left in a fixture directory.
package enum InterruptedRecording {
    /// Bytes of the list of renames; a longer one is none of ours. 16 MiB.
    private static let listLimit = 16 * 1024 * 1024

    private struct List {
        /// Those that have not been carried out.
        var renames: [(from: String, to: String)] = []
        var removals: [String] = []
    }

    /// Carries out what is left of the renames, and removes the temporary files.
    ///
    /// A checkout may hold such a list that no recording wrote: it is carried out only where it is whole and inside, else not at all.
    /// - Parameter root: the fixture directory, a real path.
    /// - Returns: what is told of a list that is not carried out.
    static func finish(in root: String) throws(RecordingError) -> [Finding] {
        let folder = try OpenFolder(root: root)
        var findings: [Finding] = []
        if try folder.names(beginningWith: FileTransaction.listName).contains(FileTransaction.listName) {
            let list: List?
            do throws(RecordingError) {
                list = try self.list(in: folder)
            } catch {
                list = nil
                findings.append(
                    Finding(
                        .warning, "not carried out, and removed: \(error)", at: Place(path: FileTransaction.listName)))
            }
            if let list { try FileTransaction.carryOut(list.renames, list.removals, in: folder) }
            folder.remove(FileTransaction.listName)
        }
        for name in try folder.names(beginningWith: FileTransaction.temporaryPrefix) { folder.remove(name) }
        return findings
    }

    /// - Throws: where the list is none that a recording into this directory can have written.
    private static func list(in folder: OpenFolder) throws(RecordingError) -> List {
        guard let bytes = folder.bytes(of: FileTransaction.listName, limit: listLimit),
            let node = try? JSONParser.parse(bytes), let renames = node["renames"]?.array,
            let removals = node["removals"]?.array
        else { throw RecordingError("it is no list of renames") }
        var list = List()
        for rename in renames {
            guard let pair = rename.array, pair.count == 2, let from = pair[0].string, let to = pair[1].string,
                from.hasPrefix(FileTransaction.temporaryPrefix), FileTransaction.isName(from)
            else { throw RecordingError("it renames what no recording has written") }
            guard let place = try place(of: to, in: folder) else {
                guard folder.hasFile(from) else { throw RecordingError("\(from) is missing") }
                list.renames.append((from, to))
                continue
            }
            if folder.hasFile(from) {
                list.renames.append((from, to))
            } else if !place.folder.hasFile(place.name) {
                // One that was carried out has left its file there.
                throw RecordingError("\(from) is missing, and so is \(to)")
            }
        }
        for removal in removals {
            guard let path = removal.string else { throw RecordingError("it removes what has no name") }
            _ = try place(of: path, in: folder)
            list.removals.append(path)
        }
        return list
    }

    private static func place(
        of path: String, in folder: OpenFolder
    ) throws(RecordingError) -> (folder: OpenFolder, name: String)? {
        guard FileTransaction.isFixture(path) else { throw RecordingError("\(path) is no path of a fixture") }
        return try folder.place(of: path, makesFolders: false)
    }

    /// What is to be told of a directory in which such files are.
    ///
    /// - Parameter root: the fixture directory, a real path.
    package static func findings(in root: String) -> [Finding] {
        guard let folder = try? OpenFolder(root: root),
            let parts = try? folder.names(beginningWith: FileTransaction.temporaryPrefix),
            let lists = try? folder.names(beginningWith: FileTransaction.listName)
        else { return [] }
        let files = parts + lists.filter { $0 == FileTransaction.listName }
        return files.map { name in
            Finding(
                .warning,
                "left by a recording that was interrupted, unless one is under way; record again to finish it, or remove the file; it is not to "
                    + "be committed", at: Place(path: name))
        }
    }
}
