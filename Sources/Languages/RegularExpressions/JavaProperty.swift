// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// The names that Java's `\p{…}` takes: POSIX classes, which are ASCII by default, categories, scripts, blocks and properties.
enum JavaProperty {
    /// The characters of a property; nil for an unknown name.
    ///
    /// - Parameter isUnicode: whether the POSIX classes cover all of Unicode.
    static func members(of name: String, isUnicode: Bool) -> JavaClass? {
        if isUnicode, let items = unicode[name] { return JavaClass(items) }
        if let items = posix[name] ?? java[name] { return JavaClass(items) }
        if name == "javaDefined" { return JavaClass("\\p{Cn}").negated }
        if let equals = name.firstIndex(of: "=") {
            let value = String(name[name.index(after: equals)...])
            switch name[..<equals].lowercased() {
            case "gc", "general_category": return category(value)
            case "sc", "script": return script(value)
            case "blk", "block": return block(value)
            default: return nil
            }
        }
        if name.hasPrefix("In") { return block(String(name.dropFirst(2))) }
        if name.hasPrefix("Is") {
            let name = String(name.dropFirst(2))
            let key = name.uppercased().filter { $0 != "_" }
            if key == "ASSIGNED" { return JavaClass("\\p{Cn}").negated }
            return binary[key].map { JavaClass($0) } ?? category(name) ?? script(name)
        }
        return category(name)
    }

    private static let posix = [
        "Lower": "a-z", "Upper": "A-Z", "ASCII": "\\x{0}-\\x{7F}", "Alpha": "a-zA-Z", "Digit": "0-9",
        "Alnum": "a-zA-Z0-9", "Punct": "!-\\/:-@\\[-`{-~", "Graph": "!-~", "Print": "\\x{20}-~",
        "Blank": "\\x{20}\\t", "Cntrl": "\\x{0}-\\x{1F}\\x{7F}", "XDigit": "0-9a-fA-F",
        "Space": "\\x{20}\\x{9}-\\x{D}",
    ]

    private static let unicode = [
        "Lower": "\\p{Lowercase}", "Upper": "\\p{Uppercase}", "Alpha": "\\p{Alphabetic}", "Digit": "\\p{Nd}",
        "Alnum": "\\p{Alphabetic}\\p{Nd}", "Punct": "\\p{P}", "Blank": "\\p{Zs}\\t", "Cntrl": "\\p{Cc}",
        "Space": "\\p{White_Space}", "XDigit": "\\p{Nd}\\p{Hex_Digit}",
    ]

    private static let java = [
        "javaLowerCase": "\\p{Lowercase}", "javaUpperCase": "\\p{Uppercase}", "javaTitleCase": "\\p{Lt}",
        "javaAlphabetic": "\\p{Alphabetic}", "javaIdeographic": "\\p{Ideographic}", "javaDigit": "\\p{Nd}",
        "javaLetter": "\\p{L}", "javaLetterOrDigit": "\\p{L}\\p{Nd}", "javaSpaceChar": "\\p{Z}",
        "javaISOControl": "\\x{0}-\\x{1F}\\x{7F}-\\x{9F}",
        "javaWhitespace":
            "\\x{9}-\\x{D}\\x{1C}-\\x{20}\\x{1680}\\x{2000}-\\x{2006}\\x{2008}-\\x{200A}\\x{2028}\\x{2029}\\x{205F}\\x{3000}",
        "javaJavaIdentifierStart": "\\p{L}\\p{Nl}\\p{Sc}\\p{Pc}",
        "javaJavaIdentifierPart":
            "\\p{L}\\p{Nl}\\p{Sc}\\p{Pc}\\p{Nd}\\p{Mc}\\p{Mn}\\p{Cf}\\x{0}-\\x{8}\\x{E}-\\x{1B}\\x{7F}-\\x{9F}",
    ]

