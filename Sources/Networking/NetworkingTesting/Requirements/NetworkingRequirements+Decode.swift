// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import MockServer
import MockapiContract
import MockapiImageFormats
import NetworkingCore

extension NetworkingRequirements {
    static let decoding =
        [
            NetworkingRequirement(
                "decode.awaited", "JSON is decoded to what a request asks for", expected: "Zoë, 1.5", stubs: food
            ) { trial in
                let food: Food = try await trial.networking.value(for: try trial.request(Food.read))
                return Judging.equal("\(food.name), \(food.price)", "Zoë, 1.5")
            },
            NetworkingRequirement(
                "decode.published", "JSON is decoded to what a request asks for, published", expected: "Zoë, 1.5",
                stubs: food
            ) { trial in
                let publisher: AnyPublisher<Food, any Error> = trial.networking.fetch(try trial.request(Food.read))
                let food: Food = try await publisher.firstValue()
                return Judging.equal("\(food.name), \(food.price)", "Zoë, 1.5")
            },
            NetworkingRequirement(
                "decode.error", "what cannot be decoded is a DecodingError", expected: "DecodingError",
                stubs: { [RequestMatch.any($0).respond(json: #"{"name": 1"#)] }
            ) { trial in
                do {
                    let food: Food = try await trial.networking.value(for: try trial.request(Food.read))
                    return .fail("\(food)")
                } catch let error where error is DecodingError || (error as? ResponseError)?.cause is DecodingError {
                    return .pass
                }
            },
        ]
        + ContractImages.all.map { image in
            NetworkingRequirement(
                "decode.\(image.name)", "a \(image.name) image is decoded", expected: "\(image.name) 3 × 2",
                stubs: {
                    [
                        RequestMatch.any($0).respond(
                            headers: ["Content-Type": image.mediaType], body: .bytes(image.bytes))
                    ]
                }
            ) { trial in
                let info: ImageInfo = try await trial.networking.value(for: try trial.request { try ImageInfo($0) })
                return Judging.equal("\(info)".lowercased(), "\(image.name) 3 × 2")
            }
        }

    private struct Food: Decodable {
        let name: String
        let price: Double

        static let read: @Sendable (Data) throws -> Food = { try JSONDecoder().decode(Food.self, from: $0) }
    }

    private static func food(_ path: String) -> [MockStub] {
        [RequestMatch.any(path).respond(json: #"{"name": "Zo\u00eb", "price": 1.50}"#)]
    }
}
