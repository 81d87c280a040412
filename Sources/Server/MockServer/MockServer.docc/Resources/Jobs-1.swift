import Foundation
import MockServer

let server = try await MockServer.start()
