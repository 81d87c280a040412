// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPServer
import MockapiHTTPWire
import MockapiSystemIO

/// The files that one loop has open for responses, the least used giving way.
///
/// An open file stays the same even if another has taken its name; a file that was changed in place is given up. That is checked with
/// each use, by one `fstat`.
final class OpenFileCache {
    private let capacity: Int
    private var files: [String: (body: FileBody, file: OpenFile, used: UInt64)] = [:]
    private var clock: UInt64 = 0

    /// - Parameter loops: over how many loops the descriptors kept back for files are shared.
    init(loops: Int) {
        capacity = max(2, DescriptorLimit.reserve / 2 / loops)
    }

    /// The open file of a body; nil if it is gone or has changed since it was loaded.
    func file(for body: FileBody) -> OpenFile? {
        clock += 1
        if let entry = files[body.path], entry.body == body, body.isUnchanged(entry.file) {
            files[body.path]?.used = clock
            return entry.file
        }
        files[body.path] = nil
        guard let file = body.open() else { return nil }
        if files.count >= capacity, let oldest = files.min(by: { $0.value.used < $1.value.used }) {
            files[oldest.key] = nil
        }
        files[body.path] = (body, file, clock)
        return file
    }
}
