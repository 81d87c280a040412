// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPSyntax
import MockapiJSONText

/// Compares the shape that was recorded with the shape that came.
struct ShapeComparison {
    private(set) var findings: [DriftFinding] = []
    /// The places that have a value on both sides.
    private(set) var fields = 0
    /// Whether values at a place are of any form.
    let isMarked: (String) -> Bool
    /// Whether values at a place are noise: their sets and lengths are forgiven, and forms that the live ones differ in.
    let isNoise: (String) -> Bool

    init(
        isMarked: @escaping (String) -> Bool = { _ in false }, isNoise: @escaping (String) -> Bool = { _ in false }
    ) {
        self.isMarked = isMarked
        self.isNoise = isNoise
    }

    mutating func compare(_ old: Shape, _ new: Shape, at pointer: String = "", name: String = "") {
        guard old.count > 0, new.count > 0, !old.kinds.contains(.any), !new.kinds.contains(.any) else { return }
        if !old.kinds.isDisjoint(with: [.null, .bool, .number, .string]) { fields += 1 }
        if old.kinds == .null {
            if let seen = new.first(of: Kinds(rawValue: .max).subtracting([.null, .any])) {
                add(.info, .typeLearned, pointer, old.first(.null), seen)
            }
            return
        }
        if new.kinds.contains(.null), !old.kinds.contains(.null) {
            let isLink = PageLinks.isLink(name, at: pointer, old)
            add(isLink ? .info : .breaking, .becameNullable, pointer, old.first, new.first(.null))
            findings[findings.count - 1].isOfPaging = isLink
        }
        let strange = new.kinds.subtracting(old.kinds).subtracting(.null)
        if let seen = new.first(of: strange) {
            let known = old.first(of: old.kinds.subtracting(.null))
            findings.append(
                finding(
                    .breaking, .typeChanged, pointer, known,
                    recorded: known.map { Self.typed($0, old.kinds.subtracting(.null)) },
                    received: Self.typed(seen, strange)))
        }
        if old.kinds.contains(.number), new.kinds.contains(.number) {
            compareNumbers(old.numbers, new.numbers, pointer, name, old.first(.number))
        }
        if let strings = old.strings, let new = new.strings, !isMarked(pointer) {
            compareStrings(strings, new, pointer, isLink: PageLinks.isLink(name, at: pointer, old))
        }
        if let old = old.arrays, let new = new.arrays {
            compareArrays(old, new, pointer, name)
        }
        compareObjects(old, new, pointer)
    }

    // MARK: Findings

    private func finding(
        _ level: DriftLevel, _ id: DriftID, _ pointer: String, _ place: Sighting?, recorded: String?, received: String?
    ) -> DriftFinding {
        DriftFinding(
            level, id, at: pointer, recorded: recorded, received: received, sample: place?.sample ?? 0,
            site: .body(offset: place?.offset ?? 0))
    }

    private mutating func add(
        _ level: DriftLevel, _ id: DriftID, _ pointer: String, _ old: Sighting?, _ new: Sighting?
    ) {
        findings.append(finding(level, id, pointer, old, recorded: old?.text, received: new?.text))
    }

    private static func typed(_ sighting: Sighting, _ kinds: Kinds) -> String {
        let names = ["null", "boolean", "number", "string", "array", "object", "any"]
        let kind = Kinds.each.filter { kinds.contains($0) }.map { names[$0.index] }.joined(separator: " or ")
        return "\(kind) \(sighting.text)"
    }

    // MARK: Scalars

