// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// The keys of a stub that say which clients it serves, and how often.
extension ObjectKey {
    static let access = [
        ObjectKey(
            "authentication", .object(.authentication),
            "The credentials of a request: `bearer`, `basic`, `digest` or `oauth2`; one of several is enough."),
        ObjectKey("rateLimit", .object(.rateLimit), "How many requests are answered in a time; 429 beyond."),
        ObjectKey(
            "protects", .either([.string, .list(.string, minimum: 1)]),
            "Paths that `authentication` and `rateLimit` hold for, by their beginnings, in place of `request` and `response`: "
                + "the other stubs answer requests that are let in."),
    ]

    static let authentication = [
        ObjectKey("bearer", .object(.bearer), "Tokens in an Authorization line (RFC 6750)."),
        ObjectKey("basic", .object(.basic), "A name and a password (RFC 7617)."),
        ObjectKey("digest", .object(.digest), "A name and proof of a password (RFC 7616)."),
        ObjectKey(
            "oauth2", .object(.oauth2),
            "An authorization server: the grants `client_credentials` and `refresh_token` (RFC 6749). It takes the place of `request` and `response`."
        ),
    ]

    private static let realm = ObjectKey(
        "realm", .string, "The 401's name for the protected part; `api` by default.")
    private static let uses = ValueShape.integer(1...1_000_000_000)

    static let bearer = [
        ObjectKey(
            "tokens", .list(.string, minimum: 1),
            "The tokens that are accepted; without these and `issuer`, all that no other key names."),
        ObjectKey("expired", .list(.string, minimum: 1), "Tokens that were good once: 401 with `invalid_token`."),
        ObjectKey(
            "insufficient", .list(.string, minimum: 1), "Tokens for something else: 403 with `insufficient_scope`."),
        ObjectKey("issuer", .string, "The `name` of the stub with `oauth2` whose tokens are let in, too."),
        ObjectKey(
            "scope", .string, "The scope that a token of the issuer must have; 403 with `insufficient_scope` otherwise."
        ),
        realm,
    ]

    static let basic = [
        ObjectKey("username", .string, "The user's name."), ObjectKey("password", .string, "The user's password."),
        realm,
    ]

    static let digest = [
        ObjectKey("username", .string, "The user's name."), ObjectKey("password", .string, "The user's password."),
        ObjectKey(
            "algorithm", .choice(Authentication.Digest.Algorithm.allCases.map(\.rawValue)),
            "The hash; `SHA-256` by default."),
        ObjectKey("uses", uses, "Requests that a nonce is good for; then a 401 says that it is stale."),
        realm,
    ]

    static let oauth2 = [
        ObjectKey("tokenEndpoint", .string, "The path for token requests, by POST."),
        ObjectKey("clientId", .string, "The client's name."),
        ObjectKey("clientSecret", .string, "The client's secret."),
        ObjectKey(
            "expiresIn", .integer(0...31_536_000), "Seconds that a token is good for; 3600 by default."),
        ObjectKey("uses", uses, "Requests that a token is good for, so that the expired token is met without waiting."),
        ObjectKey("refresh", .boolean, "Whether a refresh token comes with each token; true by default."),
        ObjectKey("scope", .string, "The scopes that a client may ask for; any by default."),
        realm,
    ]

    static let rateLimit = [
        ObjectKey("requests", .integer(1...1_000_000_000), "How many are answered in the time."),
        ObjectKey("per", .string, "The time: `1s`, `500ms`, `5m`; a year at most."),
        ObjectKey(
            "by", .string,
            "Which requests are counted together: those of a `client`'s address (the default), `all`, or those with one value of "
                + "`header:X-Api-Key`."),
    ]
}
