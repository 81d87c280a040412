// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiDrift
import MockapiFixtures
import MockapiHTTPSyntax
import MockapiJSONSchema
import MockapiJSONText
import MockapiOpenAPI
import MockapiSecrets

// The findings on departures of a recorded response from a document.
extension DocumentDifference {
    // MARK: One response

    mutating func judge(
        _ sample: ResponseSample, _ operation: OpenAPIDocument.Operation, _ fixture: VerifiedFixture,
        _ found: inout [LocatedFinding], _ reason: inout String?
    ) {
        var sites = FixtureSites(root: set.root, fixture)
        func add(_ finding: DriftFinding, _ offset: Int) {
            let (file, line) = sites.place(of: finding)
            found.append(LocatedFinding(finding, file: file, line: line, against: against(offset)))
        }
        if sample.isStatusOpen { return }
        guard let response = document.response(of: operation, status: sample.status) else {
            // Documents do not always list the statuses that HTTP itself has for a condition or a range.
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
                if forms.contains(where: { known.isValid($0) }) { continue }
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
                        .warning, .bodyUndocumented, at: "",
                        recorded: "\(sample.body.count) bytes"
                            + (sample.mediaType.isEmpty ? "" : " of \(sample.mediaType)"),
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
                    .warning, stranger.isWriteOnly ? .schemaWriteOnly : .propertyUndocumented, at: stranger.pointer,
                    recorded: Self.shown(stranger.value), sample: sample.index, site: .body(offset: stranger.offset)),
                stranger.schemaOffset)
        }
    }

    /// The value of a header line in the forms that a schema may ask for.
    static func forms(of text: String) -> [JSONNode] {
        var forms: [JSONNode] = [.string(text)]
        if let node = try? JSONParser.parse(text), node.number != nil || node.bool != nil { forms.insert(node, at: 0) }
        let parts = text.split(ascii: ",").map { String($0.drop { $0 == " " }) }
        forms.append(.array(parts.map { .string($0) }))
        let numbers = parts.compactMap { try? JSONParser.parse($0) }
        if numbers.count == parts.count { forms.append(.array(numbers)) }
        return forms
    }

    /// The content of a media type: its own, or that of its range.
    static func content(
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

    static func id(of keyword: String) -> (DriftID, DriftLevel) {
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

    /// The finding of a violation; nil if a placeholder causes it.
    func finding(
        _ violation: JSONSchemaViolation, _ body: JSONNode, _ schema: JSONNode, _ sample: ResponseSample
    ) -> (DriftFinding, Int)? {
        var node = body
        var pointer = ""
        for token in JSONPointer.tokens(violation.pointer) {
            if let array = node.array, let index = Int(token), array.indices.contains(index) {
                node = array[index]
                pointer += "/*"
            } else {
                node = node[token] ?? .null
                pointer = JSONPointer.appending(token, to: pointer)
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

    static func hasPlaceholder(_ node: JSONNode, deep: Bool) -> Bool {
        switch node.value {
        case .string(let text): Placeholders.stand(in: text)
        case .array(let elements): deep && elements.contains { hasPlaceholder($0, deep: deep) }
        case .object(let object): deep && object.members.contains { hasPlaceholder($0.value, deep: deep) }
        default: false
        }
    }

    static func shown(_ node: JSONNode) -> String { DriftFinding.shown(node) }
}
