// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Why a schema cannot be compiled, and where in it.
package struct JSONSchemaError: Error, Equatable, Sendable {
    /// The place in the schema as a JSON Pointer (RFC 6901).
    package var pointer: String
    package var message: String
    /// Where in the schema's text the value stands that is meant; 0 if it is not known.
    package var offset: Int

    package init(pointer: String, message: String, offset: Int = 0) {
        self.pointer = pointer
        self.message = message
        self.offset = offset
    }
}

extension JSONSchemaError: CustomStringConvertible {
    package var description: String { pointer.isEmpty ? message : "\(pointer): \(message)" }
}

/// One thing that is wrong with a value.
package struct JSONSchemaViolation: Equatable, Sendable {
    /// The place in the value as a JSON Pointer (RFC 6901); empty for the whole of it.
    package var pointer: String
    /// The keyword of the schema that is not met; empty if the validation was given up.
    package var keyword: String
    package var message: String

    package init(pointer: String, keyword: String, message: String) {
        self.pointer = pointer
        self.keyword = keyword
        self.message = message
    }

    /// Whether the value was not judged, since that would have cost more than it may.
    package var isGivenUp: Bool { keyword.isEmpty }
}

extension JSONSchemaViolation: CustomStringConvertible {
    package var description: String { pointer.isEmpty ? message : "\(pointer): \(message)" }
}
