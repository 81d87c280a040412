// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import MockapiJSONText

/// A compiled JSON Schema, of any draft from 4 to 2020-12; any thread may validate with it.
///
/// Nothing is fetched: a reference leads into the document itself or to one of the five metaschemas.
package struct JSONSchema: Sendable {
    private let program: Program

    /// Compiles a schema.
    ///
    /// - Parameters:
    ///   - version: the draft where the document's `$schema` names none.
    ///   - assertsFormats: whether a `format` asks for something in the drafts, too, that leave it at saying so.
    /// - Throws: `JSONSchemaError` with the place of what cannot be compiled.
    package init(
        _ document: JSONNode, version: JSONSchemaVersion = .draft2020, assertsFormats: Bool = false
    ) throws(JSONSchemaError) {
        var compiler = try SchemaCompiler(document, version: version)
        compiler.assertsFormats = assertsFormats
        program = try compiler.compile()
    }

    /// The violations of a value, at most `JSONSchemaLimits.violations`; empty where there are none.
    package func validate(_ instance: JSONNode) -> [JSONSchemaViolation] {
        var evaluator = Evaluator(program, reports: true)
        return evaluator.run(instance)
    }

    /// Whether a value is valid, found without telling what is wrong.
    package func isValid(_ instance: JSONNode) -> Bool {
        var evaluator = Evaluator(program, reports: false)
        return evaluator.run(instance).isEmpty
    }
}

/// The drafts of JSON Schema, in their order.
package enum JSONSchemaVersion: Int, CaseIterable, Comparable, Sendable {
    case draft4, draft6, draft7, draft2019, draft2020

    /// The draft of a name such as `V4`, `V201909` or `V202012`.
    package init?(name: String) {
        switch name {
        case "V4": self = .draft4
        case "V6": self = .draft6
        case "V7": self = .draft7
        case "V201909": self = .draft2019
        case "V202012": self = .draft2020
        default: return nil
        }
    }

    package static func < (left: JSONSchemaVersion, right: JSONSchemaVersion) -> Bool {
        left.rawValue < right.rawValue
    }

    /// The URI of the draft's metaschema, without a fragment.
    var metaschema: String {
        switch self {
        case .draft4: "http://json-schema.org/draft-04/schema"
        case .draft6: "http://json-schema.org/draft-06/schema"
        case .draft7: "http://json-schema.org/draft-07/schema"
        case .draft2019: "https://json-schema.org/draft/2019-09/schema"
        case .draft2020: "https://json-schema.org/draft/2020-12/schema"
        }
    }

    /// The draft whose metaschema a URI names, with either scheme and with or without an empty fragment.
    init?(metaschema uri: String) {
        var uri = uri[...]
        if uri.hasSuffix("#") { uri = uri.dropLast() }
        func rest(_ uri: Substring) -> Substring {
            if uri.hasPrefix("https://") { return uri.dropFirst(8) }
            return uri.hasPrefix("http://") ? uri.dropFirst(7) : uri
        }
        guard let version = Self.allCases.first(where: { rest($0.metaschema[...]) == rest(uri) }) else { return nil }
        self = version
    }
}

/// Why a schema cannot be compiled, and where in it.
package struct JSONSchemaError: Error, Equatable, Sendable {
    /// The place in the schema as a JSON Pointer (RFC 6901).
    package var pointer: String
    package var message: String
    /// Where in the schema's text the value stands that is meant; 0 where it is not known.
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
    /// The keyword of the schema that is not met; empty where the validation was given up.
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

/// Limits on the cost of a schema and of a validation with it.
package enum JSONSchemaLimits {
    /// Bytes of a schema, written without spaces. 1 MiB.
    package static let schemaBytes = 1 << 20
    /// Levels of arrays and objects in a schema. 128.
    package static let schemaDepth = 128
    /// Bytes of the JSON Pointer to any schema in it. 1,024.
    package static let pointerBytes = 1024
    /// Steps of one validation: a schema applied to a value is one, so is each 64 bytes that are compared. 100,000.
    package static let steps = 100_000
    /// Further steps for each value within the one that is validated, itself among them. 64.
    package static let stepsPerValue = 64
    /// Schemas applied within one another at one time, those behind references included. 256.
    package static let depth = 256
    /// Levels of arrays and objects of a value that is validated.
    package static let instanceDepth = 512
    /// Violations that are reported of one value.
    package static let violations = 10
    /// Steps of all patterns of one validation; every 16 bytes that a pattern reads are one more. 1,000,000.
    package static let patternSteps = 1_000_000
}
