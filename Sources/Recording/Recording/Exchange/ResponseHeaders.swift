// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax

/// The treatment of the header fields of a response.
enum ResponseHeaders {
    enum Treatment {
        case kept
        /// Kept; another value does not make another response.
        case volatile
        /// Kept; if the body is the same, another value does not make another response.
        case ofBody
        /// Not kept: of the transfer, of the moment, or of the path the response took.
        case dropped
    }

    /// - Parameter name: in lower case.
    static func treatment(of name: String) -> Treatment {
        if dropped.contains(name) || droppedPrefixes.contains(where: name.hasPrefix)
            || droppedEndings.contains(where: name.hasSuffix)
        {
            return .dropped
        }
        if volatile.contains(name) || name.hasPrefix("x-ratelimit-") || volatileEndings.contains(where: name.hasSuffix)
        {
            return .volatile
        }
        return FieldNames.ofContent.contains(name) || FieldNames.isDigest(name) ? .ofBody : .kept
    }

    private static let dropped = FieldNames.hopByHop.union(FieldNames.framing).union([
        // Fields of the transfer, and of the way to the service.
        "trailer", "alt-svc",
        // Fields of the moment.
        "date", "age", "server-timing", "x-runtime", "x-response-time", "x-timer",
        // Fields of one request.
        "x-request-id", "request-id", "x-correlation-id", "correlation-id", "x-trace-id", "traceparent", "tracestate",
        "traceresponse", "baggage", "b3", "sentry-trace", "x-amzn-trace-id", "x-amzn-requestid", "x-amz-request-id",
        "x-amz-id-2", "x-amz-cf-id", "x-amz-cf-pop", "x-cloud-trace-context", "x-ms-request-id", "cf-ray",
        "cf-cache-status", "x-cache", "x-cache-hits", "x-served-by", "x-varnish", "x-vercel-id", "x-vercel-cache",
        "fly-request-id", "x-github-request-id", "x-fastly-request-id", "nel", "report-to", "reporting-endpoints",
    ])

    private static let droppedPrefixes = ["x-b3-", "x-datadog-", "x-railway-", "x-envoy-", "x-kong-"]

    private static let droppedEndings = [
        "-request-id", "-requestid", "-correlation-id", "-trace-id", "-span-id", "-request-guid", "-apigw-id",
        "-response-time", "-request-time", "-process-time", "-upstream-latency", "-proxy-latency",
    ]

    /// Endings of lines that say how long a service has worked.
    private static let volatileEndings = [
        "-processing-ms", "-processing-time", "-service-time", "-latency", "-latency-ms", "-elapsed-ms",
        "-elapsed-time",
    ]

    private static let volatile: Set<String> = [
        "expires", "retry-after", "ratelimit", "ratelimit-remaining", "ratelimit-reset", "server", "via",
        "x-powered-by",
        "last-modified",
    ]
}
