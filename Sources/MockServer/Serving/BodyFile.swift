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
        let descriptor = systemOpen(path)
        guard descriptor >= 0 else { return nil }
        let file = OpenFile(descriptor: descriptor)
        var status = stat()
        guard fstat(descriptor, &status) == 0, Int(status.st_size) == size, UInt64(status.st_ino) == inode,
            status.modifiedNanoseconds == modified
        else { return nil }
        return file
    }
}

private func systemOpen(_ path: String) -> Int32 {
    open(path, O_RDONLY | O_CLOEXEC)
}

extension stat {
    fileprivate var modifiedNanoseconds: Int {
        #if canImport(Darwin)
            Int(st_mtimespec.tv_sec) * 1_000_000_000 + Int(st_mtimespec.tv_nsec)
        #else
            Int(st_mtim.tv_sec) * 1_000_000_000 + Int(st_mtim.tv_nsec)
        #endif
    }
}

extension Body {
    /// All bytes, read from disk where they are not in memory; nil where the file is gone or has changed.
    func loaded() -> [UInt8]? {
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

/// The files that one loop has open for answers, the least used giving way.
///
/// A file stays what it was when it was opened, even where another has taken its name.
final class OpenFileCache {
    private let capacity: Int
    private var files: [String: (body: FileBody, file: OpenFile, used: UInt64)] = [:]
    private var clock: UInt64 = 0

    /// - Parameter loops: over how many loops the descriptors kept back for files are shared.
    init(loops: Int) {
        capacity = max(2, DescriptorLimit.reserve / 2 / loops)
    }

    /// The open file of a body; nil where it is gone or has changed since it was loaded.
    func file(for body: FileBody) -> OpenFile? {
        clock += 1
        if let entry = files[body.path], entry.body == body {
            files[body.path]?.used = clock
            return entry.file
        }
        guard let file = body.open() else { return nil }
        if files.count >= capacity, let oldest = files.min(by: { $0.value.used < $1.value.used }) {
            files[oldest.key] = nil
        }
        files[body.path] = (body, file, clock)
        return file
    }
}
