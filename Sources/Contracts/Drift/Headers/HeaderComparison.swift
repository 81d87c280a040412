// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax
import MockapiSecrets

/// Compares the header lines of recorded responses with those of live ones, by their meaning to a client.
struct HeaderComparison {
    private(set) var findings: [DriftFinding] = []
    private let recorded: [ResponseSample]
    private let live: [ResponseSample]
    private let isVolatile: (String) -> Bool

    init(_ recorded: [ResponseSample], _ live: [ResponseSample], volatile: [String]) {
        self.recorded = recorded
        self.live = live
        let names = Set(volatile.map { $0.lowercased() })
        isVolatile = { names.contains($0) }
    }

    mutating func compare() {
        guard !recorded.isEmpty, !live.isEmpty else { return }
        var seen: Set<String> = []
        for line in recorded.flatMap(\.headers) where seen.insert(line.name.lowercased()).inserted {
            compare(line.name)
        }
        let isComplete = recorded.contains(where: \.hasAllHeaders)
        for line in live.flatMap(\.headers) where seen.insert(line.name.lowercased()).inserted {
            added(line.name, isComplete: isComplete)
        }
    }

    private mutating func add(
        _ level: DriftLevel, _ id: DriftID, _ name: String, _ old: String?, _ new: String?
    ) {
        let sample = recorded.firstIndex { !$0.values(of: name).isEmpty } ?? 0
        findings.append(
            DriftFinding(
                level, id, at: "header:\(name)", recorded: old, received: new, sample: recorded[sample].index,
                site: .header(name)))
    }

    private mutating func compare(_ name: String) {
        let lower = name.lowercased()
        let kind = HeaderClass.of(lower)
        if case .framing = kind { return }
        let olds = recorded.map { $0.values(of: name) }
        let news = live.map { $0.values(of: name) }
        let known = olds.filter { !$0.isEmpty }
        let isAlways = known.count == olds.count
        let isMissing = news.contains(where: \.isEmpty)
        guard let old = known.first, news.contains(where: { !$0.isEmpty }), !(isMissing && isAlways) else {
            removed(name, kind, known.first ?? [], isAlways: isAlways)
            return
        }
        switch kind {
        case .framing, .momentary: return
        case .cookies: return compareCookies(name, olds, news)
        case .contentType:
            if !old.contains(where: Placeholders.stand) { compareContentType(name, olds, news) }
            return
        default: break
        }
        // Each live value is compared with the recorded one that it fits best.
        var told: Set<DriftFinding> = []
        for new in news where !new.isEmpty {
            var best: [DriftFinding]?
            for old in known {
                let found = changes(name, kind, old, new)
                let isBetter = best.map { DriftFinding.weight(found) < DriftFinding.weight($0) } ?? true
                if isBetter { best = found }
            }
            for finding in best ?? [] where told.insert(finding).inserted { findings.append(finding) }
        }
    }

    /// The findings on another value of a field.
    private func changes(_ name: String, _ kind: HeaderClass, _ old: [String], _ new: [String]) -> [DriftFinding] {
        if old.contains(where: Placeholders.stand), !isStructured(kind) { return [] }
        var one = self
        one.findings = []
        let lower = name.lowercased()
        switch kind {
        case .ofBody: one.compareTags(name, old, new)
        case .contentEncoding: if old != new { one.add(.info, .contentEncodingChanged, name, text(old), text(new)) }
        case .contentLanguage:
            if HeaderValues.words(old) != HeaderValues.words(new) {
                one.add(.warning, .contentLanguageChanged, name, text(old), text(new))
            }
        case .contentDisposition: one.compareDisposition(name, old, new)
        case .location: one.compareLocation(name, old, new)
        case .authenticate:
            one.compareSets(
                name, HeaderValues.schemes(old), HeaderValues.schemes(new), .breaking, .authSchemeRemoved,
                .authSchemeAdded)
        case .allow:
            one.compareSets(
                name, Set(HeaderValues.list(old)), Set(HeaderValues.list(new)), .breaking, .methodRemoved, .methodAdded)
        case .link: one.compareLinks(name, old, new)
        case .vary:
            if HeaderValues.words(old) != HeaderValues.words(new) {
                one.add(.warning, .varyChanged, name, text(old), text(new))
            }
        case .cacheControl: one.compareCaching(name, old, new)
        case .cors: one.compareCORS(name, lower, old, new)
        case .deprecation:
            let times = [old, new].map { $0.first.flatMap { HTTPDate.parse($0, now: 0) } }
            let isLater = if let before = times[0], let now = times[1] { now > before } else { false }
            if old != new { one.add(isLater ? .info : .warning, .headerChanged, name, text(old), text(new)) }
        case .apiVersion: if !old.areExactly(new) { one.add(.warning, .apiVersionChanged, name, text(old), text(new)) }
        case .ranges:
            if lower == "accept-ranges", HeaderValues.words(old) != HeaderValues.words(new) {
                one.add(.warning, .headerChanged, name, text(old), text(new))
            }
        case .other:
            let isSame = HeaderValues.withoutNonces(old).areExactly(HeaderValues.withoutNonces(new))
            // Several values that were recorded are data.
            let known = Set(recorded.map { $0.values(of: name) }.filter { !$0.isEmpty })
            if !isSame, known.count == 1, !isVolatile(lower), lower != "content-location" {
                one.add(.info, .headerChanged, name, text(old), text(new))
            }
        default: break
        }
        return one.findings
    }

