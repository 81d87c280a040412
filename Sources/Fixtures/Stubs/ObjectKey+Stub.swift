// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

extension ObjectKey {
    /// What may stand in a stub and beside a list of stubs.
    static let common = [
        ObjectKey("$schema", .string, "The JSON Schema that editors check the file against; it changes nothing."),
        ObjectKey("id", .string, "A UUID; where it is left out, one is made from the file's path."),
        ObjectKey("name", .string, "What people call it."),
        ObjectKey("metadata", .anything, "Data of your own; it changes nothing."),
    ]

    static let stubList = [
        ObjectKey("stubs", .list(.object(.stub), minimum: 0), "Several stubs in one file."),
        wireMock("mappings", .list(.object(.stub), minimum: 0), insteadOf: "stubs"),
    ]

    static let mappingList = [
        wireMock("mappings", .list(.object(.stub), minimum: 0)),
        wireMock("meta", .freeObject),
    ]

    static let stub = [
        ObjectKey(
            "priority", .integer(1...(.max)),
            "Among the stubs that match, the lowest number answers; 1 goes first, 5 where it is left out."),
        ObjectKey("request", .object(.request), "What a request must be; left out, any request matches."),
        ObjectKey("response", .object(.response), "What is answered."),
        ObjectKey(
            "responses", .list(.object(.response), minimum: 1),
            "A sequence in place of `response`: one step for each request that reaches it."),
        ObjectKey(
            "afterLast", .choice(["repeat", "restart", "unmatched"]),
            "What follows the last of `responses`: the last again (the default), the first again, or no match."),
        ObjectKey("recorded", .object(.recorded), "Where the answer came from; it changes nothing."),
        wireMock("uuid", .string, insteadOf: "id"),
        wireMock("persistent", .boolean),
        wireMock("insertionIndex", .integer(.min ... .max)),
        notYet("scenarioName"), notYet("requiredScenarioState"), notYet("newScenarioState"),
        notYet("postServeActions"), notYet("serveEventListeners"),
    ]

    static let recorded = [
        ObjectKey("from", .string, "The origin of the service, for instance `https://api.example.com`."),
        ObjectKey("at", .string, "When, in RFC 3339 form."),
        ObjectKey("protocol", .string, "The protocol it was spoken to by, for instance `h2`."),
    ]
}
