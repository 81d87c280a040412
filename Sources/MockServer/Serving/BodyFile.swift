// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Fixtures
import HTTPServer
import HTTPWire

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

extension FileBody {
    /// Opens the file if it still is what was loaded; nil where it is gone or has changed.
    func open() -> OpenFile? {
        for path in [path] + (laterPath.map { [$0] } ?? []) {
            let descriptor = systemOpen(path)
            guard descriptor >= 0 else { continue }
            let file = OpenFile(descriptor: descriptor)
            if isUnchanged(file) { return file }
        }
        return nil
    }

    /// Whether an open file still is what was loaded.
    func isUnchanged(_ file: OpenFile) -> Bool {
        guard let status = FileStatus(descriptor: file.descriptor) else { return false }
        return status.kind == .file && status.size == size && status.inode == inode && status.modified == modified
    }
}

/// Opens without waiting for anybody: a pipe that came in the place of the file must not hold the loop up.
private func systemOpen(_ path: String) -> Int32 {
    open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
}

extension Body {
    /// All bytes, read from disk where they are not in memory; nil where the file is gone or has changed.
    package func loaded() -> [UInt8]? {
        switch self {
        case .empty: return []
        case .bytes(let bytes): return bytes
        case .file(let file):
            guard let open = file.open() else { return nil }
            var bytes = [UInt8](repeating: 0, count: file.size)
            var filled = 0
            while filled < file.size {
                let count = bytes.withUnsafeMutableBytes {
                    pread(open.descriptor, $0.baseAddress.map { $0 + filled }, file.size - filled, off_t(filled))
                }
                guard count > 0 else { return nil }
                filled += count
            }
            return bytes
        }
    }
}
