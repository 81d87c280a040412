// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

public import Foundation

/// Why parts make no form.
public enum MultipartError: Error, Hashable, Sendable, CustomStringConvertible, LocalizedError {
    case boundary(String)
    /// A part has no name.
    case name
    case mimeType(part: String, String)
    /// The file of a part cannot be read.
    case file(part: String, URL, String)
    /// The form is too large for memory, and the file for it cannot be written.
    case temporaryFile(URL, String)

    public var description: String {
        switch self {
        case .boundary(let boundary):
            "\(boundary.debugDescription) is no boundary: that is 1 to 70 characters of A-Z a-z 0-9 '()+_,-./:=? or a space, which is not the last (RFC 2046 §5.1.1)"
        case .name: "a part of a form has a name (RFC 7578 §4.2)"
        case .mimeType(let part, let type): "part \(part.debugDescription): \(type.debugDescription) is no media type"
        case .file(let part, let url, let reason): "part \(part.debugDescription): \(url.path): \(reason)"
        case .temporaryFile(let url, let reason): "\(url.path): the form cannot be written: \(reason)"
        }
    }

    public var errorDescription: String? { description }
}
