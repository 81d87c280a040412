// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiSystemIO

/// The bytes of a body with the facts that its judgement needs.
struct Content: Sendable {
    var body: Body
    /// The first bytes, at least `headLength` of them if there are as many.
    var head: [UInt8]

    static let headLength = 512

    init(bytes: [UInt8]) {
        body = bytes.isEmpty ? .empty : .bytes(bytes)
        head = bytes
    }

    init(file: FileBody, head: [UInt8]) {
        body = .file(file)
        self.head = head
    }

    /// Reads a file: all of it up to `Body.memoryLimit`, the start of a larger one.
    static func read(_ path: String, size: Int) throws(SystemError) -> Content {
        let isSmall = size <= Body.memoryLimit
        let (bytes, status) = try FileReader.read(path, limit: isSmall ? Body.memoryLimit + 1 : headLength)
        if isSmall, bytes.count <= Body.memoryLimit { return Content(bytes: bytes) }
        let file = FileBody(path: path, size: status.size, modified: status.modified, inode: status.inode)
        return Content(file: file, head: bytes)
    }
}
