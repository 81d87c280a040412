// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

extension PlantedClient {
    /// Clients with cookies, which say so.
    static let cookies = [
        PlantedClient(
            "sends cookies everywhere",
            breaks: [
                "cookie.origin", "cookie.path", "cookie.domain", "cookie.path.default", "cookie.path.segment",
                "cookie.path.letters", "cookie.letters", "cookie.domain.none", "cookie.domain.end",
                "cookie.domain.other", "cookie.secure", "cookie.secure.letters", "cookie.secure.value",
                "cookie.path.slash.end",
            ], among: ["redirect"]),
        PlantedClient("keeps cookies of other domains", breaks: ["cookie.domain", "cookie.domain.other"]),
        PlantedClient(
            "keeps cookies that have expired",
            breaks: [
                "cookie.expired", "cookie.max-age.over", "cookie.max-age.negative", "cookie.expires.over",
                "cookie.expires.hyphens", "cookie.deleted", "cookie.deleted.expires", "cookie.deleted.path",
            ]),
        PlantedClient(
            "sends cookies to every path",
            breaks: [
                "cookie.path", "cookie.path.default", "cookie.path.segment", "cookie.path.letters", "cookie.letters",
                "cookie.path.slash.end",
            ]),
        PlantedClient("keeps cookies without a path for all", breaks: ["cookie.path.default"]),
        PlantedClient("takes a path for the beginning of a text", breaks: ["cookie.path.segment"]),
        PlantedClient("compares paths in small letters", breaks: ["cookie.path.letters"]),
        PlantedClient("takes a relative path as it is", breaks: ["cookie.path.relative"]),
        PlantedClient("takes the first of two paths", breaks: ["cookie.path.last"]),
        PlantedClient("sends shorter paths first", breaks: [], among: ["cookie"]),
        PlantedClient("sends new cookies first", breaks: [], among: ["cookie"]),
        PlantedClient(
            "keeps cookies beside their namesakes",
            breaks: ["cookie.overwritten", "cookie.deleted", "cookie.deleted.expires"]),
        PlantedClient("keeps one of the cookies of a name", breaks: ["cookie.paths", "cookie.deleted.path"]),
        PlantedClient(
            "knows no Max-Age",
            breaks: [
                "cookie.expired", "cookie.max-age.over", "cookie.max-age.negative", "cookie.max-age.first",
                "cookie.deleted", "cookie.deleted.path",
            ]),
        PlantedClient(
            "knows no Expires", breaks: ["cookie.expires.over", "cookie.expires.hyphens", "cookie.deleted.expires"]),
        PlantedClient("lets Expires go before Max-Age", breaks: ["cookie.max-age.first"]),
        PlantedClient("takes a Max-Age that is not a number for 0", breaks: ["cookie.max-age.text"]),
        PlantedClient("takes an Expires that is not a date for the past", breaks: ["cookie.expires.text"]),
        PlantedClient("reads one form of dates", breaks: ["cookie.expires.hyphens"]),
        PlantedClient("does not send HttpOnly", breaks: ["cookie.httponly", "cookie.flags"]),
        PlantedClient("takes quotes from values", breaks: ["cookie.quoted", "cookie.semicolon"]),
        PlantedClient("keeps quotes of cookies together", breaks: ["cookie.semicolon"]),
        PlantedClient("parts lines of cookies at commas", breaks: ["cookie.comma.cookies"]),
        PlantedClient("forgets its cookies at an empty line", breaks: ["cookie.line.empty"]),
        PlantedClient("ends a value at an equals sign", breaks: ["cookie.equals", "cookie.comma"]),
        PlantedClient("drops empty values", breaks: ["cookie.empty"]),
        PlantedClient("keeps blanks of cookies", breaks: ["cookie.blanks"]),
        PlantedClient("knows attributes by their letters", breaks: ["cookie.letters", "cookie.secure.letters"]),
        PlantedClient("keeps names of cookies in small letters", breaks: ["cookie.names"]),
        PlantedClient("decodes values of cookies", breaks: ["cookie.percent"]),
        PlantedClient("sends cookies of a host to its subdomains", breaks: ["cookie.domain.none"]),
        PlantedClient("takes a domain for the end of a text", breaks: ["cookie.domain.end"]),
        PlantedClient("knows domains by their letters", breaks: ["cookie.domain.letters"]),
        PlantedClient("keeps the dot of a domain", breaks: ["cookie.domain.dot"]),
        PlantedClient(
            "sends Secure cookies by http", breaks: ["cookie.secure", "cookie.secure.letters", "cookie.secure.value"]),
        PlantedClient("knows Secure of cookies without a value alone", breaks: ["cookie.secure.value"]),
    ]

    /// Clients with a cache, which say so.
    static let caches = [
        PlantedClient("has a cache", breaks: [], among: ["cache"]),
        PlantedClient("gives one user's answer to another", breaks: [], among: ["cache"]),
        PlantedClient(
            "gives what is stale",
            breaks: [
                "cache.expired", "cache.expires.text", "cache.stale", "cache.zero", "cache.first", "cache.age",
                "cache.no-cache", "cache.etag", "cache.etag.weak", "cache.etag.fields", "cache.last-modified",
                "cache.must-revalidate",
            ]),
        PlantedClient("stores what no-store forbids", breaks: ["cache.no-store", "cache.letters"]),
        PlantedClient("does not know no-cache", breaks: ["cache.no-cache"]),
        PlantedClient("knows directives by their letters", breaks: ["cache.letters"]),
        PlantedClient("does not know Age", breaks: ["cache.age"]),
        PlantedClient("lets Expires go before max-age", breaks: ["cache.first"]),
        PlantedClient("takes an Expires that is not a date for the future", breaks: ["cache.expires.text"]),
        PlantedClient("does not know Vary", breaks: ["cache.vary", "cache.vary.all"]),
        PlantedClient("takes the star of Vary for a name", breaks: ["cache.vary.all"]),
        PlantedClient("gives the response of GET to POST", breaks: ["cache.post", "cache.invalidated"]),
        PlantedClient("keeps what a POST made invalid", breaks: ["cache.invalidated"]),
        PlantedClient("leaves the query out of its keys", breaks: ["cache.query"]),
        PlantedClient(
            "gives 304 as it is",
            breaks: ["cache.etag", "cache.etag.weak", "cache.etag.fields", "cache.last-modified"]),
        PlantedClient("keeps old fields after 304", breaks: ["cache.etag.fields"]),
        PlantedClient("compares weak tags as strong ones", breaks: [], among: ["cache"]),
        PlantedClient("gives what is stale when asking fails", breaks: ["cache.must-revalidate"]),
        PlantedClient("keeps what came in part", breaks: ["cache.truncated"]),
        PlantedClient("passes no-cache of a request over", breaks: [], among: ["cache"]),
    ]

    /// Clients that take credentials of themselves.
    static let ofCredentials = [
        PlantedClient("knows NETRC", breaks: [], among: ["netrc"]),
        PlantedClient("borrows a password of NETRC", breaks: ["netrc.redirect"]),
        PlantedClient("takes what stands in front of a colon for a host of NETRC", breaks: ["netrc.userinfo"]),
        PlantedClient("sends credentials of a URL in Host", breaks: ["header.userinfo", "redirect.userinfo"]),
        PlantedClient(
            "keeps credentials of a URL",
            breaks: Set(routes.map { "redirect.credentials.url\($0)" } + ["redirect.userinfo"])),
        PlantedClient(
            "sends Referer as it is",
            breaks: Set(routes.map { "redirect.credentials.url\($0)" } + ["redirect.userinfo"])),
    ]
}
