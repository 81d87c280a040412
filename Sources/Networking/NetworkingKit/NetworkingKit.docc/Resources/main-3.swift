import Foundation
import NetworkingKit

struct Domains: Decodable {
    struct Domain: Decodable { let id: String }
    let data: [Domain]
}

struct DomainsRequest: Request {
    typealias Output = Domains
    let api: URL
    var url: URL { api.appendingPathComponent("domains") }
    var method: HTTPMethod { .get }
}

if let api = URL(string: "http://127.0.0.1:8080/api") {
    let networker = Networker(middlewares: [RetryMiddleware()])
    let domains = try await networker.value(for: DomainsRequest(api: api))
}
