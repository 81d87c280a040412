// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

extension ObjectKey {
    /// The keys that may stand in a stub and beside a list of stubs.
    static let common = [
        ObjectKey("$schema", .string, "The JSON Schema that editors check the file against; it changes nothing."),
        ObjectKey("id", .string, "A UUID; by default one made from the file's path."),
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
            "Among the stubs that match, the lowest number answers; 1 goes first, 5 is the default."),
        ObjectKey(
            "verify", .boolean,
            "Whether `mockapi verify` sends its request: true for a method that changes something, false for never."
        ),
        ObjectKey(
            "capture", .freeObject,
            "Values of the live response that later requests of `mockapi verify` have as `{name}`, by JSON pointers."),
        ObjectKey(.request, .object(.request), "The matchers of a request; without it any request matches."),
        ObjectKey(.response, .object(.response), "The response."),
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
            .requiredScenarioState, .string, "The state of the scenario in which the stub answers; any by default."),
        ObjectKey(.newScenarioState, .string, "The state that the scenario has after a response of the stub."),
        ObjectKey(
            .hold, .string,
            "The name of the hold that its responses wait for: `POST /__admin/holds/{name}/release`, or `release` of a server in code."
        ),
        ObjectKey(.recorded, .object(.recorded), "The origin of the response; it changes nothing."),
        ObjectKey(
            "contract", .map(.object(.contractPart)),
            "The parts of the response that a client needs, by place: `/data/*/id`, `status` or `header:ETag`; it changes nothing."
        ),
        wireMock("uuid", .string, insteadOf: "id"),
        wireMock("persistent", .boolean),
        wireMock("insertionIndex", .integer(.min ... .max)),
    ]

    static let resource = [
        ObjectKey(
            "collection", .string, "The path of the collection, for instance `/api/bookmarks`; items are below it."),
        ObjectKey("id", .string, "The member that identifies an item; `id` by default."),
        ObjectKey(
            .from, .string,
            "A JSON file with the items, relative to the stub file: a list, or one in `data`; without it there are none."
        ),
        ObjectKey("wrap", .string, "The member of an object that lists are put in; by default a list is a bare array."),
        ObjectKey(
            "writeBack", .boolean,
            "Whether changes of the items are written to the file of `from`; false by default."),
    ]

    static let recorded = [
        ObjectKey(.from, .string, "The origin of the service, for instance `https://api.example.com`."),
        ObjectKey(.request, .string, "The request: method and target, with placeholders for secrets."),
        ObjectKey(.headers, .list(.string, minimum: 0), "Field lines of the request that may decide the response."),
        ObjectKey(
            .bodyFile, .string,
            "The request's content if the matchers do not show it; the boundary of a multipart body is `boundary`."),
        ObjectKey(.key, .string, "Identifies the request, so that matching edited by hand survives recording."),
        ObjectKey(
            .base, .string,
            "The common key of all recorded requests that differ from this one only in the "
                + "places of `by`."),
        ObjectKey(
            .by, .list(.string, minimum: 0),
            "The place that distinguishes the request from others with different responses, for instance `header:Stripe-Version`."
        ),
        ObjectKey(
            .selects, .list(.string, minimum: 0),
            "Those of `by` that the user has named as selecting the response, whatever the responses are."),
        ObjectKey(
            .varies, .list(.string, minimum: 0),
            "The places whose values differ from request to request and select nothing, by the user's word."),
        ObjectKey(
            .beside, .string,
            "The `key` of the stub for everybody else, which asks for the same but for a secret."),
        ObjectKey(
            .sent, .list(.object(.sent), minimum: 0),
            "Values of the recorded requests where no matcher asks: a request with the same values gets the same response."
        ),
        ObjectKey(.at, .string, "The time, in RFC 3339 form."),
        ObjectKey(.protocol, .string, "The protocol of the exchange, for instance `h2`."),
        ObjectKey(.contentEncoding, .string, "The coding of the content, if the response is not coded so again."),
        ObjectKey(.pretty, .boolean, "Whether the JSON of the body was re-indented."),
        ObjectKey(
            .volatile, .list(.object(.volatile), minimum: 0),
            "Values that differ from response to response, so that recording another value changes nothing."),
    ]

    static let sent = [
        ObjectKey(
            .place, .string,
            "`header:NAME`, `cookie:NAME`, `query:NAME`, `form:NAME`, a JSON path, `path`, `target` or `content`."),
        ObjectKey(
            .placeholder, .string, "The text that the stub asks for in the place of a secret that a response gave."),
        ObjectKey(.decides, .boolean, "Whether a request with another value there is a miss."),
        ObjectKey(
            .digests, .list(.string, minimum: 0),
            "For each response in turn the digests of the values with which it was requested, with spaces between them."
        ),
    ]

    private static let types = [
        "string", "integer", "number", "boolean", "null", "object", "array",
    ]

    static let contractPart = [
        ObjectKey("needed", .boolean, "Whether the client fails without it, with null there or with another type."),
        ObjectKey(
            "type", .either([.choice(types), .list(.choice(types), minimum: 1)]),
            "Its type, in JSON Schema's words; several in a list."),
        ObjectKey("format", .string, "The form of a string, in JSON Schema's words, for instance `uuid`."),
        ObjectKey(
            "enum", .list(.anything, minimum: 0), "The values that the client understands, if it fails with others."),
        ObjectKey("equals", .anything, "The one value that it must have."),
        ObjectKey("minItems", .integer(0 ... .max), "How many items a list must have."),
        ObjectKey("optional", .boolean, "Whether it may be missing, or null if `nullable` does not say otherwise."),
        ObjectKey("nullable", .boolean, "Whether an optional place may be null, too."),
        ObjectKey("ignore", .boolean, "Whether it is ignored."),
    ]

    static let volatile = [
        ObjectKey(.header, .string, "The name of a header line whose value differs."),
        ObjectKey(.path, .string, "The JSON path of a value that differs, for instance `$.items[*].updated_at`."),
        ObjectKey(
            .kind, .choice(["timestamp", "uuid", "counter", "signed URL", "order", "list", "text", "value"]),
            "How it differs."),
    ]
}
