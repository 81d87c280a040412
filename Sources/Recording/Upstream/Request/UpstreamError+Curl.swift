// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import CMockapiCurl

extension UpstreamError {
    /// The error for the code with which libcurl ended a transfer.
    ///
    /// - Parameters:
    ///   - detail: the words of the error buffer; empty if it has none.
    ///   - timeout: which of the two that libcurl keeps is over, if one is.
    init(_ code: CURLcode, _ detail: String, url: String, timeout: Timeout) {
        let words = detail.isEmpty ? String(cString: ccurl_easy_strerror(code)) : detail
        let (kind, remedy) = Self.judge(code, detail, timeout)
        self.init(kind, Self.reason(code, detail), url: url, "\(words); \(remedy)")
    }

    private static func reason(_ code: CURLcode, _ detail: String) -> Reason? {
        switch code {
        case CURLE_PEER_FAILED_VERIFICATION: .untrustedCertificate
        case CURLE_SSL_CERTPROBLEM: .clientCertificateRefused
        case _ where detail.contains("alert certificate required"): .clientCertificateRequired
        case CURLE_RECV_ERROR where detail.contains("alert"), CURLE_SEND_ERROR where detail.contains("alert"):
            .clientCertificateRefused
        // The bytes of a chunked transfer make no chunk, which libcurl counts as a failure to receive.
        case CURLE_RECV_ERROR where detail.contains("hexadecimal"): nil
        // The error of RFC 9113 §7 about the server's own frames.
        case CURLE_HTTP2_STREAM where detail.contains("PROTOCOL_ERROR"): nil
        case CURLE_GOT_NOTHING, CURLE_PARTIAL_FILE, CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_SEND_FAIL_REWIND,
            CURLE_HTTP2_STREAM:
            .connectionLost
        default: nil
        }
    }

    private static func judge(_ code: CURLcode, _ detail: String, _ timeout: Timeout) -> (Kind, String) {
        switch code {
        case CURLE_COULDNT_RESOLVE_HOST: (.resolve, "check the host's name, or say which address to connect to")
        case CURLE_COULDNT_RESOLVE_PROXY, CURLE_PROXY: (.connect, "check the proxy that services are asked by")
        case CURLE_COULDNT_CONNECT: (.connect, "check that the service runs and listens on this port")
        case CURLE_OPERATION_TIMEDOUT: (.timeout(timeout), remedy(timeout))
        case CURLE_PEER_FAILED_VERIFICATION:
            (.tls, "give the authority that signed the server's certificate, or let any certificate pass")
        case CURLE_SSL_CACERT_BADFILE: (.tls, "give a file of authorities in PEM that can be read")
        case CURLE_SSL_CERTPROBLEM: (.tls, "give the client's certificate and its key in PEM files that can be read")
        case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CIPHER, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_CRL_BADFILE,
            CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_SSL_CLIENTCERT, CURLE_USE_SSL_FAILED:
            (.tls, "check that the server speaks TLS on this port, and which client certificates it takes")
        case CURLE_RECV_ERROR where detail.contains("alert"), CURLE_SEND_ERROR where detail.contains("alert"):
            // TLS 1.3 refuses a client's certificate after the handshake (RFC 8446 §4.4.2.4).
            (.tls, "check which client certificates the server takes")
        case CURLE_URL_MALFORMAT: (.invalid, "correct the URL")
        case CURLE_GOT_NOTHING: (.protocol, "the server closed without a response; look at its log")
        case CURLE_PARTIAL_FILE, CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_SEND_FAIL_REWIND:
            (.protocol, "the connection was lost; send the request again")
        // A stream was reset, or the connection given up, by a server that does speak HTTP/2 (RFC 9113 §7).
        case CURLE_HTTP2_STREAM, CURLE_HTTP2:
            (.protocol, "the server broke the response off; look at its log, or send the request again")
        default: (.protocol, "check that the server speaks this version of HTTP")
        }
    }

    package static func remedy(_ timeout: Timeout) -> String {
        switch timeout {
        case .connect: "check the address, or allow more time for the connection"
        case .whole: "allow more time for the whole request"
        case .idle: "allow more time without a byte"
        }
    }
}
