// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiTestSupport
import Testing

@testable import MockapiContentCodings

/// The pieces of content between a library and those who push and pull.
@Suite(.supervised) struct DecodingStageTests {
    /// Reads and writes as a list of steps says.
    private final class Scripted: CodedFormat {
        var isAtEnd = false
        private var steps: [(read: Int, written: Int)]

        init(_ steps: [(read: Int, written: Int)]) { self.steps = steps }

        func step(
            _ input: UnsafeBufferPointer<UInt8>, _ output: UnsafeMutableBufferPointer<UInt8>
        ) throws(FormatError) -> (read: Int, written: Int) {
            let step = steps.isEmpty ? (0, 0) : steps.removeFirst()
            output[..<step.1].update(repeating: UInt8(step.0))
            return step
        }
    }

    @Test func `a library that goes on neither to read nor to write is not asked for ever`() throws {
        let stage = DecodingStage(Scripted([(1, 2), (1, 0), (0, 3), (0, 0)]))
        stage.push([1, 2, 3])
        #expect(try stage.pull(limit: 9) == [1, 1])
        #expect(try stage.pull(limit: 9) == [0, 0, 0])
        do throws(StageError) {
            _ = try stage.pull(limit: 9)
            Issue.record("there is a piece")
        } catch {
            guard case .broken("it cannot be read on") = error else {
                Issue.record("\(error)")
                return
            }
        }
    }

    @Test func `a library that reads all and writes nothing waits for more`() throws {
        let stage = DecodingStage(Scripted([(2, 0), (1, 1)]))
        #expect(stage.isComplete)
        stage.push([])
        #expect(stage.isComplete)
        stage.push([1, 2])
        #expect(!stage.isComplete)
        #expect(try stage.pull(limit: 9) == nil)
        stage.push([3])
        #expect(try stage.pull(limit: 9) == [1])
    }

    @Test func `content that is pushed in pieces and pulled later comes whole`() throws {
        let content = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 7) }
        for codings in ["gzip", "deflate", "br", "zstd", "gzip, br", "\tgzip \t, zstd", ""] {
            let coded = try Coded(codings.replacing("\t", with: ""), content).bytes
            var random = SplitMix(seed: 3)
            let decoder = try #require(StreamDecoder(codings: codings))
            var (rest, output) = (coded[...], [UInt8]())
            while !rest.isEmpty {
                for _ in 0..<random.below(4) {
                    let piece = rest.prefix(1 + random.below(9000))
                    decoder.push(Array(piece))
                    rest = rest.dropFirst(piece.count)
                }
                for _ in 0..<random.below(3) { output += try decoder.pull() ?? [] }
            }
            while let piece = try decoder.pull() { output += piece }
            try decoder.finish()
            #expect(output == content, "\(codings)")
        }
    }
}
