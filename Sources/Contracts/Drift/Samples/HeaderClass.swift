// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax

/// The meaning of a header field of a response to a client, and so the weight of a change of it.
enum HeaderClass {
    /// Part of the connection or the transfer: never compared.
    case framing
    /// Different in each response: that it is there counts, a little.
    case momentary
    /// Made of the body, or another with each resource, and read by clients: that it is there counts, and how strong it is.
    case ofBody
    case cookies
    case contentType
    case contentEncoding
    case contentLanguage
    case contentDisposition
    case location
    case authenticate
    case allow
    case link
    case vary
    case cacheControl
    case cors
    case deprecation
    case apiVersion
    case ranges
    case other

    /// - Parameter name: in lower case.
    static func of(_ name: String) -> HeaderClass {
        if let known = known[name] { return known }
        if name.hasPrefix("proxy-") || framingNames.contains(name) { return .framing }
        if FieldNames.ofContent.contains(name) || FieldNames.isDigest(name) || ofResource.contains(name) {
            return .ofBody
        }
        if name.hasPrefix("access-control-") { return .cors }
        if momentaryNames.contains(name) || momentaryPrefixes.contains(where: name.hasPrefix)
            || momentaryEndings.contains(where: name.hasSuffix)
        {
            return .momentary
        }
        if name == "version" || name.hasSuffix("api-version") || name == "x-version" { return .apiVersion }
        return .other
    }

    private static let framingNames = FieldNames.hopByHop.union(FieldNames.framing).union(["trailer", "alt-svc"])

    private static let known: [String: HeaderClass] = [
        "set-cookie": .cookies, "content-type": .contentType, "content-encoding": .contentEncoding,
        "content-language": .contentLanguage, "content-disposition": .contentDisposition, "location": .location,
        "content-location": .other, "www-authenticate": .authenticate, "allow": .allow, "link": .link, "vary": .vary,
        "cache-control": .cacheControl, "deprecation": .deprecation, "sunset": .deprecation, "warning": .deprecation,
        "accept-ranges": .ranges,
        "content-range": .ranges, "x-ratelimit-limit": .other, "ratelimit-limit": .other,
    ]

    private static let momentaryNames: Set<String> = [
        "date", "age", "expires", "last-modified", "request-id", "correlation-id", "x-runtime", "x-response-time",
        "server-timing", "traceparent", "tracestate", "traceresponse", "baggage", "b3", "sentry-trace",
        "x-amzn-requestid", "x-amz-id-2", "x-amz-cf-id", "x-amz-cf-pop", "x-cloud-trace-context", "cf-ray",
        "cf-cache-status", "x-cache", "x-cache-hits", "x-served-by", "x-timer", "x-varnish", "x-vercel-id",
        "x-vercel-cache", "nel", "report-to", "reporting-endpoints", "server", "via", "x-powered-by",
        "x-ratelimit-remaining", "x-ratelimit-reset", "x-ratelimit-used", "ratelimit", "ratelimit-remaining",
        "ratelimit-reset", "x-rate-limit-remaining", "x-rate-limit-reset", "retry-after",
    ]
    private static let ofResource: Set<String> = ["x-goog-generation", "x-goog-metageneration", "x-goog-upload-url"]
    private static let momentaryPrefixes = ["x-b3-", "x-datadog-", "x-railway-", "x-envoy-", "x-kong-"]
    private static let momentaryEndings = [
        "-request-id", "-requestid", "-correlation-id", "-trace-id", "-span-id", "-response-time", "-process-time",
    ]
}
