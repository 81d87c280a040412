// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// A GraphQL document (October 2021 edition), compared by the data that it asks for.
///
/// Equality takes no account of space, commas and comments, of how a string is written, nor of the order of definitions, selections, arguments,
/// variables, directives and the fields of objects. Aliases, names of operations and fragments, and the elements of lists in their order do count.
package struct GraphQLDocument: Hashable, Sendable {
    /// The document in the form that equal documents share.
    package let normalizedText: String
    /// The names of the operations that have one, in the order they were written.
    package let operationNames: [String]

    /// Bytes of a document. 262,144.
    package static let maximumBytes = 256 * 1024
    /// Selection sets, lists, objects and types within each other. 200.
    package static let maximumDepth = 200

    /// Reads a document.
    ///
    /// - Throws: `GraphQLError` with the first line and column of the mistake.
    package init(parsing text: String) throws(GraphQLError) {
        var parser = try GraphQLParser(Array(text.utf8))
        let definitions = try parser.document()
        normalizedText = String(decoding: definitions, as: UTF8.self)
        operationNames = parser.operationNames
    }

    package static func == (left: GraphQLDocument, right: GraphQLDocument) -> Bool {
        left.normalizedText.utf8.elementsEqual(right.normalizedText.utf8)
    }

    package func hash(into hasher: inout Hasher) {
        for byte in normalizedText.utf8 { hasher.combine(byte) }
    }
}

/// Why a text is not a GraphQL document, and where, counted from 1; columns count bytes.
package struct GraphQLError: Error, Equatable, Sendable {
    package var line: Int
    package var column: Int
    package var message: String

    package init(line: Int, column: Int, message: String) {
        self.line = line
        self.column = column
        self.message = message
    }

    init(_ bytes: [UInt8], at offset: Int, _ message: String) {
        var line = 1
        var start = 0
        var index = 0
        while index < min(offset, bytes.count) {
            let isReturn = bytes[index] == 0x0D
            if isReturn, index + 1 < bytes.count, bytes[index + 1] == 0x0A { index += 1 }
            if isReturn || bytes[index] == 0x0A {
                line += 1
                start = index + 1
            }
            index += 1
        }
        self.init(line: line, column: max(offset - start, 0) + 1, message: message)
    }
}
