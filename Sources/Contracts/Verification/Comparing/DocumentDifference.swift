// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiDrift
package import MockapiFixtures
import MockapiHTTPSyntax
import MockapiJSONSchema
import MockapiJSONText
package import MockapiOpenAPI
import MockapiSecrets

/// Fixtures held against a document of OpenAPI, and the document against them.
package struct DocumentDifference {
    let set: FixtureSet
    let document: OpenAPIDocument
    /// The name of the document in reports.
    let label: String
    var schemas: OpenAPISchemas
    let places: SchemaPlaces
    var coverage: SchemaCoverage
    /// The operations that have a fixture, and the responses, by their places in the document.
    var seen: Set<Int> = []
    var file = ""

    package init(_ set: FixtureSet, _ document: OpenAPIDocument, label: String) {
        self.set = set
        self.document = document
        self.label = label
        schemas = OpenAPISchemas(document)
        places = SchemaPlaces(document)
        coverage = SchemaCoverage(document) { $0.string.map(Placeholders.stand) ?? false }
    }

    /// A verdict for each fixture, and one on the other parts of the document.
    ///
    /// - Parameter own: the document's path in the fixture directory, if it lies there.
    package mutating func verdicts(without own: String?) -> [FixtureVerdict] {
        var verdicts: [FixtureVerdict] = []
        for fixture in VerifiedFixture.all(of: set) where fixture.stub != nil || fixture.path != own {
            verdicts.append(verdict(fixture))
        }
        var rest = FixtureVerdict(document: label)
        rest.judge(unrecorded(), of: ComparedParts(\.statuses))
        return verdicts + [rest]
    }

    func against(_ offset: Int) -> String { "\(label):\(document.line(of: offset))" }

    // MARK: One fixture

    mutating func verdict(_ fixture: VerifiedFixture) -> FixtureVerdict {
        var verdict = FixtureVerdict(fixture, request: fixture.label, state: .honoured)
        if let reason = fixture.noResponseReason {
            verdict.state = .skipped(reason)
            return verdict
        }
        let place: (path: String, query: [String]?, isTemplate: Bool)
        switch fixture.documentedPlace {
        case .success(let found): place = found
        case .failure(let unclear):
            verdict.state = .unchecked(unclear.text)
            return verdict
        }
        func only(_ id: DriftID, _ text: String, _ against: String? = nil) -> FixtureVerdict {
            let finding = DriftFinding(.breaking, id, at: "", recorded: text, site: .status)
            verdict.judge(
                [LocatedFinding(finding, file: fixture.path, line: fixture.line, against: against)],
                of: ComparedParts(\.statuses))
            return verdict
        }
        let paths = fixture.stub == nil ? fixture.paths : [place.path]
        var known: (String, [OpenAPIDocument.Operation])?
        for path in paths where known == nil {
            let found = operations(at: path, isTemplate: place.isTemplate)
            if !found.isEmpty { known = (path, found) }
        }
        guard let (path, operations) = known else { return only(.pathUndocumented, paths.first ?? place.path) }
        let method = fixture.method
        let operation =
            operations.first { $0.method == method ?? "GET" } ?? operations.first {
                $0.method == "GET" && method == "HEAD"
            }
            ?? (method == nil ? operations.first : nil)
        guard let operation else {
            if method == "OPTIONS" {
                verdict.state = .skipped("preflight")
                return verdict
            }
            return only(.methodUndocumented, "\(method ?? "ANY") \(path)", against(operations[0].offset))
        }
        seen.insert(operation.offset)
        var found: [LocatedFinding] = []
        if let query = place.query { found += parameters(query, operation, fixture) }
        var reason: String?
        for sample in fixture.samples { judge(sample, operation, fixture, &found, &reason) }
        if let reason {
            verdict.state = .unchecked(reason)
            return verdict
        }
        var told: Swift.Set<LocatedFinding> = []
        verdict.judge(found.filter { told.insert($0).inserted }, of: ComparedParts(\.statuses))
        return verdict
    }

    /// The operations of the path that fits best.
    func operations(at path: String, isTemplate: Bool) -> [OpenAPIDocument.Operation] {
        // The rest of the path after each base; nil if the path is not below it.
        var parts: [String: [String]?] = [:]
        let fitting = document.operations.filter { operation in
            operation.bases.contains { base in
                let known = parts[base]
                let rest =
                    known
                    ?? (path.hasPrefix(base) ? OpenAPIPath.segments(of: path.dropFirst(base.count)) : nil)
                if known == nil { parts[base] = .some(rest) }
                return rest.map { operation.path.matches($0, isTemplate: isTemplate) } ?? false
            }
        }
        let best = fitting.map(\.path.choices).min()
        let template = fitting.first { $0.path.choices == best }?.template
        return fitting.filter { $0.template == template }
    }

    func parameters(
        _ query: [String], _ operation: OpenAPIDocument.Operation, _ fixture: VerifiedFixture
    ) -> [LocatedFinding] {
        guard let parameters = document.queryParameters(of: operation) else { return [] }
        func located(_ id: DriftID, _ name: String, _ old: String?, _ offset: Int) -> LocatedFinding {
            LocatedFinding(
                DriftFinding(.warning, id, at: "query:\(name)", recorded: old, site: .status), file: fixture.path,
                line: fixture.line, against: against(offset))
        }
        func isNamed(_ name: String, _ parameter: String) -> Bool {
            name == parameter || name == parameter + "[]" || name.hasPrefix(parameter + "[")
        }
        var found: [LocatedFinding] = []
        if !parameters.contains(where: \.isOpen) {
            for name in query where !parameters.contains(where: { isNamed(name, $0.name) }) {
                found.append(located(.parameterUndocumented, name, name, operation.offset))
            }
        }
        for parameter in parameters
        where parameter.isRequired && !query.contains(where: { isNamed($0, parameter.name) }) {
            found.append(located(.parameterMissing, parameter.name, nil, parameter.offset))
        }
        return found
    }

    // MARK: The other way round

    /// The parts of the document that no fixture has.
    func unrecorded() -> [LocatedFinding] {
        var found: [LocatedFinding] = []
        func add(_ id: DriftID, _ pointer: String, _ text: String, _ offset: Int) {
            let finding = DriftFinding(.info, id, at: pointer, received: text, site: .status)
            found.append(LocatedFinding(finding, file: label, line: document.line(of: offset)))
        }
        for operation in document.operations {
            let name = "\(operation.method) \(operation.template)"
            guard seen.contains(operation.offset) else {
                add(.operationUnrecorded, "", name, operation.offset)
                continue
            }
            for status in document.statuses(of: operation) where !seen.contains(status.offset) {
                add(.statusUnrecorded, "", "\(name) \(status.key)", status.offset)
            }
        }
        for place in coverage.unseen {
            let parts = place.name.split(ascii: " ", maxSplits: 3, omittingEmptySubsequences: false)
            let pointer = parts.count > 3 ? String(parts[3]) : ""
            let name = parts.prefix(3).joined(separator: " ")
            if let values = place.values {
                add(
                    .enumValueUnrecorded, pointer, "\(name): \(values.map(Self.shown).joined(separator: ", "))",
                    place.offset)
            } else {
                add(.propertyUnrecorded, pointer, name, place.offset)
            }
        }
        return found
    }
}
