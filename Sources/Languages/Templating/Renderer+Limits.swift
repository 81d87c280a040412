// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiMetering

// The bounds of a rendering: all of it is paid for here, steps and memory.
extension Renderer {
    func failure(_ message: String) -> TemplateFailure { TemplateFailure(offset, message) }

    /// Counts steps, so that no template loops without a bound.
    mutating func spend(_ count: Int = 1) throws(TemplateFailure) {
        try spend(units: Self.units(count))
    }

    /// Units of a text, an expression or a block of a template, each time that it is rendered: a step.
    static let nodeUnits = Meter.templateStep
    /// Units of an expression, each time that it is asked for its value: half a step.
    static let expressionUnits = Meter.templateStep / 2

    /// Counts parts of steps: whatever is rendered or evaluated takes some, so that nothing is done for nothing.
    mutating func spend(units: Int) throws(TemplateFailure) {
        guard allowance.pay(units) else {
            if meter.isStopped { throw failure("nobody waits for the response any more") }
            if meter.isShortened, meter.left == 0 {
                throw failure("the client has ended its side, and the templates take too long for it")
            }
            throw failure(
                meter.left == 0
                    ? "the templates of the response take more than 1,048,576 steps together"
                    : "the template takes more than 1,000,000 steps")
        }
    }

    static func units(_ steps: Int) -> Int {
        let (units, overflows) = steps.multipliedReportingOverflow(by: Meter.templateStep)
        return overflows ? .max : units
    }

    /// Counts text that is made.
    mutating func spend(bytes count: Int) throws(TemplateFailure) {
        guard count <= Template.Limits.output else { throw failure("the template makes more than 16 MiB") }
        try spend(count / 64)
        try make(count)
    }

    /// The bytes made until a moment, to find out how many were made since.
    struct Mark {
        fileprivate let left: Int
        fileprivate let kept: Int
        fileprivate let names: Int
    }

    var mark: Mark { Mark(left: meter.bytesLeft, kept: kept, names: names) }

    /// Bytes that were made since, and are gone once the value that they were made for is: all but the output, unless something got a name.
    func temporary(since mark: Mark) -> Int {
        names == mark.names ? max(0, mark.left - meter.bytesLeft - (kept - mark.kept)) : 0
    }

    /// Gives back the bytes made since that are gone.
    mutating func release(since mark: Mark) {
        let temporary = temporary(since: mark)
        if names != mark.names { kept += max(0, mark.left - meter.bytesLeft - (kept - mark.kept)) }
        meter.giveBack(temporary)
    }

    /// Counts bytes that a value takes which is made.
    func make(_ bytes: Int) throws(TemplateFailure) {
        guard meter.make(bytes) else { throw tooMuch }
    }

    /// Makes sure that there is room for the memory that a helper takes while it works.
    func hold(_ bytes: Int) throws(TemplateFailure) {
        guard bytes <= meter.bytesLeft else { throw tooMuch }
    }

    /// Bytes that may still be made.
    var meterRoom: Int { meter.bytesLeft }

    var tooMuch: TemplateFailure {
        failure("the template makes more than 32 MiB, with the values that helpers pass on to each other")
    }

    /// The elements of a list, for which there has to be room.
    func elements(of value: TemplateValue) throws(TemplateFailure) -> [TemplateValue]? {
        if case .list = value { return value.elements }
        if let count = value.elementCount { try hold(TemplateValue.size(ofElements: count)) }
        return value.elements
    }
}
