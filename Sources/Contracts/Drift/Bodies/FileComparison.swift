// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures

/// Compares a live body with the one recorded body that it is held against: tables, drawings, and files by their bytes.
struct FileComparison {
    private(set) var findings: [DriftFinding] = []
    private let known: ResponseSample
    private let response: ResponseSample
    private let noise: Noise

    init(_ known: ResponseSample, _ response: ResponseSample, noise: Noise) {
        self.known = known
        self.response = response
        self.noise = noise
    }

    private mutating func add(
        _ level: DriftLevel, _ id: DriftID, _ old: String?, _ new: String?, at pointer: String = ""
    ) {
        findings.append(
            DriftFinding(
                level, id, at: pointer, recorded: old, received: new, sample: known.index, site: .body(offset: 0)))
    }

    // MARK: Tables

    mutating func compareTables() -> BodyOutcome {
        let (old, new) = (TableText(known.body), TableText(response.body))
        let differences = old.differences(to: new, sample: known.index)
        findings += differences
        if differences.contains(where: { $0.id == .delimiterChanged }) { return .compared(\.values) }
        if old.longestRow <= old.width, new.longestRow > new.width {
            add(.breaking, .bodyMalformed, "\(old.width) columns", "a row of \(new.longestRow) cells")
        }
        let (rows, others) = (Shape(), Shape())
        for record in old.records { rows.add(record, sample: known.index) }
        for record in new.records { others.add(record, sample: 0) }
        if rows.count > 0, others.count == 0 { add(.info, .itemsEmpty, "\(rows.count) rows", "none") }
        let noise = noise
        var comparison = ShapeComparison(isMarked: { noise.isMarked($0) }, isNoise: { noise.contains($0) })
        comparison.compare(rows, others, at: "/*")
        // A column that is gone has been reported; a cell that a row lacks has not.
        let told = Set(differences.map(\.pointer))
        findings += comparison.findings.filter { finding in
            switch finding.id {
            case .propertyAdded: false
            case .propertyRemoved: !told.contains(finding.pointer) && old.width == new.width
            default: true
            }
        }
        return .compared(ComparedParts(\.fields, max(1, old.width)))
    }

    // MARK: Drawings

    mutating func compareDrawings() -> BodyOutcome {
        guard let old = XMLDocument.parse(known.body) else {
            return .blocked(BodyObstacle.ofValues(known.body, .svg))
        }
        guard let new = XMLDocument.parse(response.body), old.names.flaw != nil || new.names.flaw == nil else {
            add(.breaking, .bodyMalformed, "svg", BodyComparison.shown(response.body))
            return .compared(\.images)
        }
        if old.root == "svg", new.root != "svg" {
            add(.breaking, .mediaTypeMismatch, response.mediaType, "<\(new.root)>")
        } else {
            findings += old.names.rootDifference(to: new.names, sample: known.index)
        }
        return .compared(\.images)
    }

    // MARK: Bytes

    mutating func compareBytes() -> BodyOutcome {
        let (old, new) = (Self.signature(known), Self.signature(response))
        let expected = Signature.expected(for: response.mediaType)
        let isExpected = new.map(expected.contains) ?? !expected.contains(where: \.isCertain)
        let wanted = Signature.expected(for: known.mediaType)
        let wasExpected = old.map(wanted.contains) ?? false
        if !expected.isEmpty, !isExpected, wasExpected {
            add(
                .breaking, .mediaTypeMismatch, response.mediaType,
                new?.shortName ?? BodyComparison.shown(response.body))
            return .compared(\.files)
        }
        guard let old else {
            if let name = wanted.first?.shortName, wanted.allSatisfy(\.isCertain), known.body != response.body {
                return .blocked("the fixture's own body is not \(name)")
            }
            if let new, wanted.contains(new) {
                return .blocked("the fixture's own body is not \(new.shortName)")
            }
            let (look, other) = (BodyLook(known.body), BodyLook(response.body))
            if look != other, other == .markup || other == .json || other == .text && look != .bytes {
                add(.breaking, .mediaTypeMismatch, response.mediaType, BodyComparison.shown(response.body))
            }
            return .compared(\.files)
        }
        guard let new, old == new else {
            // A type that changed along with the bytes is reported by its header line.
            if known.mediaType == response.mediaType {
                add(.breaking, .imageFormatChanged, old.shortName, new?.shortName ?? "unknown bytes")
            }
            return .compared(\.files)
        }
        return compareFrames(old)
    }

    /// Compares two files of one kind.
    private mutating func compareFrames(_ kind: Signature) -> BodyOutcome {
        let (facts, others) = (ImageFacts(known.body, kind), ImageFacts(response.body, kind))
        if facts.width == nil, others.width != nil {
            return .blocked("the fixture's own body is a broken \(kind.shortName)")
        }
        let (flaw, newFlaw) = (FileFlaw.of(known.body, kind), FileFlaw.of(response.body, kind))
        // If a service's files have always had a flaw, its clients do not mind it.
        if let flaw, flaw != newFlaw {
            return .blocked("the fixture's own body is a broken \(kind.shortName): \(flaw)")
        }
        if facts.width != nil && others.width == nil || facts.height != nil && others.height == nil {
            add(.breaking, .bodyMalformed, kind.shortName, "no \(kind.shortName) whose size can be read")
        } else if flaw == nil, let newFlaw {
            add(.breaking, .bodyMalformed, kind.shortName, "a broken one: \(newFlaw)")
        }
        findings += facts.differences(to: others, sample: known.index)
        if kind == .ttf || kind == .otf { compareTablesOfFonts() }
        return .compared(facts.width == nil ? \.files : \.images)
    }

    private mutating func compareTablesOfFonts() {
        guard let old = FileFlaw(bytes: known.body).tables(), let new = FileFlaw(bytes: response.body).tables() else {
            return
        }
        for name in Set(old.keys).subtracting(new.keys).sorted() {
            let isNeeded = FileFlaw.neededTables.contains(name)
            add(isNeeded ? .breaking : .warning, .propertyRemoved, "a table of the font", nil, at: "/\(name)")
        }
        for name in Set(new.keys).subtracting(old.keys).sorted() {
            add(.info, .propertyAdded, nil, "a table of the font", at: "/\(name)")
        }
    }

    private static func signature(_ sample: ResponseSample) -> Signature? {
        Signature.of(Array(sample.body.prefix(512)))
    }
}
