// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// The value of a request at a place: any bytes, or a secret, kept only as a placeholder.
enum SentValue: Hashable, Sendable {
    case bytes([UInt8])
    case handed(HandedPlaceholder)

    /// nil for a secret.
    var bytes: [UInt8]? { if case .bytes(let bytes) = self { bytes } else { nil } }

    /// nil unless it is a secret.
    var placeholder: HandedPlaceholder? { if case .handed(let placeholder) = self { placeholder } else { nil } }

    /// As far as it is text; a secret is its placeholder's name.
    var text: String {
        switch self {
        case .bytes(let bytes): String(decoding: bytes, as: UTF8.self)
        case .handed(let placeholder): placeholder.name
        }
    }

    /// The bytes that are kept of it.
    var size: Int {
        switch self {
        case .bytes(let bytes): bytes.count
        case .handed(let placeholder): placeholder.name.utf8.count + (placeholder.form?.utf8.count ?? 0)
        }
    }
}
