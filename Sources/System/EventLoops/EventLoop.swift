// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

public import Dispatch
package import MockapiSystemIO
package import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// One thread of work at a time: a serial queue, woken by one Dispatch source on one set of descriptors.
///
/// Dispatch is asked once a wake, not once an event; the loop drains the set until it is twice empty.
///
/// `@unchecked Sendable`: every stored variable is touched only on `queue`, which is serial. The methods that may be called
/// from elsewhere, `execute` and `load`, touch none. No access to one overlaps another, so the dynamic checks of exclusivity are left out.
public final class EventLoop: @unchecked Sendable {
    /// How many batches of events one wake handles before Dispatch may do its other work for the queue.
    private static let batchesPerWake = 64
    /// Nanoseconds for which channels go on after their turn, before new events are looked for. 1 ms.
    private static let backlogSlice: UInt64 = 1_000_000

    /// The loop's place in its group.
    public let index: Int
    public let queue: DispatchQueue
    /// Connections that are on this loop or on their way to it.
    package let load = Atomic<Int>(0)

    /// Work from elsewhere that waits for the queue.
    private let awaited = Atomic<Int>(0)
    private let poller: Poller
    private let source: any DispatchSourceRead
    @exclusivity(unchecked) private var channels = ChannelTable()
    @exclusivity(unchecked) private var timers = TimerQueue()
    @exclusivity(unchecked) private var armed: UInt64 = 0
    @exclusivity(unchecked) private var backlog = Backlog()
    /// Channels that go on before those, each for a turn.
    @exclusivity(unchecked) private var ahead: [UInt64] = []
    /// Channels that more has come for, with the stream that it is for.
    @exclusivity(unchecked) private var woken: [(token: UInt64, stream: UInt32)] = []
    @exclusivity(unchecked) private var isDraining = false
    /// The thread that drains the set; 0 while none does.
    private let drainingThread = Atomic<UInt>(0)
    @exclusivity(unchecked) private var residents: [ObjectIdentifier: LoopResident] = [:]
    @exclusivity(unchecked) private var wakeEnders: [LoopResident] = []
    /// Those of the wake that ends; empty but then.
    @exclusivity(unchecked) private var endingWake: [LoopResident] = []
    /// Events since memory was last given back.
    @exclusivity(unchecked) fileprivate var eventCount = 0
    @exclusivity(unchecked) fileprivate var restTimer: RestTimer?
    @exclusivity(unchecked) private var monotonicTime = Clock.monotonic()
    @exclusivity(unchecked) private var wallTime = Clock.wall()
    /// The latest text that somebody made of the second at hand, and that second.
    @exclusivity(unchecked) private var textOfSecond: (second: UInt64, text: [UInt8]) = (.max, [])

    // Computed, since another module that reads a stored property makes the dynamic checks all the same.

    /// The monotonic clock at the start of the batch of events at hand.
    public var now: UInt64 { monotonicTime }
    /// The time of day at the same moment, in nanoseconds since 1970.
    public var wallNow: UInt64 { wallTime }

    package init(index: Int) throws(SystemError) {
        self.index = index
        queue = DispatchQueue(label: "mockapi.loop.\(index)", qos: .userInitiated)
        poller = try Poller()
        source = DispatchSource.makeReadSource(fileDescriptor: poller.descriptor, queue: queue)
        source.setEventHandler { [weak self] in self?.drain() }
        // The set is closed when Dispatch has let go of it, not before: the number of its descriptor is soon another's.
        source.setCancelHandler { [poller] in withExtendedLifetime(poller) {} }
        source.activate()
    }

    deinit {
        source.cancel()
    }

    /// Does work on the loop, from wherever it is called.
    package func execute(_ work: @escaping @Sendable (EventLoop) -> Void) {
        awaited.wrappingAdd(1, ordering: .relaxed)
        queue.async {
            self.awaited.wrappingSubtract(1, ordering: .relaxed)
            self.readClocks()
            work(self)
            self.endWake()
        }
    }

