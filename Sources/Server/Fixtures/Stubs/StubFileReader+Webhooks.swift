// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax
import MockapiJSONText
import MockapiTemplating

extension StubFileReader {
    /// Reads the requests that a stub sends after its response.
    mutating func webhooks(of cursor: Cursor) -> [Webhook] {
        var webhooks = (cursor["serveEventListeners"]?.elements ?? []).compactMap { webhook(listener: $0) }
        guard isWireMock, let actions = cursor["postServeActions"] else { return webhooks }
        if actions.node.array != nil { return webhooks + actions.elements.compactMap { webhook(listener: $0) } }
        for action in actions.members where isWebhook(action.name, at: action.value) {
            if let webhook = webhook(action.value) { webhooks.append(webhook) }
        }
        return webhooks
    }

    private mutating func webhook(listener cursor: Cursor) -> Webhook? {
        guard cursor.node.object != nil else { return nil }
        guard let name = cursor["name"] else {
            reportUnsent("\"name\" is missing; \"webhook\" is what is known", at: cursor)
            return nil
        }
        guard let text = name.node.string, isWebhook(text, at: name) else { return nil }
        guard let parameters = cursor["parameters"] else {
            reportUnsent("\"parameters\" is missing", at: cursor)
            return nil
        }
        return webhook(parameters)
    }

    private mutating func isWebhook(_ name: String, at cursor: Cursor) -> Bool {
        if name == "webhook" { return true }
        report(
            isWireMock ? .warning : .error,
            "the listener \"\(name)\" is not known; \"webhook\" is"
                + (isWireMock ? ", and others are passed over" : ""),
            at: cursor)
        return false
    }

    /// Reports why a webhook is not sent: in a WireMock root the stub responds all the same.
    private mutating func reportUnsent(_ text: String, at cursor: Cursor) {
        report(isWireMock ? .warning : .error, isWireMock ? "\(text); it is not sent" : text, at: cursor)
    }

    private mutating func webhook(_ cursor: Cursor) -> Webhook? {
        guard cursor.node.object != nil else { return nil }
        guard let written = cursor["url"] else {
            reportUnsent("\"url\" is missing", at: cursor)
            return nil
        }
        guard let url = written.node.string else { return nil }
        var templates = Webhook.Templates()
        templates.url = template(in: url, at: written)
        guard templates.url != nil || Template.isNeeded(for: url.utf8) || Webhook.isURL(url) else {
            let blank = url.utf8.contains(UInt8(ascii: " ")) ? "; a blank is written as %20" : ""
            reportUnsent("expected a URL of http or https, found \"\(url)\"\(blank)", at: written)
            return nil
        }
        var webhook = Webhook(url: url)
        if let method = cursor["method"], let text = method.node.string {
            templates.method = template(in: text, at: method)
            if !Template.isNeeded(for: text.utf8), !FieldText.isToken(text) {
                report(.error, "\"\(text)\" is not a method (RFC 9110 §9.1)", at: method)
            }
            webhook.method = text
        }
        for name in ["jsonBody", "bodyFileName"] where cursor["body"] == nil && cursor["base64Body"] == nil {
            guard let other = cursor[name] else { continue }
            report(.warning, "a webhook has no \"\(name)\": it is a parameter for templates; write \"body\"", at: other)
        }
        let lines = headerLines(cursor["headers"])
        webhook.headers = lines.map(\.line)
        templates.headers = headerTemplates(lines)
        if let written = cursor["body"], let body = written.node.string {
            webhook.body = Array(body.utf8)
            templates.body = template(in: body, at: written)
        }
        if let written = cursor["base64Body"], let text = written.node.string {
            if cursor["body"] != nil {
                report(.error, "\"base64Body\" beside \"body\"; leave one of them out", at: written)
            }
            guard let bytes = Base64.decode(text, .written) else {
                reportUnsent("this is not Base64", at: written)
                return nil
            }
            webhook.body = bytes
        }
        if let delay = cursor["delay"], delay.node.object != nil { webhook.delay = distribution(delay, of: "delay") }
        if let retry = cursor["retry"], retry.node.object != nil {
            if retry["times"] == nil { report(.error, "\"times\" is missing", at: retry) }
            webhook.retry = Webhook.Retry(
                times: retry["times"]?.node.number?.integer ?? 0, delay: retry["delay"]?.node.number?.integer ?? 0)
        }
        if !templates.isEmpty {
            templates.parameters = parameters(of: cursor)
            webhook.templates = templates
        }
        return webhook
    }

    /// The value of `parameters` in templates: all that is written there, with `extraParameters` among it.
    private func parameters(of cursor: Cursor) -> JSONNode {
        let extra = cursor["extraParameters"]?.node.object?.members ?? []
        let names = Set(extra.map(\.name))
        let own = (cursor.node.object?.members ?? []).filter {
            $0.name != "extraParameters" && !names.contains($0.name)
        }
        return JSONNode(.object(JSONObject(own + extra)))
    }
}
