// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONSchema
import MockapiJSONText
import Testing

/// A schema with values that it allows and values that it refuses, all as JSON.
struct SchemaCase: Sendable, CustomTestStringConvertible {
    var versions: ClosedRange<JSONSchemaVersion>
    var schema: String
    var valid: [String]
    var invalid: [String]

    init(
        _ schema: String, valid: [String] = [], invalid: [String] = [],
        in versions: ClosedRange<JSONSchemaVersion> = .draft4 ... .draft2020
    ) {
        self.versions = versions
        self.schema = schema
        self.valid = valid
        self.invalid = invalid
    }

    var testDescription: String { schema }

    func check(sourceLocation: SourceLocation = #_sourceLocation) throws {
        for version in JSONSchemaVersion.allCases where versions.contains(version) {
            let compiled = try compile(schema, version)
            for text in valid {
                let value = try json(text)
                let violations = compiled.validate(value)
                #expect(violations == [], "\(version): \(text)", sourceLocation: sourceLocation)
                #expect(compiled.isValid(value), "\(version): \(text)", sourceLocation: sourceLocation)
            }
            for text in invalid {
                let value = try json(text)
                #expect(!compiled.validate(value).isEmpty, "\(version): \(text)", sourceLocation: sourceLocation)
                #expect(!compiled.isValid(value), "\(version): \(text)", sourceLocation: sourceLocation)
            }
        }
    }
}

func json(_ text: String) throws -> JSONNode { try JSONParser.parse(Array(text.utf8)) }

func compile(_ schema: String, _ version: JSONSchemaVersion = .draft2020) throws -> JSONSchema {
    try JSONSchema(try json(schema), version: version)
}

/// What is wrong with a schema that cannot be compiled.
func failure(_ schema: String, _ version: JSONSchemaVersion = .draft2020) throws -> String? {
    let document = try json(schema)
    do throws(JSONSchemaError) {
        _ = try JSONSchema(document, version: version)
        return nil
    } catch {
        return error.description
    }
}
