// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiStubMatching

/// The parts of a multipart body, as the matcher of a stub reads them.
struct MultipartParts {
    struct Part {
        /// The header lines, and the empty line behind them.
        var head: [UInt8]
        var content: [UInt8]
        var lineEnd: [UInt8]
        /// The name that Content-Disposition gives it; empty if it gives none.
        var name: String
        var mediaType: String

        fileprivate init(_ part: MultipartBody.Part) {
            head = Array(part.head)
            content = Array(part.content)
            lineEnd = Array(part.lineEnd)
            name = String(decoding: part.name ?? [], as: UTF8.self)
            mediaType = Array("content-type".utf8).withUnsafeBufferPointer { type in
                part.values(of: type).first.map { String(decoding: $0, as: UTF8.self) } ?? ""
            }
        }

        /// Whether every reader finds the same name in it.
        var isPlain: Bool {
            let start = Array("Content-Disposition: form-data; name=\"\(name)\"".utf8)
            let hasName = name.isEmpty || head.starts(with: start)
            return hasName && head.allSatisfy { $0 >= 0x20 && $0 < 0x7F || $0 == 0x0D || $0 == 0x0A }
                && !name.utf8.contains { "\"\\%".utf8.contains($0) }
        }
    }

    let parts: [Part]

    /// - Returns: nil if the bytes are not a body of this kind.
    init?(_ body: [UInt8], mediaType: String) {
        let type = Array(mediaType.utf8)
        let read = body.withUnsafeBufferPointer { body in
            type.withUnsafeBufferPointer { type in
                (try? MultipartBody.parts(of: body, contentType: type))?.map(Part.init)
            }
        }
        guard let read else { return nil }
        parts = read
    }
}
