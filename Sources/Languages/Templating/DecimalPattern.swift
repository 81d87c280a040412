// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax

/// A pattern of Java's `DecimalFormat`, such as `#,##0.00` or `0.00;(0.00)`.
struct DecimalPattern {
    private var prefix = ""
    private var suffix = ""
    /// The texts around a negative number; nil for the minus sign in front of the others.
    private var negative: (prefix: String, suffix: String)?
    private var leastWhole = 0
    private var mostWhole: Int?
    private var leastDecimals = 0
    private var mostDecimals = 0
    private var group: Int?
    /// How many places the point moves: two for a percentage, three for parts of a thousand.
    private var shift = 0

    /// The part of a pattern before a semicolon, or after it.
    private struct Part {
        var prefix = ""
        var body = ""
        var suffix = ""
        var shift = 0

        /// Reads the characters up to a semicolon outside of quotes.
        init(_ text: inout Substring) {
            var isQuoted = false
            while let character = text.popFirst() {
                if character == "'" {
                    if text.first == "'" {
                        text.removeFirst()
                        add("'")
                    } else {
                        isQuoted.toggle()
                    }
                } else if isQuoted {
                    add(character)
                } else if character == ";" {
                    return
                } else if suffix.isEmpty, "#0,.".contains(character) {
                    body.append(character)
                } else {
                    shift = character == "%" ? 2 : character == "\u{2030}" ? 3 : shift
                    add(character == DecimalPattern.currency ? DecimalPattern.mark : character)
                }
            }
        }

        private mutating func add(_ character: Character) {
            if body.isEmpty { prefix.append(character) } else { suffix.append(character) }
        }
    }

    private static let currency: Character = "\u{A4}"
    /// In the place of a currency sign that no quotes were around.
    private static let mark: Character = "\u{F8FF}"

    /// Nil if its digits are not a number, or more than 300; without digits it stands in front of the number.
    init?(_ pattern: String) {
        var rest = pattern[...]
        let part = Part(&rest)
        (prefix, suffix) = (part.prefix, part.suffix)
        if !rest.isEmpty {
            let other = Part(&rest)
            negative = (other.prefix, other.suffix)
        }
        shift = part.shift
        let whole = part.body.prefix { $0 != "." }
        let decimals = part.body.dropFirst(whole.count + 1)
        guard !decimals.contains(where: { $0 == "." || $0 == "," }), decimals.count <= 300, whole.count <= 300,
            part.body.isEmpty || part.body.contains("#") || part.body.contains("0")
        else { return nil }
        if let comma = whole.lastIndex(of: ",") {
            group = whole[whole.index(after: comma)...].count
            guard group != 0 else { return nil }
        }
        leastWhole = whole.filter { $0 == "0" }.count
        leastDecimals = decimals.filter { $0 == "0" }.count
        // A point among nothing but `#` has a digit in front, or else behind.
        if !decimals.isEmpty, leastWhole + leastDecimals == 0 {
            if whole.isEmpty { leastDecimals = 1 } else { leastWhole = 1 }
        }
        mostDecimals = decimals.count
    }

    /// Sets the values that are not nil, up to 300 digits, as the setters of `NumberFormat` do.
    mutating func change(
        wholes: Int?, leastDecimals least: Int?, mostDecimals most: Int?, mostWholes: Int?, groups: Bool?
    ) {
        if let wholes { leastWhole = max(0, min(300, wholes)) }
        if let least {
            leastDecimals = max(0, min(300, least))
            mostDecimals = max(mostDecimals, leastDecimals)
        }
        if let most {
            mostDecimals = max(0, min(300, most))
            leastDecimals = min(leastDecimals, mostDecimals)
        }
        if let mostWholes {
            mostWhole = max(0, min(300, mostWholes))
            leastWhole = min(leastWhole, mostWhole ?? leastWhole)
        }
        if let groups { group = groups ? group ?? 3 : nil }
    }

    /// - Parameter locale: nil for that of the United States.
    func text(_ value: Double, _ rounding: DecimalText.Rounding, _ locale: NumberLocale?) -> String {
        var number = DecimalText(value)
        if !number.isZero { number.shift(by: shift) }
        var digits = number.fixed(mostDecimals, rounding)
        if mostDecimals > leastDecimals {
            var extra = mostDecimals - leastDecimals
            while extra > 0, digits.hasSuffix("0") {
                digits.removeLast()
                extra -= 1
            }
            if digits.hasSuffix(".") { digits.removeLast() }
        }
        let whole = digits.prefix { $0 != "." }.count
        if whole < leastWhole { digits = String(repeating: "0", count: leastWhole - whole) + digits }
        if let mostWhole, whole > mostWhole { digits.removeFirst(whole - mostWhole) }
        if leastWhole == 0, digits.hasPrefix("0.") { digits.removeFirst() }
        if let group { digits = DecimalText.grouped(digits, size: group) }
        if let locale {
            digits = String(
                digits.flatMap { $0 == "." ? locale.decimal : $0 == "," ? locale.group : String($0) })
        }
        // The sign stays where nothing but zeros are left, as in Java.
        let around: (prefix: String, suffix: String) =
            value.sign == .minus ? negative ?? ((locale?.minus ?? "-") + prefix, suffix) : (prefix, suffix)
        let sign = locale?.currency ?? String(Self.currency)
        return around.prefix.replacing(String(Self.mark), with: sign) + digits
            + around.suffix.replacing(String(Self.mark), with: sign)
    }
}

