// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A thread of its own for work that blocks or takes long, so that it holds up neither the event loops nor other users of Dispatch's threads.
package enum BackgroundThread {
    /// How far it stands back if processors are short: a third of an event loop's share of them. 5 steps of nice.
    private static let niceness: Int32 = 5

    private final class Body {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Starts one; signals are for other threads.
    ///
    /// - Parameter givesWay: whether the event loops go first if processors are short.
    /// - Returns: false if the system cannot give a thread.
    package static func start(givesWay: Bool, _ run: @escaping @Sendable () -> Void) -> Bool {
        let context = Unmanaged.passRetained(Body { begin(givesWay: givesWay, run) })
        #if canImport(Darwin)
            var thread: pthread_t?
            let code = pthread_create(&thread, nil, { BackgroundThread.enter($0) }, context.toOpaque())
            if code == 0, let thread { pthread_detach(thread) }
        #else
            var thread = pthread_t()
            let code = pthread_create(&thread, nil, { $0.flatMap { BackgroundThread.enter($0) } }, context.toOpaque())
            if code == 0 { pthread_detach(thread) }
        #endif
        if code != 0 { context.release() }
        return code == 0
    }

    private static func enter(_ context: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
        Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
        return nil
    }

    private static func begin(givesWay: Bool, _ run: @Sendable () -> Void) {
        var all = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_BLOCK, &all, nil)
        if givesWay { giveWay() }
        run()
    }

    private static func giveWay() {
        #if canImport(Darwin)
            pthread_set_qos_class_self_np(QOS_CLASS_UTILITY, 0)
        #else
            // Linux keeps this for each thread, and 0 is the calling thread.
            _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, niceness)
        #endif
    }
}
