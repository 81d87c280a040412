import Foundation
import MockServer

let server = try await MockServer.start()
try server.add(RequestMatch.post("/api/imports").respond(202, headers: ["Location": "/api/imports/1"]))
try server.add(
    RequestMatch.get("/api/imports/1").respond(inTurn: [
        MockResponse(202), .json(#"{"state": "done"}"#),
    ]))
let states = try await Importer(server.baseURL).states()
print(states, server.journal.entries.map(\.target))
await server.stop()