    /// Whether a comparison looks past placeholders by itself.
    private func isStructured(_ kind: HeaderClass) -> Bool {
        switch kind {
        case .cookies, .location, .link, .authenticate: true
        default: false
        }
    }

    private func text(_ values: [String]) -> String { values.joined(separator: ", ") }

    // MARK: Presence

    private mutating func removed(_ name: String, _ kind: HeaderClass, _ old: [String], isAlways: Bool) {
        let value = text(old)
        guard isAlways else {
            if case .momentary = kind { return }
            add(.info, .headerRemoved, name, value, nil)
            return
        }
        switch kind {
        case .framing, .deprecation, .contentEncoding: add(.info, .headerRemoved, name, value, nil)
        case .momentary: add(.info, .headerRemoved, name, value, nil)
        case .cookies: compareCookies(name, recorded.map { $0.values(of: name) }, live.map { $0.values(of: name) })
        case .link: compareLinks(name, old, [])
        case .contentType, .location, .authenticate, .allow: add(.breaking, .headerRemoved, name, value, nil)
        case .vary: add(.warning, .varyChanged, name, value, nil)
        default: add(.warning, .headerRemoved, name, value, nil)
        }
    }

    private mutating func added(_ name: String, isComplete: Bool) {
        let kind = HeaderClass.of(name.lowercased())
        var told: Set<DriftFinding> = []
        for values in live.map({ $0.values(of: name) }) where !values.isEmpty {
            var one = self
            one.findings = []
            one.added(name, kind, values, isComplete: isComplete)
            for finding in one.findings where told.insert(finding).inserted { findings.append(finding) }
        }
    }

    private mutating func added(_ name: String, _ kind: HeaderClass, _ values: [String], isComplete: Bool) {
        switch kind {
        // Among warnings, persistent ones of any text are about the service, others about a cache (RFC 7234 §5.5).
        case .deprecation where name.lowercased() == "warning" && !values.contains { $0.hasPrefix("299") }: break
        case .deprecation: add(.warning, .deprecationAdded, name, nil, text(values))
        // The recorder keeps none of those of the moment.
        case .framing, .momentary: break
        case _ where !isComplete: break
        case .contentEncoding: add(.info, .contentEncodingChanged, name, nil, text(values))
        case .cookies: compareCookies(name, [[]], [values])
        case .vary: add(.warning, .varyChanged, name, nil, text(values))
        case .cacheControl: compareCaching(name, [], values)
        case .link: compareLinks(name, [], values)
        default: add(.info, .headerAdded, name, nil, text(values))
        }
    }

    // MARK: Classes

    private mutating func compareSets(
        _ name: String, _ old: Set<String>, _ new: Set<String>, _ level: DriftLevel, _ gone: DriftID, _ fresh: DriftID
    ) {
        let (lost, gained) = (old.subtracting(new).sorted(), new.subtracting(old).sorted())
        if !lost.isEmpty { add(level, gone, name, lost.joined(separator: ", "), nil) }
        if !gained.isEmpty { add(.info, fresh, name, nil, gained.joined(separator: ", ")) }
    }

    private mutating func compareTags(_ name: String, _ old: [String], _ new: [String]) {
        guard name.lowercased() == "etag", let first = old.first, !first.hasPrefix("W/") else { return }
        if let weak = new.first, weak.hasPrefix("W/") { add(.warning, .etagWeakened, name, first, weak) }
    }

    private mutating func compareCookies(_ name: String, _ olds: [[String]], _ news: [[String]]) {
        func cookies(_ values: [String]) -> [String: HeaderValues.Cookie] {
            Dictionary(values.compactMap(HeaderValues.Cookie.init).map { ($0.name, $0) }, uniquingKeysWith: { $1 })
        }
        let (known, fresh) = (olds.map(cookies), news.map(cookies))
        let names = Set(known.flatMap(\.keys))
        for cookie in names.sorted() {
            let olds = known.compactMap { $0[cookie] }
            let isAlways = olds.count == known.count
            let isMissing = fresh.contains { $0[cookie] == nil }
            guard let old = olds.first, fresh.contains(where: { $0[cookie] != nil }), !(isAlways && isMissing) else {
                add(isAlways ? .warning : .info, .cookieRemoved, name, cookie, nil)
                continue
            }
            let strange = fresh.compactMap { $0[cookie] }.first { new in
                !olds.contains { $0.attributes == new.attributes }
            }
            if let strange {
                add(.warning, .cookieAttributeChanged, name, "\(cookie): \(old.text)", "\(cookie): \(strange.text)")
            }
        }
        for cookie in Set(fresh.flatMap(\.keys)).subtracting(names).sorted() {
            add(.info, .cookieAdded, name, nil, cookie)
        }
    }

