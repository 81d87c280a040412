// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

extension ObjectKey {
    /// The keys that may stand in a stub and beside a list of stubs.
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
            .priority, .integer(1...(.max)),
            "Among the stubs that match, the lowest number answers; 1 goes first, 5 where it is left out."),
        ObjectKey(
            "verify", .boolean,
            "Whether `mockapi verify` asks for it: true for a method that changes something, false for what is never asked."
        ),
        ObjectKey(
            "capture", .freeObject,
            "Values of the live response that later requests of `mockapi verify` have as `{name}`, by JSON pointers."),
        ObjectKey(.request, .object(.request), "What a request must be; left out, any request matches."),
        ObjectKey(.response, .object(.response), "What is answered."),
        ObjectKey(
            .responses, .list(.object(.response), minimum: 1),
            "A sequence in place of `response`: one step for each request that reaches it."),
        ObjectKey(
            .afterLast, .choice(["repeat", "restart", "unmatched"]),
            "What follows the last of `responses`: the last again (the default), the first again, or no match."),
        ObjectKey(
            "resource", .object(.resource),
            "A collection of JSON objects that is served as a small REST service, in place of `request` and `response`."
        ),
        ObjectKey(
            .scenarioName, .string,
            "The scenario that the stub has a part in: a state that several stubs share, and that begins as `Started`."),
        ObjectKey(
            .requiredScenarioState, .string, "The state of the scenario in which the stub answers; left out, in any."),
        ObjectKey(.newScenarioState, .string, "The state that a response of the stub leaves the scenario in."),
        ObjectKey(
            .hold, .string,
            "The name of what its responses wait for: `POST /__admin/holds/{name}/release`, or `release` of a server in code."
        ),
        ObjectKey(.recorded, .object(.recorded), "Where the response came from; it changes nothing."),
        ObjectKey(
            "contract", .map(.object(.contractPart)),
            "What a client needs of the response, by place: `/data/*/id`, `status` or `header:ETag`; it changes nothing."
        ),
        wireMock("uuid", .string, insteadOf: "id"),
        wireMock("persistent", .boolean),
        wireMock("insertionIndex", .integer(.min ... .max)),
    ]

    static let resource = [
        ObjectKey(
            "collection", .string, "The path of the collection, for instance `/api/bookmarks`; items are below it."),
        ObjectKey("id", .string, "The member that tells an item from the others; `id` where it is left out."),
        ObjectKey(
            .from, .string,
            "A JSON file with the items, relative to the stub file: a list, or one in `data`; left out, there are none."
        ),
        ObjectKey("wrap", .string, "The member of an object that lists are put in; left out, a list is a bare array."),
        ObjectKey(
            "writeBack", .boolean,
            "Whether what requests make of the items is written to the file of `from`; never where it is left out."),
    ]

    static let recorded = [
        ObjectKey(.from, .string, "The origin of the service, for instance `https://api.example.com`."),
        ObjectKey(.request, .string, "What was asked for: method and target, with placeholders for secrets."),
        ObjectKey(.headers, .list(.string, minimum: 0), "Field lines of the request that may decide the response."),
        ObjectKey(
            .bodyFile, .string,
            "The request's content where the matchers do not show it; the boundary of a multipart body is `boundary`."),
        ObjectKey(.key, .string, "Tells the request from others, so that matching edited by hand survives recording."),
        ObjectKey(
            .base, .string, "Is the same for all recorded requests that only what `by` names tells from this one."),
        ObjectKey(
            .by, .list(.string, minimum: 0),
            "What tells the request from others that were answered otherwise, for instance `header:Stripe-Version`."),
        ObjectKey(
            .selects, .list(.string, minimum: 0),
            "Of these, what selects the response by the user's word, whatever the responses are."),
        ObjectKey(.at, .string, "When, in RFC 3339 form."),
        ObjectKey(.protocol, .string, "The protocol it was spoken to by, for instance `h2`."),
        ObjectKey(.contentEncoding, .string, "The coding of the content, where the response is not coded so again."),
        ObjectKey(.pretty, .boolean, "Whether the JSON of the body was re-indented."),
        ObjectKey(
            .volatile, .list(.object(.volatile), minimum: 0),
            "What differs from answer to answer, so that recording another value changes nothing."),
    ]

    private static let types = [
        "string", "integer", "number", "boolean", "null", "object", "array",
    ]

    static let contractPart = [
        ObjectKey("needed", .boolean, "Whether the client fails without it, with null there or with another type."),
        ObjectKey(
            "type", .either([.choice(types), .list(.choice(types), minimum: 1)]),
            "What it is, in JSON Schema's words; several in a list."),
        ObjectKey("format", .string, "What a string is, in JSON Schema's words, for instance `uuid`."),
        ObjectKey(
            "enum", .list(.anything, minimum: 0), "The values that the client understands, where it fails with others."),
        ObjectKey("equals", .anything, "The one value that it has to be."),
        ObjectKey("minItems", .integer(0 ... .max), "How many items a list has to have."),
        ObjectKey("optional", .boolean, "Whether it may be missing."),
        ObjectKey("ignore", .boolean, "Whether nothing is asked of it."),
    ]

    static let volatile = [
        ObjectKey(.header, .string, "The name of a header line whose value differs."),
        ObjectKey(.path, .string, "The JSON path of a value that differs, for instance `$.items[*].updated_at`."),
        ObjectKey(
            .kind, .choice(["timestamp", "uuid", "counter", "signed URL", "order", "list", "text", "value"]),
            "In what it differs."),
    ]
}
