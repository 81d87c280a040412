// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// The keys of rules that apply to some responses and not to others.
extension ObjectKey {
    static let rules = [
        ObjectKey(
            "faults", .list(.object(.faultRule), minimum: 1),
            "Faults that some responses have, the first that holds, before `fault`; drawn from `serve --seed`."),
        ObjectKey(
            "delays", .list(.object(.delayRule), minimum: 1),
            "Delays that some responses have, the first that holds, beside their own; drawn from `serve --seed`."),
    ]

    private static let rule = [
        ObjectKey(
            "probability", .number, "The share of the responses that it affects, from 0 to 1; all by default."),
        ObjectKey("when", .object(.ruleCondition), "When it holds; always by default."),
    ]

    static let faultRule = faultKeys + rule

    static let delayRule = delivery.filter { ["fixedDelayMilliseconds", "delayDistribution"].contains($0.name) } + rule

    private static let moment = ValueShape.either([.string, .integer(1...(.max))])

    static let ruleCondition = [
        ObjectKey("scenarioState", .string, "The state that the stub's scenario, or `scenario`, is in."),
        ObjectKey("scenario", .string, "The scenario whose state it is, if it is not the stub's own."),
        ObjectKey(
            "client", .string, "The client: an address such as `127.0.0.1`, or a field line such as `X-Client: mobile`."
        ),
        ObjectKey(
            "from", moment,
            "The first moment it holds: `5s` since the server started or was reset, a date such as `2026-11-20T10:00:00Z`, or the number of "
                + "the request to this response, from 1."),
        ObjectKey("until", moment, "The first moment it no longer holds, written as `from` is."),
    ]
}
