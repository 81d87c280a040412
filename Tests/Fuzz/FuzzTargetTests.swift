// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import MockapiTestSupport
import Testing

/// The fuzz targets without libFuzzer: what a parser does with the seeds, and with what is a step away from them.
@Suite(.supervised) struct FuzzTargetTests {
    struct Target: CustomTestStringConvertible {
        let name: String
        let take: @Sendable (UnsafeBufferPointer<UInt8>) -> Void

        var testDescription: String { name }
    }

    static let targets = [
        Target(name: "DerivationFuzz", take: DerivationFuzz.take),
        Target(name: "HTTP2SessionFuzz", take: HTTP2SessionFuzz.take),
        Target(name: "JSONComparisonFuzz", take: JSONComparisonFuzz.take),
        Target(name: "JSONPathFuzz", take: JSONPathFuzz.take),
        Target(name: "KeyStoreFuzz", take: KeyStoreFuzz.take),
        Target(name: "MultipartFuzz", take: MultipartFuzz.take),
        Target(name: "PatternFuzz", take: PatternFuzz.take),
        Target(name: "ProxiedHeadFuzz", take: ProxiedHeadFuzz.take),
        Target(name: "RedactionFuzz", take: RedactionFuzz.take),
        Target(name: "RequestParserFuzz", take: RequestParserFuzz.take),
        Target(name: "ResponseParserFuzz", take: ResponseParserFuzz.take),
        Target(name: "StubFileFuzz", take: StubFileFuzz.take),
        Target(name: "TargetFuzz", take: TargetFuzz.take),
        Target(name: "TemplateFuzz", take: TemplateFuzz.take),
    ]
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()

    private static func names(in folder: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }

    @Test func `every target has seeds, and is run here`() throws {
        let sources = try Self.names(in: Self.folder).filter { $0.hasSuffix("Fuzz.swift") }
        #expect(Self.targets.map { $0.name + ".swift" } == sources)
        #expect(try Self.names(in: Self.folder.appendingPathComponent("Corpora")) == Self.targets.map(\.name))
    }

    @Test(arguments: targets) func `a target takes its seeds, and seeds with a change`(_ target: Target) throws {
        let corpus = Self.folder.appendingPathComponent("Corpora/\(target.name)")
        var draw = SplitMix(seed: 7)
        let names = try Self.names(in: corpus)
        #expect(!names.isEmpty)
        let seeds = try names.map { Array(try Data(contentsOf: corpus.appendingPathComponent($0))) }
        for seed in seeds {
            seed.withUnsafeBufferPointer(target.take)
            for _ in 0..<Thoroughness.rounds(20, thorough: 2_000) {
                Self.changed(seed, beside: draw.pick(seeds), &draw).withUnsafeBufferPointer(target.take)
            }
        }
    }

    /// A seed with a byte that is another, a piece left out or twice, or its end from another seed.
    private static func changed(_ seed: [UInt8], beside other: [UInt8], _ draw: inout SplitMix) -> [UInt8] {
        guard !seed.isEmpty else { return other }
        var bytes = seed
        let start = draw.below(bytes.count)
        let end = min(bytes.count, start + 1 + draw.below(16))
        switch draw.below(4) {
        case 0: bytes[start] = UInt8(draw.below(256))
        case 1: bytes.removeSubrange(start..<end)
        case 2: bytes.insert(contentsOf: bytes[start..<end], at: end)
        default: bytes = Array(bytes[..<start]) + other.suffix(other.count / 2)
        }
        return bytes
    }
}
