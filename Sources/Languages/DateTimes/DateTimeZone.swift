// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax
import MockapiSystemIO
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A time zone: a fixed offset from UTC, or a region with its rules.
package enum DateTimeZone: Sendable {
    /// Seconds ahead of UTC, and the name it was given by; an empty name stands for the offset itself.
    case fixed(Int, name: String)
    case region(ZoneRules)

    package static let utc = DateTimeZone.fixed(0, name: "UTC")

    /// A zone of an offset; nil beyond 18 hours, as Java has it.
    package init?(offset: Int) {
        guard abs(offset) <= 18 * 3600 else { return nil }
        self = .fixed(offset, name: offset == 0 ? "UTC" : "")
    }

    /// The zone of a name: `Z`, `UTC`, `GMT`, `+02:00`, `GMT+2`, or a region such as `Australia/Sydney`, whose rules are read from the system's
    /// time zone files.
    package init(named name: String) throws(DateTimeError) {
        if let zone = Self.plain(name) {
            self = zone
            return
        }
        self = .region(try ZoneRules.named(Self.shortNames[name] ?? name))
    }

    /// The zone of an offset in any of its spellings, or of UTC's names; nil for any other.
    static func plain(_ name: String) -> DateTimeZone? {
        switch name {
        case "Z", "z", "UTC", "Zulu", "Etc/UTC", "UT", "Universal": return .utc
        case "GMT", "Etc/GMT", "Greenwich", "GMT0": return .fixed(0, name: "GMT")
        default: break
        }
        var rest = Substring(name)
        for prefix in ["UTC", "GMT", "UT"] where rest.hasPrefix(prefix) {
            rest = rest.dropFirst(prefix.count)
            break
        }
        return seconds(ofOffset: rest).flatMap(DateTimeZone.init(offset:))
    }

    /// Java's three-letter names that are not names of files.
    private static let shortNames = [
        "PST": "America/Los_Angeles", "CST": "America/Chicago", "IST": "Asia/Kolkata", "JST": "Asia/Tokyo",
        "AET": "Australia/Sydney", "AST": "America/Anchorage", "CTT": "Asia/Shanghai", "ECT": "Europe/Paris",
        "BST": "Asia/Dhaka", "NST": "Pacific/Auckland", "PLT": "Asia/Karachi", "VST": "Asia/Ho_Chi_Minh",
    ]

    /// Reads `+2`, `+02`, `-0230`, `+02:30`, `+023015` or `+02:30:15`.
    private static func seconds(ofOffset text: Substring) -> Int? {
        let signs = ["+": 1, "-": -1]
        guard let sign = signs[String(text.prefix(1))] else { return nil }
        var rest = text.dropFirst()
        var parts = rest.split(ascii: ":", omittingEmptySubsequences: false)
        if parts.count == 1, rest.utf8.count.isMultiple(of: 2) {
            parts = []
            while !rest.isEmpty {
                parts.append(rest.prefix(2))
                rest = rest.dropFirst(2)
            }
        }
        let numbers = parts.compactMap { part in part.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(part) : nil }
        guard let hours = parts.first, (1...3).contains(parts.count), (1...2).contains(hours.utf8.count),
            parts.dropFirst().allSatisfy({ $0.utf8.count == 2 }), numbers.count == parts.count,
            numbers.dropFirst().allSatisfy({ $0 < 60 })
        else { return nil }
        return zip(numbers, [3600, 60, 1]).reduce(0) { $0 + $1.0 * $1.1 } * sign
    }

    /// Seconds ahead of UTC at a point in time.
    package func offset(at seconds: Int) -> Int {
        switch self {
        case .fixed(let offset, _): offset
        case .region(let rules): rules.type(at: seconds).offset
        }
    }

    /// Seconds ahead of UTC when the zone's clock shows a time: the earlier offset if it shows it twice, that from before if it skips it.
    func offset(atLocal local: Int) -> Int {
        guard case .region = self else { return offset(at: local) }
        let before = offset(at: local - 86400 - 43200)
        if offset(at: local - before) == before { return before }
        let after = offset(at: local + 86400 + 43200)
        return offset(at: local - after) == after ? after : before
    }

    /// The zone's name, such as `Europe/Paris`, `UTC` or `+02:00`.
    package var name: String {
        switch self {
        case .fixed(let offset, let name): name.isEmpty ? Self.text(ofOffset: offset) : name
        case .region(let rules): rules.name
        }
    }

    /// The short name of the clock at a point in time, such as `CEST`; nil if there is none but the offset.
    func abbreviation(at seconds: Int) -> String? {
        switch self {
        case .fixed(_, let name): return name.isEmpty ? nil : name
        case .region(let rules):
            let name = rules.type(at: seconds).name
            return name.utf8.first.map { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-") } == false ? name : nil
        }
    }

    /// An offset as `+02:00`, with seconds only if it has some.
    static func text(ofOffset offset: Int, separator: String = ":") -> String {
        let size = abs(offset)
        let sign = offset < 0 ? "-" : "+"
        var text = "\(sign)\(twoDigits(size / 3600))\(separator)\(twoDigits(size / 60 % 60))"
        if size % 60 != 0 { text += "\(separator)\(twoDigits(size % 60))" }
        return text
    }

    static func twoDigits(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
}

/// The rules of a region: when its clocks change, from a TZif file (RFC 9636).
package final class ZoneRules: Sendable {
    struct LocalType: Sendable {
        var offset: Int
        var name: String
    }

    package let name: String
    private let transitions: [(time: Int, type: Int)]
    private let types: [LocalType]
    private let footer: ZoneFooter?

    init(name: String, transitions: [(time: Int, type: Int)], types: [LocalType], footer: ZoneFooter?) {
        self.name = name
        self.transitions = transitions
        self.types = types
        self.footer = footer
    }

    func type(at seconds: Int) -> LocalType {
        var low = 0
        var high = transitions.count
        while low < high {
            let middle = (low + high) / 2
            if transitions[middle].time <= seconds { low = middle + 1 } else { high = middle }
        }
        if low == transitions.count, let footer { return footer.type(at: seconds) }
        return types[low == 0 ? 0 : transitions[low - 1].type]
    }

    // MARK: Files

    private static let folder = "/usr/share/zoneinfo/"
    /// Bytes of the largest time zone file that is read. 65,536.
    private static let maximumBytes = 65536
    /// The bytes of regions' names; a dot, which could lead out of the folder, is not among them.
    static let nameBytes = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789/_+-".utf8)
    /// Regions that are kept in memory. 64.
    private static let keptCount = 64
    private static let kept = Mutex<[String: ZoneRules]>([:])

    static func named(_ name: String) throws(DateTimeError) -> ZoneRules {
        if let rules = kept.withLock({ $0[name] }) { return rules }
        guard isFileName(name), let bytes = try? FileReader.read(folder + name, limit: maximumBytes + 1).bytes,
            bytes.count <= maximumBytes,
            let rules = TZif.read(bytes, name: name)
        else {
            throw DateTimeError(
                offset: 0,
                message:
                    "there is no time zone '\(name.prefix(64))' in \(folder); a zone is UTC, +02:00 or a region such as Europe/Paris"
            )
        }
        kept.withLock { if $0.count < keptCount { $0[name] = rules } }
        return rules
    }

    private static func isFileName(_ name: String) -> Bool {
        (1...64).contains(name.utf8.count) && !name.hasPrefix("/") && name.utf8.allSatisfy(nameBytes.contains)
    }
}
