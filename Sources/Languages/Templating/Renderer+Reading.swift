// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText

extension Helper {
    /// Bytes of its arguments that a helper reads in one step; nil for a helper that looks at its values without reading them through.
    ///
    /// Work by characters takes ten times as long as work by bytes.
    var bytesPerStep: Int? {
        switch self {
        case .if, .unless, .each, .with, .log, .and, .or, .not, .array, .arrayAdd, .arrayRemove, .range, .randomValue,
            .randomInt, .randomDecimal, .pickRandom, .val, .hostname, .now:
            nil
        case .eq, .neq, .gt, .gte, .lt, .lte, .lookup, .assign, .size, .systemValue, .defaultIfEmpty, .yesno, .jsonPath,
            .parseJson, .xPath, .soapXPath, .isEven, .isOdd, .stripes:
            64
        case .contains, .matches, .regexExtract, .join, .arrayJoin, .cut, .replace, .stripTags, .trim, .base64,
            .urlEncode, .toJson, .math, .numberFormat, .date, .parseDate, .truncateDate, .dateFormat:
            32
        case .capitalize, .capitalizeFirst, .center, .ljust, .rjust, .substring, .lower, .upper, .slugify,
            .stringFormat,
            .wordWrap, .abbreviate, .formatJson, .jsonMerge, .jsonRemove, .jsonArrayAdd, .jsonSort, .formatXml:
            8
        case .formData: 4
        }
    }

    /// Steps of one call, whatever it reads.
    var steps: Int {
        switch self {
        case .if, .unless, .each, .with, .and, .or, .not, .hostname, .log: 0
        case .math, .jsonPath, .jsonRemove, .jsonSort, .toJson, .range, .join, .lookup, .randomValue, .eq, .neq, .gt,
            .gte, .lt, .lte, .contains, .replace, .cut, .substring, .wordWrap, .center, .ljust, .rjust:
            4
        case .stringFormat, .now, .date, .parseDate, .truncateDate, .dateFormat, .formData, .xPath, .soapXPath,
            .formatXml:
            8
        case .numberFormat: 16
        default: 2
        }
    }

    /// Bytes that a helper holds for each step of reading, while it works: the text a few times, and the elements of lists.
    fileprivate var heldPerStep: Int {
        switch self {
        // Words and fields of a byte each are texts of their own.
        case .wordWrap: 256
        case .formData: 128
        default: min(64, 3 * (bytesPerStep ?? 0))
        }
    }

    /// Whether the first argument is handed on, or looked into by steps that are paid for one by one, if it is not a text.
    fileprivate var looksIntoFirst: Bool {
        switch self {
        case .jsonPath, .lookup, .size, .defaultIfEmpty: true
        default: false
        }
    }

    /// Whether the second argument is given a name and no more.
    fileprivate var namesSecond: Bool { self == .assign }
}

extension Renderer {
    /// A member of a value; the bytes that are read to find it are paid for.
    mutating func member(_ name: String, of value: TemplateValue) throws(TemplateFailure) -> TemplateValue? {
        try spend(value.reading(name) / 64)
        return value.member(name)
    }

    /// The value at the end of a list of member names; null if one is missing.
    mutating func follow(
        _ keys: ArraySlice<String>, from value: TemplateValue
    ) throws(TemplateFailure) -> TemplateValue {
        var value = value
        for key in keys {
            guard let member = try member(key, of: value) else { return .null }
            value = member
        }
        return value
    }

    /// Levels of lists within lists. 64.
    private static let listDepth = 64

    /// Pays for the arguments that a helper is about to read.
    mutating func payForReading(_ invocation: Invocation) throws(TemplateFailure) {
        let helper = invocation.helper
        try spend(helper.steps)
        for option in invocation.options.values { try pay(reading: option, bytesPerStep: 16) }
        guard let rate = helper.bytesPerStep else { return }
        let before = left
        // A helper that is given nothing takes the value at hand.
        if invocation.arguments.isEmpty, !helper.looksIntoFirst { try pay(reading: context, bytesPerStep: rate) }
        for (index, argument) in invocation.arguments.enumerated() {
            if index == 0, helper.looksIntoFirst, !Self.isText(argument) { continue }
            if index == 1, helper.namesSecond { continue }
            try pay(reading: argument, bytesPerStep: rate)
        }
        // The steps are not more than a million.
        try hold((before - left) * helper.heldPerStep)
    }

    private static func isText(_ value: TemplateValue) -> Bool {
        if case .json(let node) = value { node.string != nil } else { false }
    }

    /// Pays for a value by its expanded size: values share their parts, and a short list can stand for more than there is memory for.
    ///
    /// Ends in the middle if the steps, or the bytes that a template may make, do not suffice.
    ///
    /// - Parameter depth: how many lists hold the value.
    mutating func pay(
        reading value: TemplateValue, bytesPerStep rate: Int = 64, within depth: Int = 0
    ) throws(TemplateFailure) {
        switch value {
        case .json(let node): try pay(reading: node, bytesPerStep: rate)
        case .date: try spend()
        case .list(let elements):
            guard depth < Self.listDepth else {
                throw failure("lists are nested more than \(Self.listDepth) levels deep")
            }
            for element in elements {
                try spend()
                try pay(reading: element, bytesPerStep: rate, within: depth + 1)
            }
        case .several(let texts):
            try spend(texts.count)
            for text in texts { try spend(text.utf8.count / rate) }
        case .object(let object):
            if let elements = object.elements {
                for element in elements {
                    try spend()
                    try pay(reading: element, bytesPerStep: rate, within: depth + 1)
                }
            }
            let members = object.members
            for member in members {
                try spend(1 + member.name.utf8.count / rate)
                try pay(reading: member.value, bytesPerStep: rate, within: depth + 1)
            }
            if members.isEmpty { try spend(try paidText(object.text(meter: meter)).utf8.count / rate) }
        }
    }

    /// A text that was paid for as it was made.
    mutating func paidText(_ text: String?) throws(TemplateFailure) -> String {
        if let text { return text }
        // After a payment that was refused none is taken.
        try spend()
        throw tooMuch
    }

    private mutating func pay(reading node: JSONNode, bytesPerStep rate: Int) throws(TemplateFailure) {
        switch node.value {
        case .null, .bool: break
        case .number(let number): try spend(number.literal.utf8.count / rate)
        case .string(let text): try spend(text.utf8.count / rate)
        case .array(let elements):
            for element in elements {
                try spend()
                try pay(reading: element, bytesPerStep: rate)
            }
        case .object(let object):
            for member in object.members {
                try spend(1 + member.name.utf8.count / rate)
                try pay(reading: member.value, bytesPerStep: rate)
            }
        }
    }
}