    private func readClocks() {
        monotonicTime = Clock.monotonic()
        wallTime = Clock.wall()
    }

    private func drain() {
        isDraining = true
        drainingThread.store(Self.thisThread, ordering: .relaxed)
        defer {
            isDraining = false
            drainingThread.store(0, ordering: .relaxed)
        }
        var empty = 0
        for _ in 0..<Self.batchesPerWake {
            let count = poller.poll()
            if count > 0 || hasWaiting { readClocks() }
            eventCount &+= count
            for index in 0..<count {
                guard let event = poller.event(index), let channel = channels[event.token] else { continue }
                // A channel that has had a turn and waits for the next is called then.
                if channel.waitsForTurn { channel.note(event) } else { channel.ready(event) }
            }
            fireTimers()
            let resumed = goOn()
            let wasWoken = wakeAll()
            endWake()
            if count == 0, !resumed, !wasWoken {
                empty += 1
                if empty == 2 { return }
            } else {
                empty = 0
            }
            if awaited.load(ordering: .relaxed) > 0 { break }
        }
        if hasWaiting { execute { $0.drain() } }
    }

    /// Whether channels wait for a turn, or for more that has come for them.
    private var hasWaiting: Bool { !backlog.isEmpty || !ahead.isEmpty || !woken.isEmpty }

    private func fireTimers() {
        while let entry = timers.popDue(at: now) {
            channels[entry.token]?.due(now: now)
        }
        armTimer()
    }

    /// Lets channels go on after their turn, one behind the other, for a moment: new events go before them, so that a request
    /// waits for none of those that keep the loop busy.
    private func goOn() -> Bool {
        guard !backlog.isEmpty || !ahead.isEmpty else { return false }
        let first = ahead
        ahead.removeAll(keepingCapacity: true)
        for token in first { channels[token]?.takeTurn() }
        let end = Clock.monotonic() + Self.backlogSlice
        while let token = backlog.next() {
            channels[token]?.takeTurn()
            if Clock.monotonic() >= end { break }
        }
        return true
    }

    private func wakeAll() -> Bool {
        guard !woken.isEmpty else { return false }
        let channels = woken
        woken.removeAll(keepingCapacity: true)
        for channel in channels { wake(channel.token, stream: channel.stream) }
        return true
    }

    private static var thisThread: UInt {
        #if canImport(Glibc)
            UInt(pthread_self())
        #else
            UInt(bitPattern: pthread_self())
        #endif
    }

    /// Whether this very call comes out of the loop's handling of events, which goes on behind it.
    package var isHandlingEvents: Bool { drainingThread.load(ordering: .relaxed) == Self.thisThread }

    private func endWake() {
        if eventCount >= RestTimer.burst, restTimer == nil, ProcessMemory.isReturned {
            restTimer = RestTimer.start(self)
        }
        armTimer()
        guard !wakeEnders.isEmpty else { return }
        // In no particular order. A request by one of them is for the next wake.
        swap(&wakeEnders, &endingWake)
        while let resident = endingWake.popLast() { resident.endWake() }
    }
}

// On the loop only.
extension EventLoop {
    package func register(_ channel: Channel) throws(SystemError) {
        let token = channels.insert(channel)
        do {
            try poller.add(channel.descriptor, token: token)
        } catch {
            channels.remove(token)
            throw error
        }
    }

    /// Registers a channel that has deadlines only.
    package func registerTimer(_ channel: Channel) {
        _ = channels.insert(channel)
    }

    package func unregisterTimer(_ channel: Channel) {
        channels.remove(channel.token)
    }

    /// Forgets a channel and closes its descriptor.
    package func close(_ channel: Channel) {
        channels.remove(channel.token)
        _ = systemClose(channel.descriptor)
    }

