// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONSchema
package import MockapiJSONText

/// The requirements on single places of a response: the `contract` of a stub.
package struct ContractPins: Sendable {
    struct Pin: Sendable {
        let place: ResponsePlace
        var isNeeded = false
        /// Whether it says that no client needs the place.
        var isUnneeded = false
        var isOptional = false
        /// Whether null is as good as nothing where that is.
        var isNullable = true
        var isIgnored = false
        var types: [String] = []
        var format: StringFormats?
        var formatName = ""
        /// The schema of a format that JSON Schema has, and that samples are not searched for.
        var schema: JSONSchema?
        var values: [JSONNode]?
        var equals: JSONNode?
        var fewestItems: Int?

        /// Whether a loss of this kind harms no client.
        func forgives(_ loss: DriftID) -> Bool {
            guard isOptional else { return false }
            return loss == .becameNullable ? isNullable : [.propertyRemoved, .headerRemoved].contains(loss)
        }

        /// The values that are allowed; nil if all are.
        var allowed: [JSONNode]? {
            values == nil && equals == nil ? nil : (equals.map { [$0] } ?? []) + (values ?? [])
        }
    }

    let pins: [Pin]
    /// Mistakes in the contract itself, whatever the response is.
    let slips: [String]

    package static let none = ContractPins(.null)

    /// Whether a pin names a client's needs, so that the rest weighs less.
    var weighs: Bool { pins.contains(where: \.isNeeded) }

    private init(pins: [Pin], slips: [String]) {
        self.pins = pins
        self.slips = slips
    }

    /// - Parameter node: an object of places; anything else asks for nothing.
    package init(_ node: JSONNode) {
        var slips: [String] = []
        pins = (node.object?.members ?? []).compactMap { member in
            guard let place = ResponsePlace(named: member.name) else {
                slips.append("\(member.name) is not a place: a pointer such as /id, status or header:NAME")
                return nil
            }
            var pin = Pin(place: place)
            for word in member.value.object?.members ?? [] {
                switch word.name {
                case "needed":
                    pin.isNeeded = word.value.bool == true
                    pin.isUnneeded = !pin.isNeeded
                case "optional": pin.isOptional = word.value.bool == true
                case "nullable": pin.isNullable = word.value.bool != false
                case "ignore": pin.isIgnored = word.value.bool == true
                case "type":
                    pin.types = word.value.string.map { [$0] } ?? (word.value.array ?? []).compactMap(\.string)
                case "format":
                    pin.formatName = word.value.string ?? ""
                    pin.format = StringFormats.named(pin.formatName)
                    if pin.format == nil {
                        pin.schema = try? JSONSchema(.object(["format": word.value]), version: .draft7)
                        // A format that accepts anything is not a known one.
                        if pin.schema?.isValid(.string("\u{0}")) ?? true {
                            pin.schema = nil
                            slips.append("\(member.name) asks for the format \(pin.formatName), which is unknown")
                        }
                    }
                case "enum": pin.values = word.value.array
                case "equals": pin.equals = word.value
                case "minItems": pin.fewestItems = word.value.number?.integer
                default: break
                }
            }
            return pin
        }
        self.slips = slips
    }

    /// The places that a client needs, or that are asked to be something, and that no response has; with the slips of the contract itself.
    ///
    /// - Parameters:
    ///   - documents: the recorded and the live bodies as JSON; nil if they are not JSON.
    ///   - headers: the names of all lines, in lower case.
    package func unknownPlaces(in documents: [JSONNode]?, headers: Set<String>) -> [String] {
        slips
            + pins.filter { isUnknown($0, documents, headers) }.map { pin in
                "nothing is at \(pin.place.text), so that it asks for nothing"
            }
    }

    /// The pins without those whose places no response has.
    func known(in documents: [JSONNode]?, headers: Set<String>) -> ContractPins {
        ContractPins(pins: pins.filter { !isUnknown($0, documents, headers) }, slips: slips)
    }

    private func isUnknown(_ pin: Pin, _ documents: [JSONNode]?, _ headers: Set<String>) -> Bool {
        if pin.isOptional || pin.isIgnored || pin.isUnneeded { return false }
        switch pin.place {
        case .status: return false
        case .header(let name): return !headers.contains(name)
        case .body(let place):
            guard let documents, !documents.isEmpty else { return false }
            return documents.allSatisfy { place.isAbsent(from: $0) }
        }
    }

    /// Whether any pin looks at values of the body.
    var readsValues: Bool {
        pins.contains {
            $0.place.body != nil
                && (!$0.types.isEmpty || !$0.formatName.isEmpty || $0.allowed != nil || $0.fewestItems != nil)
        }
    }

    /// The findings as the pins weigh them, with the responses' violations of a pin.
    ///
    /// - Parameter documents: the live bodies as JSON, as far as they are.
    func applied(
        to found: [DriftFinding], documents: [JSONNode], headers: [(name: String, values: [String])], status: Int
    ) -> [DriftFinding] {
        var findings = found.compactMap { finding -> DriftFinding? in
            var finding = finding
            for pin in pins {
                if pin.isIgnored, pin.place.contains(place(finding)) { return nil }
                guard pin.place.matches(place(finding)) else { continue }
                if decides(pin, finding) { return nil }
                if pin.forgives(finding.id) {
                    finding.level = .info
                    return finding
                }
                let isPinned =
                    pin.isNeeded || !pin.types.isEmpty || pin.format != nil || pin.schema != nil
                    || pin.allowed != nil
                if isPinned, finding.level == .warning { finding.level = .breaking }
            }
            return finding
        }
        if weighs {
            findings = findings.map { finding in
                var finding = finding
                guard finding.id != .statusChanged else { return finding }
                let isNeeded = pins.contains { $0.isNeeded && $0.place.isWithin(place(finding)) }
                finding.isNeeded = isNeeded
                let isForgiven =
                    finding.level == .info
                    && pins.contains { $0.isOptional && $0.place.matches(place(finding)) }
                if isForgiven { return finding }
                if isNeeded {
                    let isLost = [.propertyRemoved, .becameNullable].contains(finding.id)
                    // The comparison has said of a link to another page that it harms nobody.
                    let isLoss = isLost && !finding.isOfPaging
                    if finding.level == .warning || isLoss { finding.level = .breaking }
                } else if !pins.contains(where: { !$0.isNeeded && !$0.isUnneeded && $0.place.matches(place(finding)) })
                {
                    finding.level = .info
                }
                return finding
            }
        }
        for pin in pins where !pin.isIgnored {
            let broken =
                switch pin.place {
                case .body(let place): broken(pin, place, documents, found)
                case .status: brokenStatus(pin, status)
                case .header(let name): brokenLine(pin, name, headers)
                }
            if let broken { findings.append(broken) }
        }
        return findings
    }

    private func place(_ finding: DriftFinding) -> ResponsePlace? { ResponsePlace(named: finding.pointer) }

    /// Whether a pin has its own rule for the subject of a finding.
    private func decides(_ pin: Pin, _ finding: DriftFinding) -> Bool {
        switch finding.id {
        case .typeChanged, .integerBecameNumber, .numberBecameInteger, .numberLiteralChanged, .typeLearned,
            .numberOutOfRange:
            !pin.types.isEmpty
        case .becameNullable: !pin.types.isEmpty && !pin.forgives(.becameNullable)
        case .formatChanged: pin.format != nil || pin.schema != nil
        case .enumValueAdded, .enumValueRemoved, .variantAdded, .headerChanged, .valueChanged, .statusChanged:
            pin.allowed != nil
        default: false
        }
    }

    private func broken(_ pin: Pin, _ place: JSONPlace, _ documents: [JSONNode], _ found: [DriftFinding])
        -> DriftFinding?
    {
        let values = documents.flatMap { place.values(in: $0) }
        let known = found.first { pin.place.matches(self.place($0)) }
        func finding(_ id: DriftID, _ asked: String, _ value: JSONNode) -> DriftFinding {
            DriftFinding(
                .breaking, id, at: pin.place.text, recorded: asked, received: Sighting.text(value),
                sample: known?.sample ?? 0, site: known?.site ?? .body(offset: 0))
        }
        for value in values {
            if value.isNull, pin.forgives(.becameNullable) { continue }
            if !pin.types.isEmpty, !pin.types.contains(where: { Self.isOf($0, value) }) {
                return finding(
                    value.isNull ? .becameNullable : .typeChanged, pin.types.joined(separator: " or "), value)
            }
            if value.isNull { continue }
            if let format = pin.format, let text = value.string, !StringFormats.of(text).contains(format) {
                return finding(.formatChanged, pin.formatName, value)
            }
            if let schema = pin.schema, value.string != nil, !schema.isValid(value) {
                return finding(.formatChanged, pin.formatName, value)
            }
            if let allowed = pin.values, !allowed.contains(value) {
                return finding(.enumValueAdded, allowed.map(Sighting.text).joined(separator: ", "), value)
            }
            if let equals = pin.equals, value != equals { return finding(.valueChanged, Sighting.text(equals), value) }
            if let fewest = pin.fewestItems, let items = value.array, items.count < fewest {
                var few = finding(.itemsTooFew, "\(fewest) items", .integer(items.count))
                few.level = .warning
                return few
            }
        }
        return nil
    }

    private func brokenStatus(_ pin: Pin, _ status: Int) -> DriftFinding? {
        guard let allowed = pin.allowed, !allowed.contains(.integer(status)) else { return nil }
        return DriftFinding(
            .breaking, .statusChanged, at: "status", recorded: allowed.map(Sighting.text).joined(separator: ", "),
            received: String(status), site: .status)
    }

    private func brokenLine(_ pin: Pin, _ name: String, _ headers: [(name: String, values: [String])]) -> DriftFinding?
    {
        guard let allowed = pin.allowed, let line = headers.first(where: { $0.name.lowercased() == name }),
            let value = line.values.first, !allowed.contains(.string(value))
        else { return nil }
        return DriftFinding(
            .breaking, .valueChanged, at: "header:\(line.name)",
            recorded: allowed.map { $0.string ?? Sighting.text($0) }.joined(separator: ", "), received: value,
            site: .header(line.name))
    }

    private static func isOf(_ type: String, _ value: JSONNode) -> Bool {
        switch (type, value.value) {
        case ("null", .null), ("boolean", .bool), ("bool", .bool), ("string", .string), ("array", .array),
            ("object", .object), ("number", .number), ("any", _):
            true
        case ("integer", .number(let number)): number.integer != nil
        default: false
        }
    }
}