    private mutating func compareNumbers(
        _ old: NumberFacts, _ new: NumberFacts, _ pointer: String, _ name: String, _ first: Sighting?
    ) {
        if old.isInteger {
            if let seen = new.firstFraction ?? (old.firstBeyond64 == nil ? new.firstBeyond64 : nil)
                ?? (old.firstUnsafe == nil ? new.firstUnsafe : nil)
            {
                add(.breaking, .integerBecameNumber, pointer, first, seen)
                return
            }
            if let seen = new.firstInfinite, old.firstInfinite == nil {
                add(.breaking, .integerBecameNumber, pointer, first, seen)
                return
            }
            if let seen = new.firstDecimal { add(.info, .numberLiteralChanged, pointer, first, seen) }
        } else {
            if let seen = new.firstInfinite, old.firstInfinite == nil {
                add(.breaking, .numberOutOfRange, pointer, first, seen)
                return
            }
            if old.integers == 0, new.isInteger, new.count > 0 {
                let seen = new.firstFraction ?? new.firstDecimal
                findings.append(
                    finding(
                        .info, .numberBecameInteger, pointer, first, recorded: first?.text,
                        received: seen?.text ?? "integers"))
            }
        }
        if !Self.isNoTime(name), let before = old.epochUnit, let now = new.epochUnit, before != now {
            let units = [0: "seconds", 3: "milliseconds", 6: "microseconds", 9: "nanoseconds"]
            findings.append(
                finding(
                    .warning, .epochUnitChanged, pointer, first,
                    recorded: "\(units[before] ?? "") \(first?.text ?? "")",
                    received: units[now]))
        }
    }

    /// Whether the name of a member says that its numbers are not times.
    private static func isNoTime(_ name: String) -> Bool {
        let word = name.lowercased()
        return ["id", "ids", "size", "bytes", "count", "phone", "number", "code", "total", "amount", "price"].contains {
            word == $0 || word.hasSuffix("_\($0)") || word.hasSuffix("-\($0)")
        } || name.hasSuffix("Id") || name.hasSuffix("ID")
    }

    private mutating func compareStrings(
        _ old: StringFacts, _ new: StringFacts, _ pointer: String, isLink: Bool
    ) {
        // A cursor is whatever the service makes of it, and may be empty at the end.
        if isLink { return }
        let isNoise = isNoise(pointer)
        for (format, name) in StringFormats.named where old.common.contains(format) && !new.common.contains(format) {
            // A date-time with a zone is known from one, the others from two.
            guard format == .dateTime || old.count > 1 else { continue }
            // A form is forgiven in noise if the live values themselves are of several.
            if isNoise, new.any.contains(format) { continue }
            var level = DriftLevel.warning
            var seen = new.firstLacking(format)
            if format == .dateTime, let zoneless = new.firstZoneless {
                level = .breaking
                seen = zoneless
            }
            findings.append(
                finding(
                    level, .formatChanged, pointer, old.first,
                    recorded: [name, old.first?.text].compactMap(\.self).joined(separator: " "),
                    received: seen?.text))
            return
        }
        if let (form, name) = TimeForm.change(from: old, to: new, isNoise: isNoise) {
            findings.append(
                finding(
                    .warning, .formatChanged, pointer, old.first, recorded: old.first?.text,
                    received: "\(new.firstByForm[form.rawValue]?.text ?? "") \(name)"))
            return
        }
        guard !isNoise, let known = old.enumeration else { return }
        let list = known.keys.sorted().joined(separator: ", ")
        let fresh = new.values?.filter { known[$0.key] == nil }.min { $0.key < $1.key }?.value ?? new.firstUnlisted
        if let fresh {
            findings.append(
                finding(.warning, .enumValueAdded, pointer, old.first, recorded: list, received: fresh.text))
        }
        if let others = new.enumeration, let gone = known.keys.sorted().first(where: { others[$0] == nil }),
            fresh == nil
        {
            findings.append(
                finding(
                    .info, .enumValueRemoved, pointer, known[gone], recorded: gone,
                    received: others.keys.sorted().joined(separator: ", ")))
        }
    }

    // MARK: Arrays

