// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPServer
import MockapiHTTPSyntax
import MockapiMetering
import MockapiTemplating

/// The renderings of one response, or of one webhook: all at the same time, and each with random values of its own.
struct TemplateRendering {
    /// Why something cannot be rendered.
    struct Failure: Error {
        var status = 500
        let text: String
    }

    let model: TemplateValue
    let now: Int64
    var random: TemplateRandom
    /// Pays for all of them.
    let meter: Meter
    /// Steps that all renderings together may still take; nil if each template has its own limit.
    var stepsLeft: Int?

    /// - Parameter name: the name of the template in messages.
    mutating func bytes(_ template: Template, _ name: String) throws(Failure) -> [UInt8] {
        try bytes(name) { [meter] (model, surroundings, spent) throws(TemplateError) in
            try template.render(model, surroundings, meter: meter, spent: &spent)
        }
    }

    /// - Parameter name: the name of the template in messages.
    mutating func bytes(_ template: JSONTemplate, _ name: String) throws(Failure) -> [UInt8] {
        try bytes(name) { [meter] (model, surroundings, spent) throws(TemplateError) in
            try template.render(model, surroundings, meter: meter, spent: &spent)
        }
    }

    private mutating func bytes(
        _ name: String,
        _ render: (TemplateValue, TemplateSurroundings, inout Int) throws(TemplateError) -> [UInt8]
    ) throws(Failure) -> [UInt8] {
        let surroundings = TemplateSurroundings(
            clock: .frozen(now), random: TemplateRandom(random.next()), hostname: Machine.hostName,
            steps: stepsLeft ?? Template.Limits.steps)
        var spent = 0
        do throws(TemplateError) {
            let bytes = try render(model, surroundings, &spent)
            stepsLeft = stepsLeft.map { $0 - spent }
            return bytes
        } catch {
            throw Failure(text: "the template of \(name) cannot be rendered: \(error)".printable)
        }
    }

    mutating func text(_ template: Template, _ name: String) throws(Failure) -> String {
        String(decoding: try bytes(template, name), as: UTF8.self)
    }

    /// Renders the values of field lines.
    mutating func render(
        _ headers: [ResponseTemplates.Header], into lines: inout [HeaderLine], _ name: String
    ) throws(Failure) {
        for header in headers where lines.indices.contains(header.index) {
            let text = try text(header.template, "\(name) \(header.name)")
            if FieldText.controlCharacter(in: text) != nil {
                throw Failure(text: "\(name) \(header.name) renders to a text with a control character")
            }
            lines[header.index].value = FieldText.trimmed(text)
        }
    }
}
