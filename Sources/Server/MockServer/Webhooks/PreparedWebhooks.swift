// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPServer
import MockapiHTTPSyntax
import MockapiHTTPWire
import MockapiTemplating
import Synchronization

/// The webhooks that a stub sends after its response, with the salt and the count that their delays are drawn by.
final class PreparedWebhooks: Sendable {
    private let webhooks: [Webhook]
    /// Distinguishes the stub from others in random draws.
    private let salt: UInt64
    private let count = Atomic<UInt64>(0)

    /// The path with variables that the stub has; nil if it has none.
    private let pathTemplate: String?
    private let isTemplated: Bool

    init(_ webhooks: [Webhook], salt: UInt64, pathTemplate: String?) {
        self.webhooks = webhooks
        self.salt = salt
        self.pathTemplate = pathTemplate
        isTemplated = webhooks.contains { $0.templates != nil }
    }

    func reset() {
        count.store(0, ordering: .relaxed)
    }

    /// Those that are due for one request.
    ///
    /// - Parameters:
    ///   - sent: the response to the request.
    ///   - wait: milliseconds until the response begins.
    func calls(
        _ head: borrowing RequestHead, _ body: [UInt8], _ sent: Response, _ connection: ConnectionInfo,
        sequence: UInt64, receivedAt: UInt64, wait: Int, dialect: FixtureSet.Dialect, _ context: ServerContext
    ) -> [WebhookQueue.Call] {
        let number = count.wrappingAdd(1, ordering: .relaxed).oldValue
        var draw = SeededDraw(seed: context.seed, salt: salt, number: number)
        var occasion: WebhookOccasion?
        if isTemplated {
            var random = TemplateRandom(seed: context.seed, salt: salt, number: number)
            let request = RequestModel(
                copy head, RequestContent.seen(body, of: head, by: dialect),
                client: context.identity.client(of: head, from: connection.peer.host),
                base: context.identity.base(for: head),
                pathTemplate: pathTemplate, hasRawVariables: dialect == .wireMock, id: random.uuid())
            occasion = WebhookOccasion(
                request: request, response: ResponseModel(sent), now: context.now(), random: random,
                share: webhooks.count)
        }
        let trail = WebhookTrail(of: head, server: context.pseudonym)
        return webhooks.map { webhook in
            let delay = webhook.delay.map { draw.milliseconds($0) } ?? 0
            return WebhookQueue.Call(
                webhook: webhook, occasion: occasion, trail: trail, sequence: sequence, receivedAt: receivedAt,
                delay: wait + delay)
        }
    }
}
