// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPSyntax
import MockapiHTTPWire
import MockapiJSONText
import MockapiMetering
import MockapiTemplating

/// The data that the templates of a webhook are rendered with: the request that its stub has responded to, and the
/// response.
struct WebhookOccasion: Sendable {
    let request: RequestModel
    let response: ResponseModel
    let now: Int64
    let random: TemplateRandom
    /// How many webhooks the request has; they share the work of one request.
    let share: Int

    /// Bytes that wait with it.
    var size: Int { request.size + response.body.count }

    /// A webhook as it is sent for this request.
    ///
    /// - Parameter stop: ends the rendering if it is not to be sent any more.
    func rendered(_ webhook: Webhook, stop: WorkStop) throws(TemplateRendering.Failure) -> Webhook {
        guard let templates = webhook.templates else { return webhook }
        let model = WebhookModel(request: request, response: response, parameters: templates.parameters)
        let meter = Meter(Meter.units / max(1, share), stop: stop)
        var rendering = TemplateRendering(model: .object(model), now: now, random: random, meter: meter)
        var webhook = webhook
        webhook.templates = nil
        if let template = templates.url {
            webhook.url = try rendering.text(template, "the webhook's URL").trimmed
            guard Webhook.isURL(webhook.url) else {
                throw TemplateRendering.Failure(
                    text: "the webhook's URL renders to \"\(webhook.url.prefix(200))\", which is not a URL of "
                        + "http or https"
                        .printable)
            }
        }
        if let template = templates.method {
            webhook.method = try rendering.text(template, "the webhook's method").trimmed
            guard FieldText.isToken(webhook.method) else {
                throw TemplateRendering.Failure(
                    text: "the webhook's method renders to \"\(webhook.method.prefix(40))\", which is not a method"
                        .printable)
            }
        }
        try rendering.render(templates.headers, into: &webhook.headers, "the webhook's header")
        if let template = templates.body { webhook.body = try rendering.bytes(template, "the webhook's body") }
        return webhook
    }
}

extension String {
    fileprivate var trimmed: String { FieldText.trimmed(self) }
}

/// The outermost names of a webhook's templates: `originalRequest`, `originalResponse` and `parameters`.
private struct WebhookModel: TemplateObject {
    let request: RequestModel
    let response: ResponseModel
    let parameters: JSONNode

    func member(_ name: String) -> TemplateValue? {
        switch name {
        case "originalRequest": .object(request)
        case "originalResponse": .object(response)
        case "parameters": .json(parameters)
        default: nil
        }
    }

    var members: [(name: String, value: TemplateValue)] {
        ["originalRequest", "originalResponse", "parameters"].map { ($0, member($0) ?? .null) }
    }
}

/// A response as the templates of webhooks see it.
struct ResponseModel: TemplateObject {
    let status: Int
    let fields: [WireField]
    /// Empty if it is not in memory.
    let body: [UInt8]

    init(_ response: Response) {
        status = response.head.status
        fields = response.head.fields
        body =
            switch response.body {
            case .bytes(let bytes): bytes
            case .slice(let bytes, let range): Array(bytes[range])
            case .none, .file, .parts: []
            }
    }

    func member(_ name: String) -> TemplateValue? {
        switch name {
        case "status": .integer(status)
        case "headers": .object(FormFields(fields.map { ($0.name, $0.value) }, ignoresCase: true))
        case "body": .string(String(decoding: body, as: UTF8.self))
        case "bodyAsBase64": .string(Base64.text(of: body))
        default: nil
        }
    }

    func reading(_ name: String) -> Int {
        switch name {
        case "headers": 64 * fields.count
        case "bodyAsBase64": body.count
        default: 0
        }
    }

    var members: [(name: String, value: TemplateValue)] {
        ["status", "headers", "body"].map { ($0, member($0) ?? .null) }
    }
}