    private mutating func compareContentType(_ name: String, _ olds: [[String]], _ news: [[String]]) {
        let known = olds.compactMap(\.first).map(HeaderValues.parameters)
        for value in news.compactMap(\.first) {
            let new = HeaderValues.parameters(value)
            guard let old = known.first(where: { $0.head.lowercased() == new.head.lowercased() }) else {
                if recorded.allSatisfy(\.impliesContentType), let first = known.first,
                    ComparableBody.Kind.of(first.head.lowercased()) == ComparableBody.Kind.of(new.head.lowercased()),
                    ComparableBody.Kind.of(first.head.lowercased()) == .json
                {
                    continue
                }
                add(.breaking, .contentTypeChanged, name, olds.compactMap(\.first).first, value)
                return
            }
            if recorded.allSatisfy(\.impliesContentType) { continue }
            let charsets = known.filter { $0.head.lowercased() == new.head.lowercased() }.map {
                $0.parameters["charset"]?.lowercased()
            }
            let charset = new.parameters["charset"]?.lowercased()
            if charsets.contains(charset) {
                let others = old.parameters.filter { $0.key != "charset" && $0.key != "boundary" }
                if others != new.parameters.filter({ $0.key != "charset" && $0.key != "boundary" }) {
                    add(.info, .headerChanged, name, olds.compactMap(\.first).first, value)
                    return
                }
                continue
            }
            let isAdded = charsets.allSatisfy { $0 == nil }
            add(
                isAdded ? .info : .warning, .charsetChanged, name, charsets.compactMap { $0 }.first ?? "none",
                charset ?? "none")
            return
        }
    }

    private mutating func compareDisposition(_ name: String, _ old: [String], _ new: [String]) {
        let (left, right) = (HeaderValues.parameters(old.first ?? ""), HeaderValues.parameters(new.first ?? ""))
        func shape(_ parameters: [String: String]) -> String? {
            (parameters["filename"] ?? parameters["filename*"]).map { name in
                name.lastIndex(of: ".").map { String(name[$0...]).lowercased() } ?? ""
            }
        }
        if left.head.lowercased() != right.head.lowercased() || shape(left.parameters) != shape(right.parameters) {
            add(.warning, .contentDispositionChanged, name, text(old), text(new))
        }
    }

    private mutating func compareLocation(_ name: String, _ old: [String], _ new: [String]) {
        // A location that begins with a placeholder may lead anywhere.
        guard let before = old.first, let now = new.first, before != now, !before.hasPrefix("redacted.") else { return }
        let (left, right) = (RouteShape(before), RouteShape(now))
        let isSameHost =
            switch (left.origin, right.origin) {
            case (let one?, let other?) where one != other:
                recorded.contains { $0.origin.map { $0.lowercased() == one } ?? true }
                    && live.contains { $0.origin?.lowercased() == other }
            case (nil, let other?): live.contains { $0.origin?.lowercased() == other }
            case (let one?, nil):
                recorded.contains { $0.origin?.lowercased() == one } || recorded.allSatisfy { $0.origin == nil }
            default: true
            }
        if !isSameHost || !left.isRoute(of: right) { add(.breaking, .locationChanged, name, before, now) }
    }

    private mutating func compareLinks(_ name: String, _ old: [String], _ new: [String]) {
        let old = HeaderValues.relations(old)
        let relations = HeaderValues.relations(new)
        for lost in old.subtracting(relations).sorted() {
            add(PageLinks.relations.contains(lost) ? .info : .warning, .linkRelationRemoved, name, lost, nil)
        }
        for word in ["deprecation", "sunset"] where relations.contains(word) && !old.contains(word) {
            add(.warning, .deprecationAdded, name, nil, "rel=\"\(word)\"")
        }
        let gained = relations.subtracting(old).subtracting(["deprecation", "sunset"]).sorted()
        if !gained.isEmpty { add(.info, .linkRelationAdded, name, nil, gained.joined(separator: ", ")) }
    }

    private mutating func compareCaching(_ name: String, _ old: [String], _ new: [String]) {
        let (left, right) = (HeaderValues.directives(old), HeaderValues.directives(new))
        guard left != right else { return }
        let changed = Set(left.keys).symmetricDifference(right.keys)
        let isGrave = !changed.isDisjoint(with: ["no-store", "private"])
        add(isGrave ? .warning : .info, .cacheControlChanged, name, old.isEmpty ? nil : text(old), text(new))
    }

    private mutating func compareCORS(_ name: String, _ lower: String, _ old: [String], _ new: [String]) {
        switch lower {
        case "access-control-max-age":
            if old != new { add(.info, .headerChanged, name, text(old), text(new)) }
        case "access-control-allow-origin":
            // An echoed origin is the origin of the request.
            if old != new, old == ["*"] || new == ["null"] { add(.warning, .corsChanged, name, text(old), text(new)) }
        default:
            let (left, right) = (HeaderValues.words(old), HeaderValues.words(new))
            if right.contains("*") || left == right { return }
            let lost = left.subtracting(right).sorted()
            add(lost.isEmpty ? .info : .warning, .corsChanged, name, text(old), text(new))
        }
    }
}