    private mutating func compareArrays(
        _ old: ArrayFacts, _ new: ArrayFacts, _ pointer: String, _ name: String
    ) {
        let first = old.items?.first
        guard let items = old.items else {
            if let seen = new.items?.first { add(.info, .itemsLearned, pointer + "/*", nil, seen) }
            return
        }
        guard let others = new.items else {
            if old.shortest > 0, !isNoise(pointer) {
                findings.append(
                    finding(.info, .itemsEmpty, pointer, first, recorded: "\(old.longest) items", received: "[]"))
            }
            return
        }
        if let tuple = old.tuple, !isNoise(pointer) {
            if new.shortest < tuple.count {
                findings.append(
                    finding(
                        .breaking, .tupleLengthChanged, pointer, first, recorded: "\(tuple.count) items",
                        received: "\(new.shortest)"))
                return
            }
            if let positions = new.positions, positions.count == tuple.count {
                for (index, kinds) in positions.enumerated() where !tuple[index].isSuperset(of: kinds) {
                    let seen = others.first(of: kinds.subtracting(tuple[index]))
                    findings.append(
                        finding(
                            .breaking, kinds == .null ? .becameNullable : .typeChanged, "\(pointer)/\(index)", first,
                            recorded: items.first(of: tuple[index])?.text, received: seen?.text))
                }
            } else {
                findings.append(
                    finding(
                        .info, .tupleLengthChanged, pointer, first, recorded: "\(tuple.count) items",
                        received: "\(new.longest)"))
                return
            }
        }
        compare(items, others, at: pointer + "/*", name: name)
    }

    // MARK: Objects

    private mutating func compareObjects(_ old: Shape, _ new: Shape, _ pointer: String) {
        guard let known = old.allObjects, let live = new.allObjects else { return }
        if let repeated = live.firstRepeated, known.firstRepeated == nil {
            findings.append(
                finding(
                    .warning, .duplicateKey, pointer, known.first, recorded: nil, received: "\"\(repeated.text)\" twice"
                ))
        }
        // One kind alone does not distinguish, unless the member is there for nothing else.
        let isNamed = old.variants.keys.allSatisfy { $0.hasPrefix("__typename=") || $0.hasPrefix("@type=") }
        let tellsApart =
            old.variants.count > (isNamed ? 0 : 1) && old.objects == nil && new.objects == nil && !new.variants.isEmpty
        guard tellsApart else { return compare(known, live, pointer, optional: []) }
        // A member that is optional in one kind may be so in the others.
        var optional: Set<String> = []
        for variant in old.variants.values {
            for name in variant.members.keys where !variant.isInAll(name) { optional.insert(name) }
        }
        var reported: Set<DriftFinding> = []
        let strangers = ObjectFacts()
        for kind in new.variants.keys.sorted() {
            guard let live = new.variants[kind] else { continue }
            guard let known = old.variants[kind] else {
                strangers.merge(live)
                continue
            }
            var inner = ShapeComparison(isMarked: isMarked, isNoise: isNoise)
            inner.compare(known, live, pointer, optional: optional)
            fields += inner.fields
            for finding in inner.findings where reported.insert(finding).inserted { findings.append(finding) }
        }
        guard strangers.count > 0, let first = strangers.first else { return }
        // A member that every item of several kinds had is in a new kind, too.
        var base = ShapeComparison(isMarked: isMarked, isNoise: isNoise)
        if old.variants.count > 1 { base.compareCommon(known, strangers, pointer, optional: optional) }
        for finding in base.findings where reported.insert(finding).inserted { findings.append(finding) }
        let words = new.variants.keys.filter { old.variants[$0] == nil }.sorted()
        guard let name = words.first?.split(ascii: "=").first.map(String.init) else { return }
        let member = JSONPointer.appending(name, to: pointer)
        let kinds = old.variants.keys.sorted().map { String($0.drop { $0 != "=" }.dropFirst()) }
        let isEnumeration = known.members[name]?.shape.strings?.enumeration != nil
        let place = known.members[name]?.shape.first ?? first
        if !isNoise(member) {
            findings.append(
                finding(
                    isEnumeration ? .warning : .info, isEnumeration ? .enumValueAdded : .variantAdded, member, place,
                    recorded: kinds.joined(separator: ", "),
                    received: words.map { String($0.drop { $0 != "=" }.dropFirst()) }.joined(separator: ", ")))
        }
    }

