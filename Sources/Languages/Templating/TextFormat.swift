// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText

/// Java's `String.format`, for the conversions that templates use: `%s %d %x %o %f %e %g %b %c %h %n %%`, with flags, width, precision and
/// `1$`; `%S %X %E %G %B %C %H` are in upper case.
struct TextFormat {
    private let format: [UInt8]
    private let arguments: [TemplateValue]
    private let limit: Int
    private let mayMake: (Int) -> Bool
    private var index = 0
    private var next = 0
    private(set) var mistake = ""

    /// - Parameter mayMake: pays for so many bytes before they are made; false if there is no work left for them.
    init(_ format: String, _ arguments: [TemplateValue], limit: Int, mayMake: @escaping (Int) -> Bool) {
        self.mayMake = mayMake
        self.format = Array(format.utf8)
        self.arguments = arguments
        self.limit = limit
    }

    /// Nil if there is a mistake.
    mutating func text() -> String? {
        var output: [UInt8] = []
        while index < format.count {
            let byte = format[index]
            index += 1
            if byte != UInt8(ascii: "%") {
                output.append(byte)
            } else {
                guard let piece = piece() else { return nil }
                output += piece.utf8
            }
            guard output.count <= limit else {
                mistake = "it makes more than 16 MiB"
                return nil
            }
        }
        return String(decoding: output, as: UTF8.self)
    }

    private mutating func number() -> Int? {
        var value: Int?
        while index < format.count, format[index] &- 48 < 10 {
            value = min((value ?? 0) * 10 + Int(format[index]) - 48, 1_000_000)
            index += 1
        }
        return value
    }

    private mutating func piece() -> String? {
        let start = index
        var position: Int?
        if let number = number(), index < format.count, format[index] == UInt8(ascii: "$") {
            position = number - 1
            index += 1
        } else {
            index = start
        }
        var flags: Set<UInt8> = []
        while index < format.count, "-+ 0,(#".utf8.contains(format[index]) {
            flags.insert(format[index])
            index += 1
        }
        let width = number() ?? 0
        var precision: Int?
        if index < format.count, format[index] == UInt8(ascii: ".") {
            index += 1
            precision = number()
        }
        guard index < format.count else {
            mistake = "the format ends within a \"%\""
            return nil
        }
        let isUpper = "SXEGBCH".utf8.contains(format[index])
        let conversion = isUpper ? format[index] | 0x20 : format[index]
        index += 1
        guard mayMake(width) else {
            mistake = "it makes more than there is work for"
            return nil
        }
        if conversion == UInt8(ascii: "%") { return padded("%", width, flags) }
        if conversion == UInt8(ascii: "n") { return "\n" }
        let place = position ?? next
        if position == nil { next += 1 }
        guard arguments.indices.contains(place) else {
            mistake = "there is no argument \(place + 1)"
            return nil
        }
        let value = arguments[place]
        let text = value.isNull ? "null" : value.single.text
        guard mayMake(text.utf8.count) else {
            mistake = "it makes more than there is work for"
            return nil
        }
        let made = converted(value, text, conversion, width, precision, flags)
        return isUpper ? made?.uppercased() : made
    }

