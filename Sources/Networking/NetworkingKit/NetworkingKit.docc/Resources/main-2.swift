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
