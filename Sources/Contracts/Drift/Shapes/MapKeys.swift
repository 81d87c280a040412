// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax

/// Distinguishes objects whose names are data (identifiers, dates, languages, currencies) from those whose names are a client's properties.
enum MapKeys {
    /// The name that the values of a large map are kept under.
    static let any = "*"

    /// Whether an object with members of these names is a map.
    ///
    /// - Parameter least: how many languages or countries make one: two letters are a word just as well.
    static func areKeys(_ names: some Collection<String>, least: Int = 3) -> Bool {
        if names.isEmpty { return false }
        if names.allSatisfy({ isIdentifier($0) || isLanguage($0) && $0.utf8.count > 3 }) { return true }
        guard names.count > 1 else { return false }
        if names.allSatisfy(currencies.contains) || havePrefix(names) { return true }
        guard names.count >= least else { return false }
        if names.allSatisfy(isLanguage), names.contains(where: { !ambiguous.contains($0) }) { return true }
        return names.allSatisfy(countries.contains)
    }

    /// Whether a name may be one of a map's keys.
    static func isKey(_ name: String) -> Bool {
        isIdentifier(name) || isLanguage(name) || currencies.contains(name) || countries.contains(name)
            || name.utf8.contains { $0 &- 0x30 < 10 }
    }

    /// A number, a UUID, a date, an address, a path, or hexadecimal digits in a row.
    static func isIdentifier(_ name: String) -> Bool {
        let bytes = Array(name.utf8)
        guard let first = bytes.first else { return false }
        if bytes.allSatisfy({ $0 &- 0x30 < 10 }) || name == any { return true }
        if first == UInt8(ascii: "/") || name.contains("@") && !name.hasPrefix("@") { return true }
        let formats = StringFormats.of(name)
        if !formats.isDisjoint(with: [.uuid, .date, .dateTime, .localDateTime, .uri, .email]) { return true }
        // 2026-11 and 2026-W47.
        let parts = name.split(ascii: "-", omittingEmptySubsequences: false)
        if parts.count == 2, parts[0].utf8.count == 4, Int(parts[0]) != nil, Int(parts[1].drop { $0 == "W" }) != nil {
            return true
        }
        let isHexadecimal = bytes.allSatisfy { $0 &- 0x30 < 10 || ($0 | 0x20) &- 0x61 < 6 }
        return isHexadecimal && bytes.count >= 8 && bytes.contains { $0 &- 0x30 < 10 }
    }

    /// `en`, `pt-BR`, `zh_Hans`: a language of ISO 639-1, and the subtags that may follow it.
    private static func isLanguage(_ name: String) -> Bool {
        let parts = name.split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "_" }
        guard let first = parts.first, languages.contains(String(first)), parts.count <= 3 else { return false }
        return parts.dropFirst().allSatisfy { (2...4).contains($0.utf8.count) && $0.allSatisfy(\.isASCII) }
    }

    /// Names such as `usr_8f3k2x`: one word in front, and behind it characters with a digit.
    private static func havePrefix(_ names: some Collection<String>) -> Bool {
        guard let first = names.first, let sign = first.firstIndex(where: { $0 == "_" || $0 == "-" }) else {
            return false
        }
        let prefix = first[...sign]
        return names.allSatisfy { name in
            let rest = name.utf8.dropFirst(prefix.utf8.count)
            return name.hasPrefix(prefix) && rest.count >= 5 && rest.contains { $0 &- 0x30 < 10 }
                && rest.allSatisfy { $0 &- 0x30 < 10 || ($0 | 0x20) &- 0x61 < 26 }
        }
    }

    /// Languages whose codes are words that properties are called by.
    private static let ambiguous: Set<String> = [
        "id", "to", "is", "no", "as", "my", "be", "so", "am", "in", "or", "it", "he", "tk", "ts", "st", "sn", "ss",
        "tn", "tr", "lo", "la", "li", "el", "ms", "mi", "os", "pa", "ps", "km", "kg", "kb", "gb", "ip", "cd", "co",
        "cv",
        "ad", "an", "ba", "bi", "by", "ch", "ln", "lt", "lb", "md", "mg", "mh", "ml", "mn", "mt", "nb", "nr", "rm",
        "rn", "sc", "sd", "se", "sr", "th", "ti", "tl", "ve", "vi", "vo",
    ]

    /// ISO 4217, and metals and coins that are quoted beside.
    private static let currencies: Set<String> = words(
        """
        AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTC BTN BWP BYN BZD CAD CDF CHF CLF CLP \
        CNH CNY COP CRC CUC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB ETH EUR FJD FKP GBP GEL GGP GHS GIP GMD GNF GTQ GYD HKD HNL HRK HTG \
        HUF IDR ILS IMP INR IQD IRR ISK JEP JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK \
        MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG \
        SEK SGD SHP SLE SLL SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD UYU UZS VES VND VUV WST XAF XAG \
        XAU XCD XDR XOF XPD XPF XPT YER ZAR ZMW ZWL
        """)

    /// ISO 3166-1 alpha-2, and further codes in use.
    private static let countries: Set<String> = words(
        """
        AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ CA CC CD CF CG CH \
        CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET EU FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM \
        GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI \
        LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM \
        PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD \
        TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UK UM US UY UZ VA VC VE VG VI VN VU WF WS XK YE YT ZA ZM ZW
        """)

    private static func words(_ text: String) -> Set<String> {
        Set(text.split { $0 == " " || $0 == "\n" }.map(String.init))
    }

    private static let languages: Set<String> = Set(
        ("""
        aa ab ae af ak am an ar as av ay az ba be bg bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el en eo es et \
        eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja jv ka kg ki kj kk \
        kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn no nr nv \
        ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so sq sr ss st su sv sw ta te tg th ti \
        tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu
        """).split(ascii: " ").map(String.init))
}