    /// Calls the channel's `due` at a time of the monotonic clock.
    package func schedule(_ channel: Channel, at deadline: UInt64) {
        if timers.count > 4 * channels.count + 1024 { timers.removeAll { channels[$0.token] == nil } }
        timers.insert(.init(deadline: deadline, token: channel.token))
    }

    private func armTimer() {
        guard let next = timers.next, armed == 0 || next < armed || armed <= now else { return }
        armed = next
        poller.wake(at: next)
    }

    /// Calls the channel's `resumed` behind the events at hand and the other channels that have had their turn; until then it hears of no event.
    ///
    /// - Parameter goesAhead: whether it goes before those others; for turns that are short, and that new clients wait for.
    package func resume(_ channel: Channel, goesAhead: Bool = false) {
        guard !channel.waitsForTurn else { return }
        channel.waitsForTurn = true
        // Outside a drain there is nobody to come back to it.
        if backlog.isEmpty, ahead.isEmpty, !isDraining { queue.async { self.drain() } }
        if goesAhead { ahead.append(channel.token) } else { backlog.add(channel.token) }
    }

    /// Notifies a channel that more has come, from wherever it is called: once the events at hand are done, if that is the loop
    /// itself, so that data that comes together goes out together.
    package func notify(_ token: UInt64, stream: UInt32) {
        if isHandlingEvents {
            woken.append((token, stream))
        } else {
            execute { $0.wake(token, stream: stream) }
        }
    }

    /// Notifies a channel that more has come; a channel that is gone hears nothing.
    package func wake(_ token: UInt64, stream: UInt32) {
        channels[token]?.moreHasCome(stream: stream)
    }

    /// The resident that an owner keeps on this loop; nil if there is none.
    package func resident(of owner: AnyObject) -> LoopResident? { residents[ObjectIdentifier(owner)] }

    /// Keeps something for an owner, or lets go of it.
    package func keep(_ resident: LoopResident?, of owner: AnyObject) {
        residents[ObjectIdentifier(owner)] = resident
    }

    /// Calls a resident's `endWake` once the events at hand are done.
    package func callAtEndOfWake(_ resident: LoopResident) {
        wakeEnders.append(resident)
    }

    /// A text that changes once a second, such as a date; it is made again when the second changes.
    ///
    /// - Parameter make: called with the second since 1970; always with the same function.
    package func text(ofSecond make: (Int) -> [UInt8]) -> [UInt8] {
        let second = wallNow / 1_000_000_000
        if second != textOfSecond.second { textOfSecond = (second, make(Int(second))) }
        return textOfSecond.text
    }
}

/// Gives memory back to the system after a burst of events: once there are few, and now and then if they do not cease.
private final class RestTimer: Channel {
    /// Events that are a burst. 1,000.
    static let burst = 1_000
    /// Events in a pause that leave the loop at rest. 50.
    private static let rest = 50
    /// How long a loop has to be at rest. 1 s.
    private static let pause: UInt64 = 1_000_000_000
    /// After how many pauses without rest memory is given back all the same. 5.
    private static let patience = 5

    private var seen: Int
    private var pauses = 0

    private init(_ loop: EventLoop) {
        seen = loop.eventCount
        super.init(descriptor: -1, loop: loop)
    }

    static func start(_ loop: EventLoop) -> RestTimer {
        let timer = RestTimer(loop)
        loop.registerTimer(timer)
        loop.schedule(timer, at: loop.now + pause)
        return timer
    }

    override func due(now: UInt64) {
        let count = loop.eventCount &- seen
        seen = loop.eventCount
        pauses += 1
        let rests = count <= Self.rest
        if rests || pauses >= Self.patience {
            pauses = 0
            ProcessMemory.giveBack()
        }
        guard rests else { return loop.schedule(self, at: now + Self.pause) }
        loop.unregisterTimer(self)
        loop.restTimer = nil
        loop.eventCount = 0
    }
}

private func systemClose(_ descriptor: Int32) -> Int32 {
    close(descriptor)
}