    private mutating func converted(
        _ value: TemplateValue, _ text: String, _ conversion: UInt8, _ width: Int, _ precision: Int?,
        _ flags: Set<UInt8>
    ) -> String? {
        // Java writes null for nothing, but for a truth value.
        let isNothing = value.isNull && "dxofegch".utf8.contains(conversion)
        switch isNothing ? UInt8(ascii: "s") : conversion {
        case UInt8(ascii: "b"):
            // Anything but false and null is true.
            let isFalse = if case .json(let node) = value { node.isNull || node.bool == false } else { false }
            return padded(isFalse ? "false" : "true", width, flags)
        case UInt8(ascii: "c"):
            // A number stands for the character that it is the number of.
            guard case .json(let node) = value.single, let number = node.number else { fallthrough }
            guard let scalar = number.integer.flatMap({ UInt32(exactly: $0) }).flatMap(Unicode.Scalar.init) else {
                mistake = "\(Renderer.shown(value)) is not the number of a character"
                return nil
            }
            return padded(String(scalar), width, flags)
        case UInt8(ascii: "s"):
            return padded(precision.map { String(text.prefix($0)) } ?? text, width, flags)
        case UInt8(ascii: "h"):
            let hash = String(UInt32(bitPattern: Self.hash(value.single, text)), radix: 16)
            return padded(precision.map { String(hash.prefix($0)) } ?? hash, width, flags)
        case UInt8(ascii: "d"), UInt8(ascii: "x"), UInt8(ascii: "o"):
            guard let integer = value.integer else {
                mistake = "\(Renderer.shown(value)) is not a whole number"
                return nil
            }
            if conversion == UInt8(ascii: "d") {
                return signed(integer < 0, String(integer.magnitude), width, flags)
            }
            let radix = conversion == UInt8(ascii: "o") ? 8 : 16
            let digits = String(UInt64(bitPattern: Int64(integer)), radix: radix)
            return signed(false, digits, width, flags)
        case UInt8(ascii: "f"), UInt8(ascii: "e"), UInt8(ascii: "g"):
            guard let double = value.double, double.isFinite else {
                mistake = "\(Renderer.shown(value)) is not a number"
                return nil
            }
            let decimals = min(precision ?? 6, 340)
            if conversion == UInt8(ascii: "f") {
                return signed(double < 0, DecimalText(double).fixed(decimals, .halfUp), width, flags)
            }
            let decimal = DecimalText(double)
            let text =
                conversion == UInt8(ascii: "g") ? decimal.general(max(1, decimals)) : decimal.scientific(decimals)
            return signed(double < 0, text, width, flags)
        default:
            mistake = "there is no conversion \"%\(Character(Unicode.Scalar(conversion)))\""
            return nil
        }
    }

    /// The number that Java's `hashCode` gives for a text, a number or a truth value.
    private static func hash(_ value: TemplateValue, _ text: String) -> Int32 {
        if case .json(let node) = value {
            if let truth = node.bool { return truth ? 1231 : 1237 }
            if let number = node.number {
                if let integer = Int32(number.literal) { return integer }
                let bits = Int(number.literal).map { UInt64(bitPattern: Int64($0)) } ?? number.double.bitPattern
                return Int32(truncatingIfNeeded: bits ^ bits >> 32)
            }
        }
        return text.utf16.reduce(0) { $0 &* 31 &+ Int32($1) }
    }

    private func signed(_ isNegative: Bool, _ digits: String, _ width: Int, _ flags: Set<UInt8>) -> String {
        var digits = flags.contains(UInt8(ascii: ",")) ? DecimalText.grouped(digits) : digits
        let sign =
            isNegative ? "-" : flags.contains(UInt8(ascii: "+")) ? "+" : flags.contains(UInt8(ascii: " ")) ? " " : ""
        if flags.contains(UInt8(ascii: "0")) {
            let missing = width - digits.utf8.count - sign.utf8.count
            if missing > 0 { digits = String(repeating: "0", count: missing) + digits }
        }
        return padded(sign + digits, width, flags)
    }

    private func padded(_ text: String, _ width: Int, _ flags: Set<UInt8>) -> String {
        let missing = width - text.count
        guard missing > 0 else { return text }
        let spaces = String(repeating: " ", count: missing)
        return flags.contains(UInt8(ascii: "-")) ? text + spaces : spaces + text
    }
}

/// A number by its decimal digits, rounded as it is asked for.
struct DecimalText {
    enum Rounding: String {
        case halfEven = "HALF_EVEN"
        case halfUp = "HALF_UP"
        case halfDown = "HALF_DOWN"
        case up = "UP"
        case down = "DOWN"
        case ceiling = "CEILING"
        case floor = "FLOOR"
    }

    private let isNegative: Bool
    /// Without zeros in front.
    private var digits: [UInt8]
    /// How many of the digits stand in front of the point; less than 0 for zeros behind it.
    private var point: Int

