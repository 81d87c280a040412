import Foundation
import MockServer

let server = try await MockServer.start()
try server.add(RequestMatch.post("/api/imports").respond(202, headers: ["Location": "/api/imports/1"]))
