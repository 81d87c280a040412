// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import CMockapiCurl

extension Transfer {
    /// Makes libcurl call this transfer, which the engine holds for as long as libcurl has the handle.
    func setCallbacks(_ easy: UnsafeMutableRawPointer) {
        let context = Unmanaged.passUnretained(self).toOpaque()
        _ = ccurl_easy_set_header(easy, headerCallback, context)
        _ = ccurl_easy_set_write(easy, writeCallback, context)
        _ = ccurl_easy_set_read(easy, readCallback, context)
        _ = ccurl_easy_set_seek(easy, seekCallback, context)
        if way == .newConnection || !isIdempotent { _ = ccurl_easy_set_prereq(easy, connectedCallback, context) }
    }

    /// - Returns: whether to go on.
    fileprivate func header(_ line: UnsafeRawBufferPointer) -> Bool {
        touch()
        let event = assembler.take(line)
        guard assembler.size <= configuration.maxHead else {
            let limit = configuration.maxHead
            return giveUp(.tooLarge, "the response's fields are more than \(limit) bytes; raise maxHead")
        }
        switch event {
        case .none: return true
        case .malformed: return giveUp(.protocol, "the response's status line is not HTTP's; look at the server's log")
        case .twoLengths:
            return giveUp(
                .protocol,
                "the response has two Content-Lengths that differ, so its end is not known; mend the server")
        case .head: return takeHead()
        }
    }

    private func takeHead() -> Bool {
        guard let head = assembler.heads.last else { return true }
        if request.version == .h2, head.version != .http2 {
            return giveUp(.protocol, "the server chose \(head.version.rawValue) by ALPN; ask for automatic or http1")
        }
        if isStreaming {
            headWaiter?.resume(returning: .success(assembler.heads))
            headWaiter = nil
        } else if request.method != "HEAD", head.status != 304,
            let length = head["Content-Length"].flatMap({ Int($0) }).map({ max(0, $0) })
        {
            guard length <= configuration.maxBody else { return tooMuch(length) }
            content.reserveCapacity(length)
        }
        return true
    }

    /// - Returns: how many bytes were taken, or CURL_WRITEFUNC_PAUSE.
    fileprivate func write(_ bytes: UnsafeRawBufferPointer) -> Int {
        touch()
        if !assembler.isFinal, assembler.finish(), !takeHead() { return 0 }
        guard isStreaming else {
            guard content.count + bytes.count <= configuration.maxBody else {
                _ = tooMuch(content.count + bytes.count)
                return 0
            }
            content += bytes
            return bytes.count
        }
        if give(bytes) { return bytes.count }
        guard content.isEmpty || content.count + bytes.count <= configuration.streamBuffer else {
            isReceivingPaused = true
            return Int(CURL_WRITEFUNC_PAUSE)
        }
        content += bytes
        return bytes.count
    }

    private func tooMuch(_ count: Int) -> Bool {
        let limit = configuration.maxBody
        let text = "the response's content is \(count) bytes or more, the limit \(limit); raise maxBody or stream it"
        return giveUp(.tooLarge, text)
    }

    /// - Returns: how many bytes there are, 0 for the end, CURL_READFUNC_PAUSE or CURL_READFUNC_ABORT.
    fileprivate func read(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
        // libcurl asks again while it should wait; that is not progress.
        if isSendingPaused { return Int(CURL_READFUNC_PAUSE) }
        switch source?.read(into: buffer) ?? .end {
        case .bytes(let count):
            touch()
            return count
        case .end: return 0
        case .empty:
            isSendingPaused = true
            pullContent()
            return Int(CURL_READFUNC_PAUSE)
        case .wrongLength(let count):
            let length = source?.length ?? 0
            let text = "the content is \(count) bytes, its length was said to be \(length); mend its source"
            _ = giveUp(.requestBody, text)
            return Int(CURL_READFUNC_ABORT)
        }
    }

    /// Whether a connection may be made to an address. A connection in use was judged by the same rules when it was made.
    fileprivate func mayConnect(to address: String) -> Bool {
        addresses.add(configuration.targets?.refusal(of: request.url, at: address))
    }

    /// A connection is there, and the request is sent next.
    ///
    /// - Returns: whether to send it.
    fileprivate func connected() -> Bool {
        if way == .newConnection { engine?.connected(self) }
        attempts += 1
        guard attempts > 1, !isIdempotent else { return true }
        // If a connection that was used before ends without a response, libcurl sends the request again, whatever its method.
        failure = UpstreamError(
            .protocol, .connectionLost, url: request.url,
            "the connection ended before a response came, and \(request.method) is not sent again, since it may have been carried out "
                + "(RFC 9110 §9.2.2); look at what became of it")
        return false
    }

    /// Whether a request may be sent twice without asking (RFC 9110 §9.2.2).
    var isIdempotent: Bool {
        ["GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE"].contains(request.method)
    }

    fileprivate func seek(_ place: Int) -> Bool {
        source?.seek(to: place) ?? true
    }

    private func giveUp(_ kind: UpstreamError.Kind, _ text: String) -> Bool {
        if failure == nil { failure = error(kind, text) }
        return false
    }
}

private func transfer(_ context: UnsafeMutableRawPointer?) -> Transfer? {
    context.map { Unmanaged<Transfer>.fromOpaque($0).takeUnretainedValue() }
}

private let headerCallback: curl_write_callback = { bytes, size, count, context in
    let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
    return transfer(context)?.header(line) == true ? line.count : 0
}

private let writeCallback: curl_write_callback = { bytes, size, count, context in
    transfer(context)?.write(UnsafeRawBufferPointer(start: bytes, count: size * count)) ?? 0
}

private let readCallback: curl_read_callback = { bytes, size, count, context in
    let buffer = UnsafeMutableRawBufferPointer(start: bytes, count: size * count)
    return transfer(context)?.read(buffer) ?? Int(CURL_READFUNC_ABORT)
}

private let seekCallback: curl_seek_callback = { context, offset, origin in
    // SEEK_SET, the only origin libcurl has.
    guard origin == 0, let transfer = transfer(context) else { return CURL_SEEKFUNC_CANTSEEK }
    return transfer.seek(Int(offset)) ? CURL_SEEKFUNC_OK : CURL_SEEKFUNC_CANTSEEK
}

private let connectedCallback: curl_prereq_callback = { context, _, _, _, _ in
    transfer(context)?.connected() ?? true ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
}

let addressCallback: @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?) -> Int32 = { context, address in
    guard let transfer = transfer(context), let address else { return 0 }
    return transfer.mayConnect(to: String(cString: address)) ? 1 : 0
}