/// How numbers are written in a language and a country, as Java has it.
struct NumberLocale {
    let decimal: String
    let group: String
    let minus: String
    let currency: String
    /// The patterns of amounts of money and of percentages.
    let money: String
    let percent: String

    /// - Parameter name: such as `de_DE` or `de`; nil is returned for a name that is not in the table.
    init?(_ name: String) {
        guard let words = Self.table[name.replacing(bytesOf: "-", with: "_")], words.count == 6 else { return nil }
        (decimal, group, minus) = (words[0], words[1], words[2])
        (currency, money, percent) = (words[3], words[4], words[5])
    }

    private static let table: [String: [String]] = [
        "en_US": [".", ",", "-", "$", "\u{A4}#,##0.00", "#,##0%"],
        "en_GB": [".", ",", "-", "\u{A3}", "\u{A4}#,##0.00", "#,##0%"],
        "en_CA": [".", ",", "-", "$", "\u{A4}#,##0.00", "#,##0%"],
        "en_AU": [".", ",", "-", "$", "\u{A4}#,##0.00", "#,##0%"],
        "en_IE": [".", ",", "-", "\u{20AC}", "\u{A4}#,##0.00", "#,##0%"],
        "en_NZ": [".", ",", "-", "$", "\u{A4}#,##0.00", "#,##0%"],
        "en_ZA": [",", "\u{A0}", "-", "R", "\u{A4}#,##0.00", "#,##0%"],
        "en_IN": [".", ",", "-", "\u{20B9}", "\u{A4}#,##0.00", "#,##0%"],
        "de_DE": [",", ".", "-", "\u{20AC}", "#,##0.00\u{A0}\u{A4}", "#,##0\u{A0}%"],
        "de_AT": [",", "\u{A0}", "-", "\u{20AC}", "\u{A4}\u{A0}#,##0.00", "#,##0\u{A0}%"],
        "de_CH": [".", "\u{2019}", "-", "CHF", "\u{A4}\u{A0}#,##0.00;\u{A4}-#,##0.00", "#,##0%"],
        "fr_FR": [",", "\u{202F}", "-", "\u{20AC}", "#,##0.00\u{A0}\u{A4}", "#,##0\u{A0}%"],
        "fr_BE": [",", "\u{202F}", "-", "\u{20AC}", "#,##0.00\u{A0}\u{A4}", "#,##0\u{A0}%"],
        "fr_CA": [",", "\u{A0}", "-", "$\u{A0}CA", "#,##0.00\u{A0}\u{A4}", "#,##0\u{A0}%"],
        "fr_CH": [",", "\u{202F}", "-", "CHF", "#,##0.00\u{A0}\u{A4}", "#,##0%"],
        "it_IT": [",", ".", "-", "\u{20AC}", "#,##0.00\u{A0}\u{A4}", "#,##0%"],
        "it_CH": [".", "\u{2019}", "-", "SFr.", "\u{A4}\u{A0}#,##0.00;\u{A4}-#,##0.00", "#,##0%"],
        "es_ES": [",", ".", "-", "\u{20AC}", "#,##0.00\u{A0}\u{A4}", "#,##0\u{A0}%"],
        "es_MX": [".", ",", "-", "$", "\u{A4}#,##0.00", "#,##0\u{A0}%"],
        "es_AR": [",", ".", "-", "$", "\u{A4}\u{A0}#,##0.00", "#,##0\u{A0}%"],
        "nl_NL": [",", ".", "-", "\u{20AC}", "\u{A4}\u{A0}#,##0.00;\u{A4}\u{A0}-#,##0.00", "#,##0%"],
        "nl_BE": [",", ".", "-", "\u{20AC}", "\u{A4}\u{A0}#,##0.00;\u{A4}\u{A0}-#,##0.00", "#,##0%"],
        "pt_BR": [",", ".", "-", "R$", "\u{A4}\u{A0}#,##0.00", "#,##0%"],
        "pt_PT": [",", "\u{A0}", "-", "\u{20AC}", "#,##0.00\u{A0}\u{A4}", "#,##0%"],
        "pl_PL": [",", "\u{A0}", "-", "z\u{142}", "#,##0.00\u{A0}\u{A4}", "#,##0%"],
        "sv_SE": [",", "\u{A0}", "\u{2212}", "kr", "#,##0.00\u{A0}\u{A4}", "#,##0\u{A0}%"],
        "da_DK": [",", ".", "-", "kr.", "#,##0.00\u{A0}\u{A4}", "#,##0\u{A0}%"],
        "nb_NO": [",", "\u{A0}", "\u{2212}", "kr", "\u{A4}\u{A0}#,##0.00", "#,##0\u{A0}%"],
        "fi_FI": [",", "\u{A0}", "\u{2212}", "\u{20AC}", "#,##0.00\u{A0}\u{A4}", "#,##0\u{A0}%"],
        "cs_CZ": [",", "\u{A0}", "-", "K\u{10D}", "#,##0.00\u{A0}\u{A4}", "#,##0\u{A0}%"],
        "sk_SK": [",", "\u{A0}", "-", "\u{20AC}", "#,##0.00\u{A0}\u{A4}", "#,##0\u{A0}%"],
        "hu_HU": [",", "\u{A0}", "-", "Ft", "#,##0.00\u{A0}\u{A4}", "#,##0%"],
        "ro_RO": [",", ".", "-", "RON", "#,##0.00\u{A0}\u{A4}", "#,##0\u{A0}%"],
        "bg_BG": [",", "\u{A0}", "-", "\u{20AC}", "#0.00\u{A0}\u{A4}", "#,##0%"],
        "el_GR": [",", ".", "-", "\u{20AC}", "#,##0.00\u{A0}\u{A4}", "#,##0%"],
        "ru_RU": [",", "\u{A0}", "-", "\u{20BD}", "#,##0.00\u{A0}\u{A4}", "#,##0\u{A0}%"],
        "uk_UA": [",", "\u{A0}", "-", "\u{20B4}", "#,##0.00\u{A0}\u{A4}", "#,##0%"],
        "tr_TR": [",", ".", "-", "\u{20BA}", "\u{A4}#,##0.00", "%#,##0"],
        "ja_JP": [".", ",", "-", "\u{FFE5}", "\u{A4}#,##0", "#,##0%"],
        "zh_CN": [".", ",", "-", "\u{A5}", "\u{A4}#,##0.00", "#,##0%"],
        "zh_TW": [".", ",", "-", "$", "\u{A4}#,##0.00", "#,##0%"],
        "ko_KR": [".", ",", "-", "\u{20A9}", "\u{A4}#,##0", "#,##0%"],
        "hi_IN": [".", ",", "-", "\u{20B9}", "\u{A4}#,##0.00", "#,##0%"],
        "vi_VN": [",", ".", "-", "\u{20AB}", "#,##0\u{A0}\u{A4}", "#,##0%"],
        "id_ID": [",", ".", "-", "Rp", "\u{A4}#,##0.00", "#,##0%"],
        "th_TH": [".", ",", "-", "\u{E3F}", "\u{A4}#,##0.00", "#,##0%"],
        "en": [".", ",", "-", "\u{A4}", "\u{A4}#,##0.00", "#,##0%"],
        "de": [",", ".", "-", "\u{A4}", "#,##0.00\u{A0}\u{A4}", "#,##0\u{A0}%"],
        "fr": [",", "\u{202F}", "-", "\u{A4}", "#,##0.00\u{A0}\u{A4}", "#,##0\u{A0}%"],
        "it": [",", ".", "-", "\u{A4}", "#,##0.00\u{A0}\u{A4}", "#,##0%"],
        "es": [",", ".", "-", "\u{A4}", "#,##0.00\u{A0}\u{A4}", "#,##0\u{A0}%"],
        "nl": [",", ".", "-", "\u{A4}", "\u{A4}\u{A0}#,##0.00;\u{A4}\u{A0}-#,##0.00", "#,##0%"],
        "pt": [",", ".", "-", "\u{A4}", "\u{A4}\u{A0}#,##0.00", "#,##0%"],
        "pl": [",", "\u{A0}", "-", "\u{A4}", "#,##0.00\u{A0}\u{A4}", "#,##0%"],
        "ja": [".", ",", "-", "\u{A4}", "\u{A4}#,##0.00", "#,##0%"],
        "zh": [".", ",", "-", "\u{A4}", "\u{A4}#,##0.00", "#,##0%"],
        "ko": [".", ",", "-", "\u{A4}", "\u{A4}#,##0.00", "#,##0%"],
    ]
}
