// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation

/// A form of several parts, as `multipart/form-data` (RFC 7578).
///
///     let form: MultipartFormData = [
///         MultipartFormBodyPart(provider: .file(image), name: "file", mimeType: "image/png"),
///         MultipartFormBodyPart(provider: .data(Data("A lake".utf8)), name: "description"),
///     ]
public struct MultipartFormData: Hashable, Sendable, ExpressibleByArrayLiteral {
    /// How many bytes a form may have in memory where nothing else is said; a longer one is sent from a temporary file. 1 MiB.
    public static let defaultMemoryLimit = 1024 * 1024

    public let parts: [MultipartFormBodyPart]
    /// What stands between the parts.
    public let boundary: String
    public let memoryLimit: Int

    /// - Parameters:
    ///   - boundary: nil for a random one. Give one where equal forms are to have equal bytes.
    ///   - memoryLimit: bytes of a form that is sent from memory.
    public init(
        boundary: String? = nil, memoryLimit: Int = MultipartFormData.defaultMemoryLimit,
        parts: [MultipartFormBodyPart]
    ) {
        self.parts = parts
        self.boundary = boundary ?? "mockapi-\(UUID().uuidString)"
        self.memoryLimit = memoryLimit
    }

    public init(arrayLiteral parts: MultipartFormBodyPart...) {
        self.init(parts: parts)
    }

    /// The value of the field Content-Type.
    public var contentType: String {
        let isToken = HTTPMethod(boundary).isValid
        return "multipart/form-data; boundary=\(isToken ? boundary : "\"\(boundary)\"")"
    }

    /// Looks at everything but the files.
    func check() throws(RequestError) {
        let others = Set("'()+_,-./:=? ".utf8)
        let isValid = boundary.utf8.allSatisfy { byte in
            others.contains(byte) || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
                || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte
        }
        guard isValid, 1...70 ~= boundary.utf8.count, !boundary.hasSuffix(" ") else { throw .boundary(boundary) }
        for part in parts { _ = try part.head() }
    }
}
