// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Drift
package import Fixtures
import HTTPSyntax
import JSONSchema
import JSONText
package import OpenAPI
import Secrets

/// Fixtures held against a document of OpenAPI, and the document against them.
package struct DocumentDifference {
    private let set: FixtureSet
    private let document: OpenAPIDocument
    /// What reports call the document by.
    private let label: String
    private var schemas: OpenAPISchemas
    private let places: SchemaPlaces
    private var coverage: SchemaCoverage
    /// The operations that have a fixture, and the responses, by their places in the document.
    private var seen: Set<Int> = []
    private var file = ""

    package init(_ set: FixtureSet, _ document: OpenAPIDocument, label: String) {
        self.set = set
        self.document = document
        self.label = label
        schemas = OpenAPISchemas(document)
        places = SchemaPlaces(document)
        coverage = SchemaCoverage(document) { $0.string.map(Placeholders.stand) ?? false }
    }

    /// A verdict for each fixture, and one on what the document has besides.
    ///
    /// - Parameter own: the document's path in the fixture directory, where it lies there.
    package mutating func verdicts(without own: String?) -> [FixtureVerdict] {
        var verdicts: [FixtureVerdict] = []
        for fixture in VerifiedFixture.all(of: set) where fixture.stub != nil || fixture.path != own {
            verdicts.append(verdict(fixture))
        }
        var rest = FixtureVerdict(document: label)
        rest.judge(unrecorded())
        return verdicts + [rest]
    }

    private func against(_ offset: Int) -> String { "\(label):\(document.line(of: offset))" }

    // MARK: One fixture

    private mutating func verdict(_ fixture: VerifiedFixture) -> FixtureVerdict {
        var verdict = FixtureVerdict(fixture, request: FixtureDifference.target(fixture), state: .honoured)
        if let reason = fixture.unanswered {
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
            verdict.judge([LocatedFinding(finding, file: fixture.path, line: fixture.line, against: against)])
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
        verdict.judge(found.filter { told.insert($0).inserted })
        return verdict
    }

    /// The operations of the path that fits best.
    private func operations(at path: String, isTemplate: Bool) -> [OpenAPIDocument.Operation] {
        // The rest of the path behind each base; nil where the path is none of it.
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

    private func parameters(
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

    // MARK: One answer

    private mutating func judge(
        _ sample: AnswerSample, _ operation: OpenAPIDocument.Operation, _ fixture: VerifiedFixture,
        _ found: inout [LocatedFinding], _ reason: inout String?
    ) {
        var sites = FixtureSites(root: set.root, fixture)
        func add(_ finding: DriftFinding, _ offset: Int) {
            let (file, line) = sites.place(of: finding)
            found.append(LocatedFinding(finding, file: file, line: line, against: against(offset)))
        }
        if sample.isStatusOpen { return }
        guard let response = document.response(of: operation, status: sample.status) else {
            // What HTTP itself answers to a condition or a range is not always written down.
            let level: DriftLevel = [206, 304, 412, 416].contains(sample.status) ? .info : .breaking
            let finding = DriftFinding(
                level, .statusUndocumented, at: "status", recorded: String(sample.status), sample: sample.index,
                site: .status)
            return add(finding, operation.offset)
        }
        seen.insert(response.offset)
        for header in document.headers(of: response) where fixture.stub != nil {
            let values = sample.headers.filter { $0.name.lowercased() == header.name.lowercased() }.map(\.value)
            guard let value = values.first else {
                if header.isRequired {
                    add(
                        DriftFinding(
                            sample.hasAllHeaders ? .breaking : .warning, .headerMissing, at: "header:\(header.name)",
                            sample: sample.index, site: .header(header.name)), header.offset)
                }
                continue
            }
            guard let schema = header.schema, !Placeholders.stand(in: value) else { continue }
            do throws(OpenAPISchemas.Failure) {
                let known = try schemas.schema(schema, for: .array([]))
                let forms = Self.forms(of: values.joined(separator: ","))
                if forms.contains(where: known.isValid) { continue }
                let violation = forms.first.flatMap { known.validate($0).first }
                add(
                    DriftFinding(
                        .breaking, Self.id(of: violation?.keyword ?? "type").0, at: "header:\(header.name)",
                        recorded: value, received: violation?.message, sample: sample.index, site: .header(header.name)),
                    schema.offset)
            } catch {
                reason = "\(against(error.offset)): \(error.text)"
            }
        }
        if sample.isWithoutBody || fixture.method == "HEAD" || sample.isBodyOpen { return }
        guard let contents = document.contents(of: response) else {
            if !sample.body.isEmpty {
                add(
                    DriftFinding(
                        .warning, .bodyUndocumented, at: "", recorded: "\(sample.body.count) bytes",
                        sample: sample.index, site: .body(offset: 0)), response.offset)
            }
            return
        }
        guard !sample.body.isEmpty else {
            add(
                DriftFinding(
                    .breaking, .bodyMissing, at: "", recorded: "no body", sample: sample.index,
                    site: .body(offset: 0)), response.offset)
            return
        }
        let type = sample.headers.first { $0.name.lowercased() == "content-type" }?.value ?? ""
        guard let content = Self.content(of: type, contents, isImplied: sample.impliesContentType) else {
            add(
                DriftFinding(
                    .breaking, .mediaTypeUndocumented, at: "header:Content-Type",
                    recorded: type.isEmpty ? "none" : type,
                    received: contents.map(\.mediaType).joined(separator: ", "), sample: sample.index,
                    site: .header("Content-Type")), response.offset)
            return
        }
        let essence = MediaType.essence(of: type)
        guard MediaType.isJSON(essence), let schema = content.schema else { return }
        let body: JSONNode
        do throws(JSONError) {
            body = try JSONParser.parse(sample.body)
        } catch {
            add(
                DriftFinding(
                    .breaking, .bodyMalformed, at: "", recorded: error.message, sample: sample.index,
                    site: .body(offset: error.offset)), content.offset)
            return
        }
        do throws(OpenAPISchemas.Failure) {
            let known = try schemas.schema(schema, for: body)
            for violation in known.validate(body) {
                if violation.isGivenUp {
                    reason = violation.message
                    return
                }
                guard let (finding, offset) = self.finding(violation, body, schema, sample) else { continue }
                add(finding, offset)
            }
        } catch {
            reason = "\(against(error.offset)): \(error.text)"
            return
        }
        for stranger in coverage.take(
            body, schema: schema, name: "\(operation.method) \(operation.template) \(response.key) ")
        {
            add(
                DriftFinding(
                    .warning, .propertyUndocumented, at: stranger.pointer,
                    recorded: Self.shown(stranger.value), sample: sample.index, site: .body(offset: stranger.offset)),
                stranger.schemaOffset)
        }
    }

    /// The value of a header line as what it may be in a schema.
    private static func forms(of text: String) -> [JSONNode] {
        var forms: [JSONNode] = [.string(text)]
        if let node = try? JSONParser.parse(text), node.number != nil || node.bool != nil { forms.insert(node, at: 0) }
        let parts = text.split(separator: ",").map { String($0.drop { $0 == " " }) }
        forms.append(.array(parts.map { .string($0) }))
        let numbers = parts.compactMap { try? JSONParser.parse($0) }
        if numbers.count == parts.count { forms.append(.array(numbers)) }
        return forms
    }

    /// The content of a media type: its own, or that of its range.
    private static func content(
        of type: String, _ contents: [(mediaType: String, schema: JSONNode?, offset: Int)], isImplied: Bool
    ) -> (mediaType: String, schema: JSONNode?, offset: Int)? {
        let essence = MediaType.essence(of: type)
        let own = contents.first { MediaType.essence(of: $0.mediaType) == essence }
        if let own { return own }
        let main = essence.prefix { $0 != "/" }
        let range = contents.first { $0.mediaType == "\(main)/*" } ?? contents.first { $0.mediaType == "*/*" }
        if range != nil || !isImplied { return range }
        // Nobody has written the type: JSON is that which the document has.
        return MediaType.isJSON(essence)
            ? contents.first { MediaType.isJSON(MediaType.essence(of: $0.mediaType)) } : nil
    }

    // MARK: Violations

    private static func id(of keyword: String) -> (DriftID, DriftLevel) {
        switch keyword {
        case "type": (.schemaType, .breaking)
        case "required", "dependentRequired": (.schemaRequired, .breaking)
        case "enum", "const": (.schemaEnum, .breaking)
        case "format": (.schemaFormat, .warning)
        case "pattern": (.schemaFormat, .breaking)
        case "additionalProperties", "unevaluatedProperties", "propertyNames", "false", "unevaluatedItems":
            (.schemaAdditional, .breaking)
        case "anyOf", "oneOf", "not", "schema": (.schemaChoice, .breaking)
        default: (.schemaLimit, .breaking)
        }
    }

    /// What a violation is; nil for one that a placeholder makes.
    private func finding(
        _ violation: JSONSchemaViolation, _ body: JSONNode, _ schema: JSONNode, _ sample: AnswerSample
    ) -> (DriftFinding, Int)? {
        var node = body
        var pointer = ""
        for token in violation.pointer.split(separator: "/", omittingEmptySubsequences: false).dropFirst() {
            if let array = node.array, let index = Int(token), array.indices.contains(index) {
                node = array[index]
                pointer += "/*"
            } else {
                node = node[Pointer.unescape(token)] ?? .null
                pointer += "/\(token)"
            }
        }
        if Self.hasPlaceholder(node, deep: ["anyOf", "oneOf", "not", "schema"].contains(violation.keyword)) {
            return nil
        }
        let (id, level) = Self.id(of: violation.keyword)
        let offset = places.offset(of: violation.keyword, at: violation.pointer, in: body, schema: schema)
        let finding = DriftFinding(
            level, id, at: pointer, recorded: Self.shown(node), received: violation.message, sample: sample.index,
            site: .body(offset: node.offset))
        return (finding, offset)
    }

    private static func hasPlaceholder(_ node: JSONNode, deep: Bool) -> Bool {
        switch node.value {
        case .string(let text): Placeholders.stand(in: text)
        case .array(let elements): deep && elements.contains { hasPlaceholder($0, deep: deep) }
        case .object(let object): deep && object.members.contains { hasPlaceholder($0.value, deep: deep) }
        default: false
        }
    }

    private static func shown(_ node: JSONNode) -> String { DriftFinding.shown(node) }

    // MARK: The other way round

    /// What the document has and no fixture.
    private func unrecorded() -> [LocatedFinding] {
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
            let parts = place.name.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false)
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
