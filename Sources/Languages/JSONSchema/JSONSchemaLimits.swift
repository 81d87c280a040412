// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Limits on the cost of a schema and of a validation with it.
package enum JSONSchemaLimits {
    /// Bytes of a schema, written without spaces. 1 MiB.
    package static let schemaBytes = 1 << 20
    /// Levels of arrays and objects in a schema. 128.
    package static let schemaDepth = 128
    /// Bytes of the JSON Pointer to any schema in it. 1,024.
    package static let pointerBytes = 1024
    /// Steps of one validation: a schema applied to a value is one, as is each 64 bytes that are compared. 100,000.
    package static let steps = 100_000
    /// Further steps for each value within the validated one, itself among them. 64.
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
