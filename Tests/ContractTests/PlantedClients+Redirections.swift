// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

extension PlantedClient {
    /// The ends of the ids of what a redirection takes along, one for each way out of an origin.
    static let routes = ["", ".port", ".plain", ".hops"]
    static let credentials =
        routes.flatMap { route in
            ["", ".letters", ".user"].map { "redirect.credentials\($0)\(route)" }
        } + ["redirect.credentials.307"]

    private static let ofURL = routes.map { "redirect.credentials.url\($0)" } + ["redirect.userinfo"]

    static let keptWithin = ["", ".301", ".307", ".308"].map { "redirect.authorization\($0)" }

    static let redirections = [
        PlantedClient(
            "follows no redirection",
            breaks: [
                "redirect.301", "redirect.302", "redirect.303", "redirect.307", "redirect.308", "redirect.absolute",
                "redirect.beside", "redirect.above", "redirect.query", "redirect.circle", "redirect.path",
                "redirect.fragment", "redirect.utf8", "redirect.several", "redirect.head", "redirect.fields",
                "redirect.303.put", "redirect.307.put", "redirect.308.put", "redirect.307.patch", "redirect.scheme",
                "redirect.letters",
            ]),
        PlantedClient("follows one redirection", breaks: ["redirect.several", "redirect.circle"]),
        PlantedClient("follows to whatever scheme", breaks: ["redirect.file", "redirect.data"]),
        PlantedClient("takes Location for ISO 8859-1", breaks: ["redirect.utf8"]),
        PlantedClient("sends a blank of Location as it is", breaks: ["redirect.blank"]),
        PlantedClient("sends the fragment of Location", breaks: ["redirect.fragment"]),
        PlantedClient("takes the query along", breaks: ["redirect.path"]),
        PlantedClient("makes GET of HEAD", breaks: ["redirect.head"]),
        PlantedClient(
            "loses Authorization within its origin",
            breaks: Set(keptWithin + ["redirect.authorization.user"])),
        PlantedClient("loses Authorization after 303", breaks: ["redirect.authorization.user"]),
        PlantedClient(
            "loses fields of GET",
            breaks: Set(keptWithin + ["redirect.fields", "redirect.301", "redirect.302"])),
        PlantedClient(
            "loses the fields of 307",
            breaks: [
                "redirect.307", "redirect.308", "redirect.307.put", "redirect.308.put", "redirect.307.patch",
                "redirect.authorization.307", "redirect.authorization.308",
            ]),
        PlantedClient("does not know 301", breaks: ["redirect.301", "redirect.several"]),
        PlantedClient("does not know 308", breaks: ["redirect.308", "redirect.308.put", "redirect.several"]),
        PlantedClient(
            "makes GET of 307",
            breaks: ["redirect.307", "redirect.308", "redirect.307.put", "redirect.308.put", "redirect.307.patch"]),
        PlantedClient(
            "makes GET of 307", .h2,
            breaks: ["redirect.307", "redirect.308", "redirect.307.put", "redirect.308.put", "redirect.307.patch"]),
        PlantedClient("repeats POST of 303", breaks: ["redirect.303", "redirect.303.put"]),
        PlantedClient(
            "loses the content of 307",
            breaks: ["redirect.307", "redirect.308", "redirect.307.put", "redirect.308.put", "redirect.307.patch"]),
        PlantedClient("gives the response of a circle", breaks: ["redirect.circle"]),
        PlantedClient(
            "takes Location for a path of the root",
            breaks: ["redirect.beside", "redirect.above", "redirect.query", "redirect.several"]),
        PlantedClient(
            "takes Location for a path",
            breaks: [
                "redirect.absolute", "redirect.beside", "redirect.above", "redirect.query", "redirect.several",
                "redirect.scheme", "redirect.letters",
            ]),
        PlantedClient("forgets the last segment before a query", breaks: ["redirect.query"]),
        PlantedClient("does not go upwards", breaks: ["redirect.above"]),
        PlantedClient("keeps credentials", breaks: Set(credentials + ofURL)),
        PlantedClient("keeps credentials", .h2, breaks: Set(credentials + ofURL)),
        PlantedClient(
            "keeps credentials of a user", breaks: Set(routes.map { "redirect.credentials.user\($0)" } + ofURL),
            among: ["redirect"]),
        PlantedClient(
            "keeps credentials of a proxy", breaks: Set(routes.map { "redirect.credentials.proxy\($0)" })),
        PlantedClient(
            "keeps credentials to another port",
            breaks: [
                "redirect.credentials.port", "redirect.credentials.letters.port", "redirect.credentials.proxy.port",
                "redirect.credentials.user.port", "redirect.credentials.url.port",
            ]),
        PlantedClient(
            "keeps credentials from https to http",
            breaks: [
                "redirect.credentials.plain", "redirect.credentials.letters.plain", "redirect.credentials.proxy.plain",
                "redirect.credentials.user.plain", "redirect.credentials.url.plain", "redirect.cookie.plain",
            ]),
        PlantedClient(
            "gives credentials back at the second hop",
            breaks: [
                "redirect.credentials.hops", "redirect.credentials.letters.hops", "redirect.credentials.proxy.hops",
                "redirect.credentials.user.hops", "redirect.credentials.url.hops", "redirect.cookie.hops",
            ]),
        PlantedClient(
            "knows Authorization by its capitals", breaks: Set(routes.map { "redirect.credentials.letters\($0)" })),
        PlantedClient(
            "keeps a cookie line",
            breaks: [
                "redirect.cookie", "redirect.cookie.plain", "redirect.cookie.hops", "redirect.cookie.307",
                "redirect.cookie.letters",
            ]),
        PlantedClient("keeps credentials of 307", breaks: ["redirect.credentials.307", "redirect.cookie.307"]),
    ]
}
