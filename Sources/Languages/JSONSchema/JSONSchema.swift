// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import MockapiJSONText
package import MockapiMetering

/// A compiled JSON Schema, of any draft from 4 to 2020-12; any thread may validate with it.
///
/// Nothing is fetched: a reference leads into the document itself or to one of the five metaschemas.
package struct JSONSchema: Sendable {
    private let program: Program

    /// Compiles a schema.
    ///
    /// - Parameters:
    ///   - version: the draft if the document's `$schema` names none.
    ///   - assertsFormats: whether a `format` asks for something in the drafts, too, that leave it at saying so.
    /// - Throws: `JSONSchemaError` with the place of the part that cannot be compiled.
    package init(
        _ document: JSONNode, version: JSONSchemaVersion = .draft2020, assertsFormats: Bool = false
    ) throws(JSONSchemaError) {
        var compiler = try SchemaCompiler(document, version: version)
        compiler.assertsFormats = assertsFormats
        program = try compiler.compile()
    }

    /// The violations of a value, at most `JSONSchemaLimits.violations`; empty if there are none.
    package func validate(_ instance: JSONNode, meter: Meter? = nil) -> [JSONSchemaViolation] {
        var evaluator = Evaluator(program, reports: true, meter)
        return evaluator.run(instance)
    }

    /// Whether a value is valid, found without collecting violations.
    package func isValid(_ instance: JSONNode, meter: Meter? = nil) -> Bool {
        verdict(on: instance, meter: meter) == .valid
    }

    package enum Verdict: Sendable {
        case valid, invalid
        /// It is not known: the validation takes too much.
        case givenUp
    }

    /// The same, and whether the validation was given up.
    package func verdict(on instance: JSONNode, meter: Meter?) -> Verdict {
        var evaluator = Evaluator(program, reports: false, meter)
        guard let violation = evaluator.run(instance).first else { return .valid }
        return violation.isGivenUp ? .givenUp : .invalid
    }
}
