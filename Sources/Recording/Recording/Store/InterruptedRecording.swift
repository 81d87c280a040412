// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import MockapiFixtures

/// The remains of a recording that was killed, in a fixture directory.
package enum InterruptedRecording {
    /// Carries out the rest of its list, and removes the files that it has not put in their places.
    ///
    /// - Parameter root: the fixture directory, a real path.
    /// - Returns: a warning if the list is not carried out.
    static func finish(in root: String) throws(RecordingError) -> [Finding] {
        let directory = try OpenFolder(root: root)
        var findings: [Finding] = []
        var unfinished: UnfinishedRecording?
        do throws(UnfinishedRecording.Problem) {
            unfinished = try UnfinishedRecording.read(in: root)
        } catch {
            findings.append(Finding(.warning, "not carried out, and removed: \(error.text)", at: place))
        }
        if let unfinished, let work = try directory.enter(UnfinishedRecording.folder) {
            var changed = ChangedFolders()
            var hasBegun = false
            try FileTransaction.carryOut(
                unfinished.moves, unfinished.removals, from: work, in: directory, &changed, &hasBegun)
            try changed.synchronise()
        }
        WorkFolder.remove(in: directory)
        return findings
    }

    private static let place = Place(path: "\(UnfinishedRecording.folder)/\(UnfinishedRecording.list)")

    /// Warnings for a directory that holds these remains.
    ///
    /// - Parameter root: the fixture directory, a real path.
    package static func findings(in root: String) -> [Finding] {
        guard let directory = try? OpenFolder(root: root),
            let folder = (try? directory.enter(UnfinishedRecording.folder)) ?? nil,
            let names = try? folder.names(), !names.isEmpty
        else { return [] }
        do throws(UnfinishedRecording.Problem) {
            let unfinished = try UnfinishedRecording.read(in: root)
            guard let unfinished, !(unfinished.moves.isEmpty && unfinished.removals.isEmpty) else {
                return [
                    Finding(
                        .warning,
                        "left by a recording that was interrupted, unless one is under way; remove the folder, or record again",
                        at: Place(path: UnfinishedRecording.folder))
                ]
            }
            return (unfinished.moves.map(\.path) + unfinished.removals).map { path in
                Finding(
                    .warning,
                    "as it was before a recording that was interrupted, unless one is under way, and not as it is served; record again to "
                        + "finish it before this is committed", at: Place(path: path))
            }
        } catch {
            return [Finding(.warning, "not carried out: \(error.text); remove the folder", at: place)]
        }
    }
}
