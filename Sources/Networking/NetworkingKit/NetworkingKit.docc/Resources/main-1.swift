import Foundation
import NetworkingKit

struct Domains: Decodable {
    struct Domain: Decodable { let id: String }
    let data: [Domain]
}
