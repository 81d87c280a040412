// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors
import MockapiHTTPSyntax

/// A buffer that is filled again for each request and keeps its memory.
///
/// Unlike an array's, its storage may be read through plain pointers while its neighbours in a struct change. Its owner
/// frees it with `deallocate()`.
struct Growable<Element: BitwiseCopyable> {
    private(set) var base: UnsafeMutablePointer<Element>
    private(set) var count = 0
    private var capacity: Int

    init(capacity: Int) {
        self.capacity = capacity
        base = .allocate(capacity: capacity)
    }

    func deallocate() { base.deallocate() }

    @inline(__always)
    subscript(index: Int) -> Element {
        get {
            assert(index >= 0 && index < count)
            return base[index]
        }
        nonmutating set {
            assert(index >= 0 && index < count)
            base[index] = newValue
        }
    }

    @inline(__always)
    mutating func append(_ element: Element) {
        if count == capacity { reserve(count + 1) }
        (base + count).initialize(to: element)
        count &+= 1
    }

    mutating func append(contentsOf elements: UnsafeBufferPointer<Element>) {
        guard let first = elements.baseAddress else { return }
        reserve(count + elements.count)
        (base + count).initialize(from: first, count: elements.count)
        count &+= elements.count
    }

    /// Makes room for a total number of elements; pointers into the buffer are void afterwards.
    mutating func reserve(_ total: Int) {
        if total <= capacity { return }
        capacity = max(total, capacity * 2)
        let larger = UnsafeMutablePointer<Element>.allocate(capacity: capacity)
        larger.initialize(from: base, count: count)
        base.deallocate()
        base = larger
    }

    @inline(__always)
    mutating func removeAll() { count = 0 }

    mutating func removeLast(_ number: Int = 1) { count -= number }

    /// Shortens or lengthens the buffer; new elements have the value given.
    mutating func resize(_ total: Int, filling value: Element) {
        reserve(total)
        while count < total { append(value) }
        count = total
    }

    /// Puts the last element in the place of another.
    mutating func swapRemove(_ index: Int) {
        self[index] = self[count - 1]
        count -= 1
    }
}

extension Growable<UInt8> {
    @inline(__always)
    func slice(_ start: UInt32, _ end: UInt32) -> Bytes {
        assert(start <= end && Int(end) <= count)
        return Bytes(start: base + Int(start), count: Int(end &- start))
    }

    var all: Bytes { Bytes(start: base, count: count) }

    /// Appends the percent-decoded bytes of a text.
    mutating func appendDecoded(_ source: Bytes, plusIsSpace: Bool) {
        // Decoding makes nothing longer: there is room for all that comes.
        reserve(count + source.count)
        var target = base + count
        var index = 0
        while index < source.count {
            let byte = source[index]
            if byte == ASCII.percent, index + 2 < source.count,
                let high = ASCII.hexValue(source[index + 1]), let low = ASCII.hexValue(source[index + 2])
            {
                target.initialize(to: high << 4 | low)
                index &+= 3
            } else {
                target.initialize(to: plusIsSpace && byte == ASCII.plus ? ASCII.space : byte)
                index &+= 1
            }
            target += 1
        }
        count = target - base
    }

    /// Appends the percent-decoded bytes of a text, `+` as a space, up to one of two separators that are no higher than `=`; the buffer has
    /// room for all of the text.
    ///
    /// - Parameter hasPlus: set if there was a `+`.
    /// - Returns: the place of the separator, or the text's end.
    @inline(__always)
    mutating func appendDecoded(
        _ source: Bytes, from start: Int, until separator: UInt8, or other: UInt8, _ hasPlus: inout Bool
    ) -> Int {
        assert(separator <= ASCII.equals && other <= ASCII.equals && count + source.count - start <= capacity)
        var target = base + count
        var index = start
        while index < source.count {
            let byte = source[index]
            // Letters are above everything that is looked for.
            if byte > ASCII.equals {
                target.initialize(to: byte)
            } else if byte == separator || byte == other {
                break
            } else if byte == ASCII.percent, index + 2 < source.count,
                let high = ASCII.hexValue(source[index + 1]), let low = ASCII.hexValue(source[index + 2])
            {
                target.initialize(to: high << 4 | low)
                index &+= 2
            } else if byte == ASCII.plus {
                hasPlus = true
                target.initialize(to: ASCII.space)
            } else {
                target.initialize(to: byte)
            }
            index &+= 1
            target += 1
        }
        count = target - base
        return index
    }
}
