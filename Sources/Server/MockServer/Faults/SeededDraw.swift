// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiTemplating

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Draws random values: the same seed, stub and number of the request give the same.
struct SeededDraw {
    private var random: TemplateRandom

    /// - Parameters:
    ///   - salt: distinguishes this stub from others.
    ///   - number: counts the requests that this stub was used for.
    init(seed: UInt64, salt: UInt64, number: UInt64) {
        random = TemplateRandom(seed: seed, salt: salt, number: number)
    }

    mutating func next() -> UInt64 { random.next() }

    /// A number from 0 to below 1, of 53 random bits.
    mutating func unit() -> Double { random.unit() }

    /// A delay in milliseconds, from 0 to a day, whatever is asked for.
    mutating func milliseconds(_ distribution: ResponseDelay.Distribution) -> Int {
        switch distribution {
        case .fixed(let milliseconds): return ResponseDelay.clamped(milliseconds)
        case .uniform(let lower, let upper):
            let lower = ResponseDelay.clamped(lower)
            return lower + Int(unit() * Double(max(0, ResponseDelay.clamped(upper) - lower) + 1))
        case .lognormal(let median, let sigma, let maximum):
            let longest = Double(ResponseDelay.longest)
            // Neither a comparison with a value that is not a number nor one with less than nothing may decide.
            let limit = max(0, min(longest, maximum ?? longest))
            // Beyond the most it is drawn again, ten times at most, and then cut off.
            for _ in 0...10 {
                let drawn = (exp(normal() * sigma) * median).rounded()
                if drawn >= 0, drawn <= limit { return Int(drawn) }
            }
            return Int(limit)
        }
    }

    /// The normal distribution, by Box and Muller's transform.
    private mutating func normal() -> Double {
        let radius = (-2 * log(1 - unit())).squareRoot()
        return radius * cos(2 * .pi * unit())
    }
}
