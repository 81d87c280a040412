// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The body of a recorded response, in memory or in a file.
enum BodyContent: Sendable {
    case none
    case bytes([UInt8])
    /// An absolute path.
    case file(path: String, size: Int)

    /// Bytes of a file that are held at once. 64 KiB.
    private static let piece = 64 * 1024

    var count: Int {
        switch self {
        case .none: 0
        case .bytes(let bytes): bytes.count
        case .file(_, let size): size
        }
    }

    /// The first bytes; enough to see the kind of file.
    var head: [UInt8] {
        switch self {
        case .none: []
        case .bytes(let bytes): Array(bytes.prefix(4096))
        case .file(let path, _): FilePieces(path: path)?.next(4096) ?? []
        }
    }

    /// All bytes; nil if the file cannot be read.
    var bytes: [UInt8]? {
        switch self {
        case .none: []
        case .bytes(let bytes): bytes
        case .file(let path, let size): FilePieces(path: path)?.next(size)
        }
    }

    /// All bytes, if they are no more than a recorded text may have.
    var text: [UInt8]? { count <= ContentSpool.textLimit ? bytes : nil }

    /// Whether both have the same bytes; a file that cannot be read has others.
    func hasSameBytes(as other: BodyContent) -> Bool {
        guard count == other.count else { return false }
        if case .bytes(let left) = self, case .bytes(let right) = other { return left == right }
        var same = true
        var offset = 0
        forEachPiece { piece in
            same = same && other.slice(offset, piece.count) == piece
            offset += piece.count
            return same
        }
        return same && offset == count
    }

    /// Calls with the bytes piece by piece until it returns false.
    func forEachPiece(_ body: ([UInt8]) -> Bool) {
        switch self {
        case .none: return
        case .bytes(let bytes): _ = body(bytes)
        case .file(let path, _):
            guard let file = FilePieces(path: path) else { return }
            while let piece = file.next(Self.piece), !piece.isEmpty {
                if !body(piece) { return }
            }
        }
    }

    private func slice(_ offset: Int, _ count: Int) -> [UInt8]? {
        switch self {
        case .none: []
        case .bytes(let bytes): offset + count <= bytes.count ? Array(bytes[offset..<offset + count]) : nil
        case .file(let path, _): FilePieces(path: path)?.next(count, at: offset)
        }
    }
}

/// A file that is read from its beginning on.
private final class FilePieces {
    private let descriptor: Int32

    init?(path: String) {
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        if descriptor < 0 { return nil }
    }

    deinit {
        close(descriptor)
    }

    /// The next bytes, fewer at the end; nil if they cannot be read.
    func next(_ count: Int, at offset: Int? = nil) -> [UInt8]? {
        if let offset, lseek(descriptor, off_t(offset), SEEK_SET) < 0 { return nil }
        var hasFailed = false
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count, let base = buffer.baseAddress {
                let got = read(descriptor, base + filled, count - filled)
                if got < 0, errno == EINTR { continue }
                hasFailed = got < 0
                if got <= 0 { return }
                filled += got
            }
        }
        return hasFailed ? nil : bytes
    }
}
