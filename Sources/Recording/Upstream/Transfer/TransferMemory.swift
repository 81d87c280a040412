// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import CMockapiCurl

/// The memory that libcurl reads and writes in place while a transfer lives.
final class TransferMemory {
    private var lists: [UnsafeMutablePointer<curl_slist>] = []
    /// 1 if a new connection was needed and not allowed.
    let refused: UnsafeMutablePointer<Int32>
    /// Who judges the addresses of new connections.
    let judge: UnsafeMutablePointer<ccurl_judge>
    /// libcurl's words for a failure.
    let errorBuffer: UnsafeMutablePointer<CChar>

    init() {
        refused = .allocate(capacity: 1)
        refused.initialize(to: 0)
        judge = .allocate(capacity: 1)
        judge.initialize(to: ccurl_judge())
        errorBuffer = .allocate(capacity: Int(CURL_ERROR_SIZE))
        errorBuffer.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    }

    deinit {
        for list in lists { ccurl_slist_free_all(list) }
        errorBuffer.deallocate()
        refused.deallocate()
        judge.deallocate()
    }

    var message: String { String(cString: errorBuffer) }

    /// A list of lines, which need not be UTF-8; nil if there are none, or no memory.
    func list(_ lines: [[UInt8]]) -> UnsafeMutablePointer<curl_slist>? {
        var list: UnsafeMutablePointer<curl_slist>?
        for line in lines {
            let longer = (line + [0]).withUnsafeBytes { bytes in
                ccurl_slist_append(list, bytes.baseAddress?.assumingMemoryBound(to: CChar.self))
            }
            guard let longer else { break }
            list = longer
        }
        if let list { lists.append(list) }
        return list
    }
}
