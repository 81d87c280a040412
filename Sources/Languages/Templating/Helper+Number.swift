// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax
import MockapiJSONText

extension Renderer {
    /// Helpers about numbers, and those that draw at random.
    mutating func number(_ invocation: Invocation) throws(TemplateFailure) -> TemplateValue {
        let subject = invocation.subject(or: context).single
        switch invocation.helper {
        case .isEven, .isOdd, .stripes: return try parity(invocation, subject)
        case .math: return math(invocation, subject)
        case .numberFormat: return try numberFormat(invocation, subject)
        case .size:
            // One value of several is a list of one in WireMock.
            let counted = dialect == .wireMock ? invocation.subject(or: context) : subject
            if let count = counted.elementCount { return .integer(count) }
            if let members = subject.members { return .integer(members.count) }
            if case .json(let node) = subject, let text = node.string { return .integer(text.utf16.count) }
            return .null
        case .range: return try range(invocation)
        case .randomValue: return try randomValue(invocation)
        case .randomInt:
            let lower = invocation.option("lower")?.integer ?? Int(Int32.min)
            let upper = invocation.option("upper")?.integer ?? Int(Int32.max)
            guard lower < upper else { return error("The upper bound must be greater than the lower bound") }
            let width = UInt64(bitPattern: Int64(upper)) &- UInt64(bitPattern: Int64(lower))
            return .integer(Int(truncatingIfNeeded: UInt64(bitPattern: Int64(lower)) &+ random.below(width)))
        case .randomDecimal:
            let lower = invocation.option("lower")?.double ?? 0
            let upper = invocation.option("upper")?.double ?? max(lower, 0) + 1
            guard lower < upper, (upper - lower).isFinite else {
                return error("The upper bound must be greater than the lower bound")
            }
            return TemplateValue(min(lower + random.unit() * (upper - lower), upper.nextDown))
        case .pickRandom: return try pickRandom(invocation)
        default: return .null
        }
    }

    private var random: TemplateRandom {
        get { surroundings.random }
        _modify { yield &surroundings.random }
    }

    private func parity(_ invocation: Invocation, _ subject: TemplateValue) throws(TemplateFailure) -> TemplateValue {
        // Neither a member that is not there nor a text is even or odd; of a fraction its whole part is.
        let fraction = subject.double.flatMap { $0.isFinite ? $0.truncatingRemainder(dividingBy: 2) : nil }
        guard let isEven = subject.integer.map({ $0 % 2 == 0 }) ?? fraction.map({ $0.magnitude < 1 }) else {
            return .string("")
        }
        switch invocation.helper {
        case .isEven: return .string(isEven ? invocation.text(1) ?? "even" : "")
        case .isOdd: return .string(isEven ? "" : invocation.text(1) ?? "odd")
        default: return .string(isEven ? invocation.text(1) ?? "even" : invocation.text(2) ?? "odd")
        }
    }

    private func math(_ invocation: Invocation, _ subject: TemplateValue) -> TemplateValue {
        guard invocation.arguments.count == 3 else {
            return error("All maths functions require two operands and an operator as parameters e.g. 3 '+' 2")
        }
        let sign = invocation.arguments[1].text
        let left = Decimal(subject.text)
        let right = Decimal(invocation.arguments[2].single.text)
        guard ["+", "-", "*", "x", "/", "%"].contains(sign) else {
            return error("\(sign) is not a valid mathematical operator")
        }
        if sign == "/" || sign == "%", right.double == 0 { return error("Division by zero") }
        return left.calculated(sign, right)
    }

    /// A decimal number, exact as far as 63 bits go.
    private struct Decimal {
        /// The digits without the point, and how many of them stand behind it; nil if they are too many.
        private var exact: (digits: Int, scale: Int)?
        let double: Double

        /// Reads a number; a text that is not a number is 0.
        init(_ text: String) {
            let text = Renderer.trimmed(text)
            let value = Double(text) ?? 0
            double = value.isFinite ? value : 0
            let parts = text.split(ascii: ".", maxSplits: 1, omittingEmptySubsequences: false)
            let scale = parts.count > 1 ? parts[1].utf8.count : 0
            if let digits = Int(parts.joined()), scale <= 18, Double(text) != nil {
                exact = (digits, scale)
            } else if Double(text) == nil || !value.isFinite {
                exact = (0, 0)
            } else if value == value.rounded(), value.magnitude < 1e15 {
                // A whole number with an exponent, such as `1.0E8`.
                exact = (Int(value), 0)
            }
        }

        func calculated(_ sign: String, _ other: Decimal) -> TemplateValue {
            if let one = exact, let two = other.exact, let result = Self.exact(sign, one, two) {
                if result.scale == 0 { return .integer(result.digits) }
                var power = 1.0
                for _ in 0..<result.scale { power *= 10 }
                return TemplateValue(Double(result.digits) / power)
            }
            switch sign {
            case "+": return TemplateValue(double + other.double)
            case "-": return TemplateValue(double - other.double)
            case "/": return TemplateValue(double / other.double)
            case "%": return TemplateValue(double.truncatingRemainder(dividingBy: other.double))
            default: return TemplateValue(double * other.double)
            }
        }

