// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPWire
import MockapiProxy
import MockapiUpstream

extension RecordingSession {
    /// The result of a request: an exchange if one is recorded and its content could be kept, and the trailers.
    typealias CapturedResponse = (exchange: PassedExchange?, trailers: [UpstreamField])

    /// Sends a request, passes the response on as it comes and keeps it.
    ///
    /// - Parameter relay: passes the response to the client, all but its end; nil if there is no client.
    func capture(
        _ request: OutgoingRequest, by client: UpstreamClient, relay: ResponseRelay? = nil
    ) async throws(CaptureFailure) -> CapturedResponse {
        let mark = changes.begin(request)
        defer { changes.end(request) }
        let stream: UpstreamStream
        do throws(UpstreamError) {
            stream = try await client.stream(
                request.upstream(request.isBound ? .http1 : options.protocol(for: request.origin)))
        } catch {
            throw Task.isCancelled ? .cancelled : .upstream(error)
        }
        let head = ReceivedHead(stream.head)
        if let flaw = head.flaw { throw Self.failure(flaw, of: request) }
        relay?.begin(head)
        let spool = queue.map {
            ContentSpool(
                head, directory: $0.directory, limit: options.decodedLimit, largest: options.largestBody)
        }
        var count = 0
        do throws(CaptureFailure) {
            while let bytes = try await stream.body.piece() {
                count += bytes.count
                // The client goes first; kept bytes may have to wait for the disk.
                relay?.push(bytes)
                relay?.pause()
                guard await relay?.advanceAll() ?? true else { throw .cancelled }
                await keep(bytes, in: spool)
                if isLost(relay, spool) { break }
            }
            relay?.decide()
            guard await relay?.advanceAll() ?? true else { throw .cancelled }
        } catch {
            spool?.discard()
            throw error
        }
        if isLost(relay, spool) {
            spool?.discard()
        } else {
            report.passed(count, from: request.origin)
        }
        let trailers = await stream.body.ending?.trailers ?? []
        if let flaw = trailers.lazy.compactMap(\.flaw).first { throw Self.failure(flaw, of: request) }
        return (exchange(of: request, head, trailers, spool, relay, since: mark), trailers)
    }

    private static func failure(_ flaw: String, of request: OutgoingRequest) -> CaptureFailure {
        .upstream(UpstreamError(.protocol, url: request.origin.text + request.target, "\(flaw); mend the server"))
    }

    /// The exchange to record for a response that has come whole; nil if there is none, which is reported if it
    /// is a failure.
    ///
    /// - Parameter mark: the upstream's change mark when the request went out.
    func exchange(
        of request: OutgoingRequest, _ head: ReceivedHead, _ trailers: [UpstreamField], _ spool: ContentSpool?,
        _ relay: ResponseRelay?, since mark: UpstreamChanges.Mark
    ) -> PassedExchange? {
        guard let spool else { return nil }
        if OutgoingRequest.mayBeLess(head.status), let whole = request.whole {
            spool.discard()
            // A service without ranges has neither of the two.
            recordWhole(
                whole, givesRanges: request.part != nil && [206, 416].contains(head.status) ? true : nil)
            return nil
        }
        do throws(RecordingError) {
            return PassedExchange(request, head, trailers, try spool.finish(), since: mark)
        } catch {
            fail(request, [error.description, relay?.failure].compactMap { $0 }.joined(separator: "; "))
            return nil
        }
    }

    private func keep(_ bytes: [UInt8], in spool: ContentSpool?) async {
        guard let spool else { return }
        spool.push(bytes)
        var pieces = 0
        while spool.store() {
            pieces += 1
            // Other work that waits for this queue has its turn.
            if pieces.isMultiple(of: 4) { await Task.yield() }
        }
    }

    /// Whether nobody can use the remaining bytes: neither the client nor the recording.
    func isLost(_ relay: ResponseRelay?, _ spool: ContentSpool?) -> Bool {
        guard relay != nil || spool != nil else { return false }
        return relay?.isBroken ?? true && spool?.hasFailed ?? true
    }

    /// Asks a safe request again, as often as is wanted and each time a while later; nil if once is enough.
    ///
    /// The responses that come whole are the samples; no more are fetched once something was sent that may change them.
    func sampling(
        of request: OutgoingRequest, since exchange: PassedExchange, by client: UpstreamClient
    ) -> Task<[Exchange], Never>? {
        guard options.samples > 1, request.isSafe, queue != nil else { return nil }
        changes.ask(request.origin)
        let request = request.whole ?? request
        return Task {
            defer { changes.asked(request.origin) }
            var samples: [Exchange] = []
            for number in 2...options.samples {
                try? await Task.sleep(for: options.sampleGap)
                do throws(CaptureFailure) {
                    guard var sample = try await capture(request, by: client).exchange?.exchange else { continue }
                    sample.isOutdated = changes.haveHappened(since: exchange.changes, at: request.origin)
                    samples.append(sample)
                    if sample.isOutdated { break }
                } catch {
                    fail(request, "sample \(number) of \(options.samples): \(Self.text(error))")
                }
            }
            return samples
        }
    }
}

extension RecordingSession {
    /// The text for a failure that is not the client's, without the target.
    static func text(_ failure: CaptureFailure) -> String {
        switch failure {
        case .upstream(let error): error.told
        case .cancelled: "the recording was stopped before the response was complete"
        }
    }
}

extension UpstreamBody {
    /// The next chunk; nil at the end.
    fileprivate func piece() async throws(CaptureFailure) -> [UInt8]? {
        do throws(UpstreamError) {
            return try await next()
        } catch {
            throw Task.isCancelled ? .cancelled : .upstream(error)
        }
    }
}
