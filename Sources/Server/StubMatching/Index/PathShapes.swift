// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPSyntax

/// The shapes of all paths of stubs and plain files; its owner frees it with `deallocate()`.
struct PathShapes: Sendable {
    private let shapes: FrozenArray<PathShape>

    init(_ set: FixtureSet, program: Program, targets: TargetGroups, tables: IndexTables) {
        var shapes: [PathShape] = []
        func add(_ kind: PathShape.Kind, _ owner: Int, _ bytes: [UInt8], length: Int? = nil) {
            shapes.append(
                PathShape(
                    signature: PathShape.signature(bytes), owner: UInt32(owner),
                    length: UInt16(clamping: length ?? bytes.count), kind: kind))
        }
        for (number, group) in targets.groups.enumerated() {
            guard let rank = group.ranks.first else { continue }
            switch set.stubs[Int(program.entries[rank].ordinal)].request.url {
            case .any: break
            case .url(let text), .path(let text):
                add(.target, number, PercentCoding.decode(text.utf8.prefix { $0 != ASCII.question }))
            case .pattern, .pathPattern:
                let prefix = program.bytes(program.patternPrefixes[program.entries[rank].urlStart])
                add(.pattern, number, Array(prefix))
            case .pathTemplate(let text):
                let template = PathTemplate(text)
                let literals = template.pieces.flatMap { if case .literal(let bytes) = $0 { bytes } else { [UInt8]() } }
                add(.template, number, literals, length: template.segments.count)
            }
        }
        for number in 0..<tables.files.count {
            let record = tables.files[number]
            add(.file, number, Array(tables.paths.slice(record.start, record.end)))
        }
        self.shapes = FrozenArray(shapes)
    }

    func deallocate() { shapes.deallocate() }

    /// The shapes most like a path, the likest first, so many of each kind as the limits say.
    func nearest(to path: Bytes) -> [PathShape] {
        let decoded = PercentCoding.decode(path)
        let signature = PathShape.signature(decoded)
        let segments = decoded.count { $0 == ASCII.slash } + 1
        var paths = Nearest(limit: NearMissLimits.paths)
        var templates = Nearest(limit: NearMissLimits.templates)
        var patterns = Nearest(limit: NearMissLimits.templates)
        for index in 0..<shapes.count {
            let shape = shapes[index]
            let distance = shape.distance(signature: signature, length: decoded.count, segments: segments)
            switch shape.kind {
            case .target, .file: paths.offer(index, distance)
            case .template: templates.offer(index, distance)
            case .pattern: patterns.offer(index, distance)
            }
        }
        return (paths.members + templates.members + patterns.members).map { shapes[$0.index] }
    }

    /// The nearest so far, in order; among equals the first.
    private struct Nearest {
        var members: [(index: Int, distance: Int)] = []
        let limit: Int
        private var worst = Int.max

        init(limit: Int) {
            self.limit = limit
            members.reserveCapacity(limit + 1)
        }

        @inline(__always)
        mutating func offer(_ index: Int, _ distance: Int) {
            if distance < worst { insert(index, distance) }
        }

        private mutating func insert(_ index: Int, _ distance: Int) {
            var place = members.count
            while place > 0, members[place - 1].distance > distance { place -= 1 }
            members.insert((index, distance), at: place)
            if members.count > limit { members.removeLast() }
            if members.count == limit { worst = members[limit - 1].distance }
        }
    }
}