    private static let binary = [
        "ALPHABETIC": "\\p{Alphabetic}", "LETTER": "\\p{L}", "IDEOGRAPHIC": "\\p{Ideographic}",
        "LOWERCASE": "\\p{Lowercase}", "UPPERCASE": "\\p{Uppercase}", "TITLECASE": "\\p{Lt}",
        "WHITESPACE": "\\p{White_Space}", "CONTROL": "\\p{Cc}", "PUNCTUATION": "\\p{P}",
        "HEXDIGIT": "\\p{Nd}\\p{Hex_Digit}", "DIGIT": "\\p{Nd}", "ALNUM": "\\p{Alphabetic}\\p{Nd}",
        "BLANK": "\\p{Zs}\\t", "JOINCONTROL": "\\p{Join_Control}",
        "NONCHARACTERCODEPOINT": "\\p{Noncharacter_Code_Point}", "EMOJI": "\\p{Emoji}",
        "WORD": "\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\p{Join_Control}",
    ]

    private static let categories: Set = [
        "L", "Lu", "Ll", "Lt", "Lm", "Lo", "M", "Mn", "Me", "Mc", "N", "Nd", "Nl", "No", "Z", "Zs", "Zl", "Zp", "C",
        "Cc", "Cf", "Co", "Cs", "Cn", "P", "Pd", "Ps", "Pe", "Pc", "Po", "Pi", "Pf", "S", "Sm", "Sc", "Sk", "So",
    ]

    private static func category(_ name: String) -> JavaClass? {
        switch name {
        case "LC": JavaClass("\\p{L&}")
        case "LD": JavaClass("\\p{L}\\p{Nd}")
        case "L1": JavaClass("\\x{0}-\\x{FF}")
        case "all": JavaClass("\\x{0}-\\x{10FFFF}")
        default: categories.contains(name) ? JavaClass("\\p{\(name)}") : nil
        }
    }

    /// A script by its name or its four letters, if PCRE2 knows it.
    private static func script(_ name: String) -> JavaClass? {
        guard name.utf8.allSatisfy({ $0 | 0x20 &- 0x61 < 26 || $0 == UInt8(ascii: "_") }) else { return nil }
        let items = "\\p{sc:\(name)}"
        return (try? RegularExpression(items, .templates)) == nil ? nil : JavaClass(items)
    }

    /// The blocks that patterns sometimes name; PCRE2 knows no blocks.
    private static let blocks = [
        "basiclatin": "0-7F", "latin1supplement": "80-FF", "latinextendeda": "100-17F", "latinextendedb": "180-24F",
        "latinextendedadditional": "1E00-1EFF", "ipaextensions": "250-2AF", "spacingmodifierletters": "2B0-2FF",
        "combiningdiacriticalmarks": "300-36F", "greek": "370-3FF", "greekandcoptic": "370-3FF",
        "greekextended": "1F00-1FFF", "cyrillic": "400-4FF", "armenian": "530-58F", "hebrew": "590-5FF",
        "arabic": "600-6FF", "devanagari": "900-97F", "bengali": "980-9FF", "tamil": "B80-BFF", "thai": "E00-E7F",
        "georgian": "10A0-10FF", "hanguljamo": "1100-11FF", "mongolian": "1800-18AF", "khmer": "1780-17FF",
        "generalpunctuation": "2000-206F", "superscriptsandsubscripts": "2070-209F", "currencysymbols": "20A0-20CF",
        "letterlikesymbols": "2100-214F", "numberforms": "2150-218F", "arrows": "2190-21FF",
        "mathematicaloperators": "2200-22FF", "boxdrawing": "2500-257F", "geometricshapes": "25A0-25FF",
        "miscellaneoussymbols": "2600-26FF", "dingbats": "2700-27BF", "braillepatterns": "2800-28FF",
        "cjksymbolsandpunctuation": "3000-303F", "hiragana": "3040-309F", "katakana": "30A0-30FF",
        "bopomofo": "3100-312F", "cjkunifiedideographsextensiona": "3400-4DBF", "cjkunifiedideographs": "4E00-9FFF",
        "hangulsyllables": "AC00-D7AF", "privateusearea": "E000-F8FF", "cjkcompatibilityideographs": "F900-FAFF",
        "halfwidthandfullwidthforms": "FF00-FFEF", "emoticons": "1F600-1F64F",
    ]

    private static func block(_ name: String) -> JavaClass? {
        let key = name.lowercased().filter { $0 != "_" && $0 != " " && $0 != "-" }
        return blocks[key].map { range in
            let ends = range.split(separator: "-")
            return JavaClass("\\x{\(ends[0])}-\\x{\(ends[1])}")
        }
    }
}
