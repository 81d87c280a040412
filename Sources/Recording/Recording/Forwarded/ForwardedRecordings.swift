// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import MockapiHTTPServer
import MockapiHTTPSyntax
import MockapiHTTPWire
package import MockapiProxy
import MockapiSecrets
import MockapiUpstream
import Synchronization

/// The last exchanges that stubs have forwarded, kept in memory until somebody asks for fixtures of them.
package final class ForwardedRecordings: ExchangeKeeper {
    /// Exchanges that are kept; the oldest give way. 2,000.
    package static let countLimit = 2_000
    /// Bytes of content, and of the heads with it, that are kept. 64 MiB.
    package static let sizeLimit = 64 * 1024 * 1024
    /// Bytes of content, and of the heads with it, that are decoded before they are recorded: one more exchange may take 32 MiB. 32 MiB.
    private static let groupLimit = 32 * 1024 * 1024
    /// Exchanges that are recorded at once. 256.
    private static let groupCount = 256

    private struct State {
        /// In the order in which their responses came.
        var exchanges: [ForwardedExchange] = []
        var size = 0
        var lost: UInt64 = 0
    }

    private let options: RecorderOptions
    private let largestBody: Int
    private let redactor: Redactor
    private let state = Mutex(State())

    /// - Parameter largestBody: bytes of content, without its coding, that are recorded.
    package init(_ options: RecorderOptions = RecorderOptions(), largestBody: Int = ContentSpool.largestBody) {
        self.options = options
        self.largestBody = largestBody
        redactor = Redactor(options.redaction)
    }

    package var lost: UInt64 { state.withLock { $0.lost } }

    package func numbers(after number: UInt64) -> Set<UInt64> {
        state.withLock { state in Set(state.exchanges.lazy.map(\.number).filter { $0 > number }) }
    }

    package func keep(_ exchange: ForwardedExchange) {
        state.withLock { state in
            state.exchanges.append(exchange)
            state.size += Self.size(of: exchange)
            var surplus = 0
            while state.size > Self.sizeLimit || state.exchanges.count - surplus > Self.countLimit {
                state.size -= Self.size(of: state.exchanges[surplus])
                state.lost = max(state.lost, state.exchanges[surplus].number)
                surplus += 1
            }
            state.exchanges.removeFirst(surplus)
        }
    }

    private static func size(of exchange: ForwardedExchange) -> Int {
        let lines = (exchange.fields + exchange.head.fields).reduce(0) { $0 + $1.name.utf8.count + $1.bytes.count }
        return exchange.body.count + (exchange.content?.count ?? 0) + exchange.target.utf8.count + lines
    }

    package func writable(_ name: String, _ value: String) -> String? {
        redactor.header(name, value).isRedacted ? nil : value
    }

    package func record(
        _ numbers: Set<UInt64>, beside others: [OwnExchange], into directory: String
    ) async -> [String] {
        let kept = state.withLock { $0.exchanges.filter { numbers.contains($0.number) } }
        let known = Set(kept.map(\.number))
        let chosen = (kept + others.filter { !known.contains($0.number) }.map { ForwardedExchange($0) })
            .sorted { $0.number < $1.number }
        let recorder: Recorder
        do throws(RecordingError) {
            recorder = try Recorder(directory: directory, options: options)
        } catch {
            return [error.description]
        }
        var problems: [String] = []
        var captured: [Recorder.Captured] = []
        var outcomes: [RecordingOutcome] = []
        var size = 0
        for exchange in chosen {
            if size >= Self.groupLimit || captured.count == Self.groupCount {
                outcomes += await recorder.record(captured)
                captured = []
                size = 0
            }
            do throws(RecordingError) {
                let item = try Exchange(exchange, largestBody: largestBody)
                size += item.requestBody.count
                if case .bytes(let bytes) = item.content.storage { size += bytes.count }
                captured.append((item, []))
            } catch {
                let shown = recorder.shown(method: exchange.method, target: exchange.target)
                problems.append("\(shown): \(error)")
            }
        }
        outcomes += await recorder.record(captured) + recorder.finish()
        return problems
            + outcomes.filter { $0.kind == .refused || $0.kind == .failed }
            .map { "\($0.request): \($0.notes.joined(separator: "; "))" }
    }
}

extension Exchange {
    /// All of it stays in memory: a file that is written before secrets are out of it would stay if the process were killed.
    fileprivate init(_ forwarded: ForwardedExchange, largestBody: Int) throws(RecordingError) {
        guard let bytes = forwarded.content else {
            throw RecordingError(
                "the content is longer than \(ForwardedExchange.contentLimit) bytes, or came when too much was under way, and is not recorded"
            )
        }
        let spool = ContentSpool(ReceivedHead(forwarded.head), directory: nil, largest: largestBody)
        for start in stride(from: 0, to: bytes.count, by: Self.pieceSize) {
            spool.push(Array(bytes[start..<min(start + Self.pieceSize, bytes.count)]))
            while spool.store() {}
        }
        self.init(
            origin: RedirectTarget.split(forwarded.base)?.base ?? forwarded.base, method: forwarded.method,
            target: forwarded.target, requestFields: forwarded.fields, requestBody: forwarded.body,
            head: forwarded.head,
            trailers: forwarded.trailers, content: try spool.finish())
        let part = PartRequest(method: forwarded.method, forwarded.fields)
        givesRanges = Self.givesRanges(asked: part, head.status, content)
    }

    /// Bytes that are decoded at a time. 64 KiB.
    private static let pieceSize = 64 * 1024
}
