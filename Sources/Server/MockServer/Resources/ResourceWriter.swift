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
final class ResourceWriter: Sendable {
    private struct State {
        var isDue = false
        /// The hashes of what was written, the newest last.
        var hashes: [UInt64] = []
        var problem: String?
    }

    /// How many files are known again that were written here. 64.
    private static let kept = 64

    private let file: Resource.File
    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "mockapi.write-back")

    init(_ file: Resource.File) {
        self.file = file
    }

    /// Why the last change could not be written; nil where it was.
    var problem: String? { state.withLock { $0.problem } }

    func hasWritten(_ hash: UInt64) -> Bool { state.withLock { $0.hashes.contains(hash) } }

    /// - Parameter items: called when it is written, for what there is then.
    func write(_ items: @escaping @Sendable () -> [JSONNode]) {
        let isFirst = state.withLock { state in
            defer { state.isDue = true }
            return !state.isDue
        }
        guard isFirst else { return }
        queue.async { [self] in
            state.withLock { $0.isDue = false }
            let text = file.text(items())
            // A reload may see the file before this returns.
            state.withLock { state in
                if state.hashes.count == Self.kept { state.hashes.removeFirst() }
                state.hashes.append(ContentHash.of(text))
            }
            let problem = replace(with: text)
            state.withLock { $0.problem = problem }
        }
    }

    /// Returns when what was due is written.
    func finish() async {
        await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
    }

    /// Puts another file in the place of the items', whole or not at all.
    ///
    /// - Returns: why not.
    private func replace(with text: [UInt8]) -> String? {
        func failure(_ why: String) -> String { "\(file.path) cannot be written: \(why)" }
        func failure() -> String { failure(SystemError.lastWords) }
        guard let real = realpath(file.path, nil) else { return failure() }
        defer { free(real) }
        let target = String(cString: real)
        guard target.hasPrefix(file.root == "/" ? "/" : "\(file.root)/") else {
            return failure("it lies outside of the fixture directory")
        }
        var status = stat()
        guard stat(target, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return failure("it is no file") }
        let folder = target.prefix(upTo: target.lastIndex(of: "/") ?? target.startIndex)
        do throws(SystemError) {
            try FileWriter.replace(
                target, with: text, temporary: "\(folder)/.mockapi-\(UInt64.random(in: .min ... .max))",
                mode: status.st_mode & 0o777, isKept: true)
        } catch {
            return failure(error.words)
        }
        return nil
    }
}