        private static func exact(
            _ sign: String, _ one: (digits: Int, scale: Int), _ two: (digits: Int, scale: Int)
        ) -> (digits: Int, scale: Int)? {
            if sign == "*" || sign == "x" {
                let (product, overflows) = one.digits.multipliedReportingOverflow(by: two.digits)
                return overflows || one.scale + two.scale > 18 ? nil : (product, one.scale + two.scale)
            }
            let scale = max(one.scale, two.scale)
            guard let left = scaled(one, scale), let right = scaled(two, scale) else { return nil }
            switch sign {
            case "+", "-":
                let (sum, overflows) =
                    sign == "+" ? left.addingReportingOverflow(right) : left.subtractingReportingOverflow(right)
                return overflows ? nil : (sum, scale)
            case "%":
                var (quotient, overflows) = left.dividedReportingOverflow(by: right)
                if overflows { return nil }
                var rest = left - quotient * right
                // As of BigDecimal: zeros at the end of the quotient take places from the rest.
                var places = two.scale
                while places > one.scale, quotient % 10 == 0 { (quotient, places) = (quotient / 10, places - 1) }
                for _ in max(one.scale, places)..<scale { rest /= 10 }
                return (rest, max(one.scale, places))
            default:
                // As many digits behind the point as the dividend has, halves rounded away from 0.
                guard let dividend = scaled((left, 0), one.scale), right != 0, right != -1 || dividend != .min else {
                    return nil
                }
                let (quotient, rest) = dividend.quotientAndRemainder(dividingBy: right)
                let isUp = rest.magnitude >= right.magnitude - rest.magnitude
                let step = dividend.signum() * right.signum()
                return (isUp && rest != 0 ? quotient + step : quotient, one.scale)
            }
        }

        private static func scaled(_ value: (digits: Int, scale: Int), _ scale: Int) -> Int? {
            var digits = value.digits
            for _ in value.scale..<max(value.scale, scale) {
                let (product, overflows) = digits.multipliedReportingOverflow(by: 10)
                if overflows { return nil }
                digits = product
            }
            return digits
        }
    }

    private mutating func range(_ invocation: Invocation) throws(TemplateFailure) -> TemplateValue {
        guard let lower = invocation.argument(0)?.integer, let upper = invocation.argument(1)?.integer else {
            return error("The range helper requires both lower and upper bounds as integer parameters")
        }
        guard lower <= upper else { return .list([]) }
        let (width, overflows) = upper.subtractingReportingOverflow(lower)
        try spend(overflows || width == .max ? .max / 2 : width + 1)
        try make(TemplateValue.size(ofElements: width + 1))
        return .list((lower...upper).map { .integer($0) })
    }

    private mutating func randomValue(_ invocation: Invocation) throws(TemplateFailure) -> TemplateValue {
        let count = invocation.option("length")?.integer ?? 36
        guard count >= 0 else { return error("The length must not be negative") }
        try spend(bytes: count)
        let type = invocation.option("type")?.text ?? "ALPHANUMERIC"
        let text: String
        switch type {
        case "ALPHANUMERIC":
            text = letters("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789", count)
        case "ALPHABETIC": text = letters("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz", count)
        case "NUMERIC": text = letters("0123456789", count)
        case "HEXADECIMAL": text = letters("ABCDEF0123456789", count)
        case "UUID": text = random.uuid()
        case "ALPHANUMERIC_AND_SYMBOLS": text = letters(String(decoding: 33...125, as: UTF8.self), count)
        default:
            return error("\(type) is not a type of random value")
        }
        return .string(invocation.isSet("uppercase") ? text.uppercased() : text.lowercased())
    }

    private mutating func letters(_ alphabet: String, _ count: Int) -> String {
        let alphabet = Array(alphabet.utf8)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        for _ in 0..<count { bytes.append(alphabet[Int(random.below(UInt64(alphabet.count)))]) }
        return String(decoding: bytes, as: UTF8.self)
    }

    private mutating func pickRandom(_ invocation: Invocation) throws(TemplateFailure) -> TemplateValue {
        guard let first = invocation.argument(0) else {
            return error("Must specify either a single list argument or a set of single value arguments.")
        }
        try hold(TemplateValue.size(ofElements: first.elementCount ?? 0))
        var values = first.elements ?? invocation.arguments
        try spend(values.count / 16)
        guard !values.isEmpty else { return .null }
        guard let count = invocation.option("count")?.integer else {
            return values[Int(random.below(UInt64(values.count)))]
        }
        var picked: [TemplateValue] = []
        while picked.count < count, !values.isEmpty {
            try spend()
            let index = Int(random.below(UInt64(values.count)))
            values.swapAt(index, values.count - 1)
            picked.append(values.removeLast())
        }
        return .list(picked)
    }

    private func numberFormat(
        _ invocation: Invocation, _ subject: TemplateValue
    ) throws(TemplateFailure) -> TemplateValue {
        // Neither a member that is not there nor a text is a number.
        guard let value = subject.double, value.isFinite else { return .string("") }
        let name = (invocation.argument(1) ?? invocation.option("format"))?.text
        let locale = (invocation.argument(2) ?? invocation.option("locale")).flatMap { NumberLocale($0.text) }
        let rounding = invocation.option("roundingMode").flatMap {
            DecimalText.Rounding(rawValue: $0.text.uppercased())
        }
        let pattern =
            switch name {
            case nil, "": "#,##0.###"
            case "integer": "#,##0"
            case "percent": locale?.percent ?? "#,##0%"
            case "currency": locale?.money ?? "$#,##0.00"
            case .some(let pattern): pattern
            }
        guard var format = DecimalPattern(pattern) else {
            throw failure("numberFormat: \"\(pattern)\" is not a pattern of a number")
        }
        format.change(
            wholes: invocation.option("minimumIntegerDigits")?.integer,
            leastDecimals: invocation.option("minimumFractionDigits")?.integer,
            mostDecimals: invocation.option("maximumFractionDigits")?.integer,
            mostWholes: invocation.option("maximumIntegerDigits")?.integer,
            groups: invocation.option("groupingUsed").map(\.isTrue))
        return .string(format.text(value, rounding ?? .halfEven, locale))
    }
}