    private mutating func compare(
        _ old: ObjectFacts, _ new: ObjectFacts, _ pointer: String, optional: Set<String>
    ) {
        if let (left, right, others) = Self.maps(old, new) {
            compare(left, right, at: pointer + "/*")
            for name in others { addMember(name, of: new, to: old, pointer) }
            return
        }
        for name in old.members.keys.sorted() {
            guard let known = old.members[name] else { continue }
            let place = JSONPointer.appending(name, to: pointer)
            let live = new.members[name]
            if live?.count ?? 0 < new.count {
                let isRequired = old.isInAll(name) && !optional.contains(name)
                if isRequired || live == nil {
                    let isLink = PageLinks.isLink(name, at: place, known.shape)
                    let level: DriftLevel =
                        if !isRequired || isLink {
                            .info
                        } else if known.shape.kinds == .null {
                            .warning
                        } else {
                            .breaking
                        }
                    add(level, .propertyRemoved, place, known.shape.first, nil)
                    findings[findings.count - 1].isOfPaging = isLink
                    findings[findings.count - 1].received = new.members.otherForm(of: name)
                }
            }
            if let live { compare(known.shape, live.shape, at: place, name: name) }
        }
        for name in new.members.keys.sorted() where old.members[name] == nil {
            addMember(name, of: new, to: old, pointer)
        }
    }

    /// Compares the members that all objects have, whatever kinds they are of.
    private mutating func compareCommon(
        _ old: ObjectFacts, _ new: ObjectFacts, _ pointer: String, optional: Set<String>
    ) {
        for name in old.members.keys.sorted() where old.isInAll(name) && !optional.contains(name) {
            guard let known = old.members[name], !Shape.discriminators.contains(name) else { continue }
            let place = JSONPointer.appending(name, to: pointer)
            let live = new.members[name]
            if live?.count ?? 0 < new.count, !PageLinks.isLink(name, at: place, known.shape) {
                add(known.shape.kinds == .null ? .warning : .breaking, .propertyRemoved, place, known.shape.first, nil)
            }
            if let live { compare(known.shape, live.shape, at: place, name: name) }
        }
    }

    private mutating func addMember(_ name: String, of new: ObjectFacts, to old: ObjectFacts, _ pointer: String) {
        guard let seen = new.members[name]?.shape.first else { return }
        let place = JSONPointer.appending(name, to: pointer)
        findings.append(finding(.info, .propertyAdded, place, old.first, recorded: nil, received: seen.text))
    }

    /// The values of two objects that are maps, and the names of the second that are not among its keys; nil if they are not maps.
    private static func maps(_ old: ObjectFacts, _ new: ObjectFacts) -> (Shape, Shape, others: [String])? {
        let names = old.members.keys
        if old.members[MapKeys.any] != nil || new.members[MapKeys.any] != nil {
            return (old.values(), new.values(), [])
        }
        // Codes that come beside codes are not words.
        let all = Set((names + new.members.keys).map(ExactText.init)).map(\.text)
        let isMap = MapKeys.areKeys(names) || MapKeys.areKeys(all, least: all.count > names.count ? 2 : 3)
        // The values of a map are of one look.
        let looks = Set(old.members.values.map { $0.shape.kinds.subtracting(.null) }).subtracting([[]])
        guard !names.isEmpty, isMap, looks.count < 2 || names.allSatisfy(MapKeys.isIdentifier) else { return nil }
        let others = new.members.keys.filter { !MapKeys.isKey($0) }.sorted()
        // None that could be a key: an object in the place of the map.
        if !new.members.isEmpty, others.count == new.members.count { return nil }
        return (old.values(), new.values(but: Set(others)), others)
    }
}
