// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Finds secrets in bytes of unknown form, such as MessagePack and Protocol Buffers: by unique prefixes.
enum BinaryScanner {
    private static let shapes: [UInt16: [PrefixShape]] = Dictionary(
        grouping: PrefixShape.known.filter(\.isDistinct), by: { UInt16($0.prefix[0]) << 8 | UInt16($0.prefix[1]) })

    private static let filter: [UInt64] = {
        var filter = [UInt64](repeating: 0, count: 1024)
        for pair in shapes.keys { filter[Int(pair >> 6)] |= 1 << UInt64(pair & 63) }
        return filter
    }()

    static func hits(in bytes: Bytes, base: String) -> [SecretHit] {
        var hits: [SecretHit] = []
        filter.withUnsafeBufferPointer { filter in
            var index = 0
            while index + 8 <= bytes.count {
                let pair = Int(bytes[index]) << 8 | Int(bytes[index + 1])
                guard filter[pair >> 6] >> UInt64(pair & 63) & 1 != 0, let hit = hit(in: bytes, at: index, base) else {
                    index += 1
                    continue
                }
                hits.append(hit)
                index = hit.range.upperBound
            }
        }
        return hits
    }

    private static func hit(in bytes: Bytes, at index: Int, _ base: String) -> SecretHit? {
        let pair = UInt16(bytes[index]) << 8 | UInt16(bytes[index + 1])
        for shape in shapes[pair] ?? [] {
            guard let end = shape.end(in: bytes, at: index), TextTraits(bytes.slice(index..<end)).shannon >= 3 else {
                continue
            }
            return SecretHit(
                range: index..<end, value: Array(bytes[index..<end]), kind: shape.kind,
                place: "\(base).\(shape.kind.slug)", keepsLength: true)
        }
        return nil
    }

    /// A placeholder of so many bytes: cut, or with dashes behind it.
    static func filled(_ placeholder: [UInt8], to count: Int) -> [UInt8] {
        let bytes = Array(placeholder.prefix(count))
        return bytes + [UInt8](repeating: UInt8(ascii: "-"), count: count - bytes.count)
    }
}