    /// The shortest digits that give the number.
    init(_ value: Double) {
        isNegative = value < 0
        var digits: [UInt8] = []
        var point: Int?
        var exponent = 0
        let text = Array("\(value.isFinite ? value.magnitude : 0)".utf8)
        for (index, byte) in text.enumerated() {
            if byte == UInt8(ascii: ".") {
                point = digits.count
            } else if byte == UInt8(ascii: "e") {
                exponent = Int(String(decoding: text[(index + 1)...], as: UTF8.self)) ?? 0
                break
            } else {
                digits.append(byte - 48)
            }
        }
        var place = (point ?? digits.count) + exponent
        let zeros = digits.prefix { $0 == 0 }.count
        digits.removeFirst(zeros)
        place -= zeros
        self.digits = digits
        self.point = digits.isEmpty ? 0 : place
    }

    /// Moves the point, as a percentage does.
    mutating func shift(by count: Int) { point += count }

    var isZero: Bool { digits.isEmpty }

    /// The digits without a sign, with so many behind the point.
    func fixed(_ decimals: Int, _ rounding: Rounding) -> String {
        let kept = point + decimals
        var result = kept < 0 ? [] : Array(digits.prefix(kept))
        var place = point
        if kept < digits.count, roundsUp(at: kept, rounding) {
            if kept < 0 { return Self.unit(decimals) }
            var index = kept - 1
            while index >= 0, result[index] == 9 {
                result[index] = 0
                index -= 1
            }
            if index >= 0 {
                result[index] += 1
            } else {
                result.insert(1, at: 0)
                place += 1
            }
        }
        return Self.text(result, place, decimals)
    }

    /// The least value that is not 0, for values that are rounded away from it.
    private static func unit(_ decimals: Int) -> String { text([1], 1 - decimals, decimals) }

    private static func text(_ digits: [UInt8], _ point: Int, _ decimals: Int) -> String {
        func digit(_ index: Int) -> UInt8 { (digits.indices.contains(index) ? digits[index] : 0) + 0x30 }
        var output = (0..<max(0, point)).map(digit)
        if output.isEmpty { output = [0x30] }
        if decimals > 0 {
            output.append(UInt8(ascii: "."))
            output += (point..<(point + decimals)).map(digit)
        }
        return String(decoding: output, as: UTF8.self)
    }

    private func roundsUp(at kept: Int, _ rounding: Rounding) -> Bool {
        let rest = kept < 0 ? digits[...] : digits[kept...]
        guard rest.contains(where: { $0 > 0 }) else { return false }
        switch rounding {
        case .up: return true
        case .down: return false
        case .ceiling: return !isNegative
        case .floor: return isNegative
        case .halfUp, .halfDown, .halfEven:
            if kept < 0 { return false }
            let first = digits[kept]
            if first != 5 || digits[(kept + 1)...].contains(where: { $0 > 0 }) { return first >= 5 }
            if rounding == .halfEven { return kept > 0 && digits[kept - 1] % 2 == 1 }
            return rounding == .halfUp
        }
    }

    /// `1.500000e+01`.
    func scientific(_ decimals: Int) -> String {
        var one = self
        one.point = digits.isEmpty ? 0 : 1
        var text = one.fixed(decimals, .halfUp)
        var exponent = digits.isEmpty ? 0 : point - 1
        if text.hasPrefix("10") {
            text = Self.text([1], 1, decimals)
            exponent += 1
        }
        let size = String(exponent.magnitude)
        return text + "e" + (exponent < 0 ? "-" : "+") + (size.utf8.count < 2 ? "0" : "") + size
    }

    /// So many significant digits; with an exponent if the number is below 0.0001, or needs more digits in front of the point.
    func general(_ count: Int) -> String {
        let text = scientific(count - 1)
        let exponent = text.firstIndex(of: "e").flatMap { Int(text[text.index(after: $0)...]) } ?? 0
        return -4..<count ~= exponent ? fixed(count - 1 - exponent, .halfUp) : text
    }

    /// Digits with a comma in front of each three before the point.
    static func grouped(_ text: String, size: Int = 3, separator: Character = ",") -> String {
        let whole = Array(text.utf8.prefix { $0 != UInt8(ascii: ".") })
        let mark = Array(String(separator).utf8)
        var output: [UInt8] = []
        for (index, digit) in whole.enumerated() {
            if index > 0, (whole.count - index) % max(1, size) == 0 { output += mark }
            output.append(digit)
        }
        return String(decoding: output + text.utf8.dropFirst(whole.count), as: UTF8.self)
    }
}
