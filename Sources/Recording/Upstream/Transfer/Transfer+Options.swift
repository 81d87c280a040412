// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import CMockapiCurl

extension Transfer {
    /// Sets for libcurl the request and how it is sent.
    func setOptions(_ easy: UnsafeMutableRawPointer, _ memory: TransferMemory) throws(UpstreamError) {
        _ = ccurl_easy_set_pointer(easy, CURLOPT_ERRORBUFFER, memory.errorBuffer)
        try setString(easy, CURLOPT_URL, request.url)
        try setLong(easy, CURLOPT_PATH_AS_IS, 1)
        try setLong(easy, CURLOPT_DISALLOW_USERNAME_IN_URL, 1)
        if let target = request.target { try setString(easy, CURLOPT_REQUEST_TARGET, target) }
        try setProxy(easy)
        try setLong(easy, CURLOPT_NOSIGNAL, 1)
        try setLong(easy, CURLOPT_HTTP_CONTENT_DECODING, 0)
        // Else the end of a transfer waits, on the client's queue, for a name that is still being looked up. Since 7.87.
        try setLong(easy, CURLOPT_QUICK_EXIT, 1)
        if way == .oldConnection {
            _ = ccurl_easy_refuse_connections(easy, memory.refused)
        } else {
            try setSockets(easy, memory)
        }
        try setVersion(easy)
        try setMethod(easy)
        try setFields(easy, memory)
        try setTLS(easy)
        try setTimeouts(easy)
        if let list = memory.list(configuration.connectTo.map { Array($0.line.utf8) }) {
            _ = ccurl_easy_set_pointer(easy, CURLOPT_CONNECT_TO, list)
        }
    }

    /// libcurl would look at the environment by itself.
    private func setProxy(_ easy: UnsafeMutableRawPointer) throws(UpstreamError) {
        guard let proxy = configuration.proxies?.proxy(for: request.url) else {
            return try setString(easy, CURLOPT_PROXY, "")
        }
        try setString(easy, CURLOPT_PROXY, proxy)
        // Which hosts are excepted is decided.
        try setString(easy, CURLOPT_NOPROXY, "")
        // The proxy's own response to CONNECT is not the server's.
        try setLong(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    }

    /// The address of a proxy is not subject to the rules for targets.
    private func setSockets(_ easy: UnsafeMutableRawPointer, _ memory: TransferMemory) throws(UpstreamError) {
        let isJudged = configuration.targets != nil && configuration.proxies?.proxy(for: request.url) == nil
        memory.judge.pointee = ccurl_judge(
            takes: addressCallback, context: Unmanaged.passUnretained(self).toOpaque())
        try check(ccurl_easy_set_sockets(easy, isJudged ? memory.judge : nil), CURLOPT_OPENSOCKETFUNCTION)
    }

    private func setVersion(_ easy: UnsafeMutableRawPointer) throws(UpstreamError) {
        let version =
            switch request.version {
            case .automatic, .h2: CURL_HTTP_VERSION_2TLS
            case .http1: CURL_HTTP_VERSION_1_1
            // On a connection that speaks HTTP/2 already this asks for no upgrade.
            case .h2c where way == .oldConnection: CURL_HTTP_VERSION_2_0
            case .h2c: CURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE
            case .h2cUpgrade: CURL_HTTP_VERSION_2_0
            }
        try setLong(easy, CURLOPT_HTTP_VERSION, Int(version))
        // Requests that come while the first connection is made wait to see whether it takes them all.
        let mayShare = [.automatic, .h2, .h2c].contains(request.version)
        try setLong(easy, CURLOPT_PIPEWAIT, mayShare ? 1 : 0)
        if way == .newConnection { try setLong(easy, CURLOPT_FRESH_CONNECT, 1) }
    }

    private func setMethod(_ easy: UnsafeMutableRawPointer) throws(UpstreamError) {
        if let source {
            // Not CURLOPT_POSTFIELDS, which adds a Content-Type.
            try setLong(easy, CURLOPT_UPLOAD, 1)
            let code = ccurl_easy_set_offset(easy, CURLOPT_INFILESIZE_LARGE, curl_off_t(source.length ?? -1))
            try check(code, CURLOPT_INFILESIZE_LARGE)
        } else if request.method == "HEAD" {
            try setLong(easy, CURLOPT_NOBODY, 1)
        }
        try setString(easy, CURLOPT_CUSTOMREQUEST, request.method)
    }

    private func setFields(_ easy: UnsafeMutableRawPointer, _ memory: TransferMemory) throws(UpstreamError) {
        var names: Set<String> = []
        var lines: [[UInt8]] = []
        for field in request.fields {
            names.insert(field.name.lowercased())
            let isEmpty = field.bytes.allSatisfy { $0 == 0x20 || $0 == 0x09 }
            lines.append(Array(field.name.utf8) + (isEmpty ? [UInt8(ascii: ";")] : Array(": ".utf8) + field.bytes))
        }
        // A name without a value keeps libcurl from adding the field of its own.
        for name in ["Accept", "Expect"] where !names.contains(name.lowercased()) {
            lines.append(Array("\(name):".utf8))
        }
        guard let list = memory.list(lines) else { return }
        _ = ccurl_easy_set_pointer(easy, CURLOPT_HTTPHEADER, list)
    }

    private func setTLS(_ easy: UnsafeMutableRawPointer) throws(UpstreamError) {
        if let file = configuration.caFile {
            try setString(easy, CURLOPT_CAINFO, file)
            _ = ccurl_easy_set_string(easy, CURLOPT_CAPATH, nil)
        }
        if let file = configuration.clientCertificate {
            try setString(easy, CURLOPT_SSLCERT, file)
            try setString(easy, CURLOPT_SSLKEY, configuration.clientKey ?? file)
        }
        if configuration.isInsecure {
            try setLong(easy, CURLOPT_SSL_VERIFYPEER, 0)
            try setLong(easy, CURLOPT_SSL_VERIFYHOST, 0)
        }
    }

    private func setTimeouts(_ easy: UnsafeMutableRawPointer) throws(UpstreamError) {
        // libcurl reads 0 as its own 300 s.
        let connect = timeouts.connect.map { max(1, $0.milliseconds) } ?? Int(Int32.max)
        try setLong(easy, CURLOPT_CONNECTTIMEOUT_MS, connect)
        if let whole = timeouts.whole { try setLong(easy, CURLOPT_TIMEOUT_MS, max(1, whole.milliseconds)) }
    }

    private func setLong(_ easy: UnsafeMutableRawPointer, _ option: CURLoption, _ value: Int) throws(UpstreamError) {
        try check(ccurl_easy_set_long(easy, option, value), option)
    }

    private func setString(
        _ easy: UnsafeMutableRawPointer, _ option: CURLoption, _ value: String
    ) throws(UpstreamError) {
        try check(ccurl_easy_set_string(easy, option, value), option)
    }

    private func check(_ code: CURLcode, _ option: CURLoption) throws(UpstreamError) {
        // An older library does not know the options that only make things better.
        guard code != CURLE_OK, code != CURLE_UNKNOWN_OPTION else { return }
        let library = "libcurl \(String(cString: ccurl_version()))"
        let words = String(cString: ccurl_easy_strerror(code))
        throw error(.invalid, "\(library) does not take option \(option.rawValue): \(words); install one that does")
    }
}
