// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiTestSupport
import NetworkingKit
import Testing

@Suite(.supervised) @MainActor struct NextPageLoadableTests {
    /// Loads when the test says so.
    @MainActor final class Numbers: @MainActor NextPageLoadable {
        var data: [Int] = []
        var nextPageState = NextPageState<Int>()
        private(set) var loads: [(lastId: Int?, succeed: ([Int], Bool, Int?) -> Void, fail: () -> Void)] = []

        func performLoad(
            successHandler: @escaping ([Int], Bool, Int?) -> Void, failHandler: @escaping () -> Void
        ) {
            loads.append((nextPageState.lastId, successHandler, failHandler))
        }
    }

    @MainActor final class Table: @MainActor ReloadableType {
        private(set) var reloads = 0

        func reloadData() { reloads += 1 }
    }

    private let numbers = Numbers()
    private let table = Table()

    @Test func pagesComeOneBehindTheOther() {
        #expect(numbers.nextPageState.hasNext)
        numbers.loadNext(view: table)
        #expect(numbers.nextPageState.isLoading)
        numbers.loads[0].succeed([1, 2], true, 2)
        #expect(numbers.data == [1, 2])
        #expect(!numbers.nextPageState.isLoading)
        numbers.loadNext(view: table)
        numbers.loads[1].succeed([3], false, 3)
        #expect(numbers.data == [1, 2, 3])
        #expect(table.reloads == 2)
        #expect(numbers.loads.map(\.lastId) == [nil, 2])
        #expect(numbers.nextPageState.lastId == 3)

        numbers.loadNext(view: table)
        #expect(numbers.loads.count == 2)
        #expect(!numbers.nextPageState.hasNext)
    }

    @Test func aPageThatIsBeingLoadedIsLoadedOnce() {
        numbers.loadNext(view: table)
        numbers.loadNext(view: table)
        #expect(numbers.loads.count == 1)
    }

    @Test func aFailureEndsTheLoadAndTheNextCallTriesAgain() {
        numbers.loadNext(view: table)
        numbers.loads[0].succeed([1], true, 1)
        numbers.loadNext(view: table)
        numbers.loads[1].fail()
        #expect(!numbers.nextPageState.isLoading)
        #expect(numbers.nextPageState.hasNext)
        #expect(numbers.data == [1])
        #expect(table.reloads == 1)
        numbers.loadNext(view: table)
        #expect(numbers.loads.map(\.lastId) == [nil, 1, 1])
    }

    @Test func onlyTheFirstCallOfAHandlerCounts() {
        numbers.loadNext(view: table)
        numbers.loads[0].succeed([1], true, 1)
        numbers.loads[0].succeed([1], true, 1)
        numbers.loadNext(view: table)
        numbers.loads[0].fail()
        #expect(numbers.data == [1])
        #expect(table.reloads == 1)
        #expect(numbers.nextPageState.isLoading)
    }

    @Test func whatComesAfterAResetForALoadFromBeforeItIsLeftOut() {
        numbers.loadNext(view: table)
        numbers.nextPageState.reset()
        #expect(!numbers.nextPageState.isLoading)
        numbers.loadNext(view: table)
        numbers.loads[0].succeed([8, 9], false, 9)
        #expect(numbers.data.isEmpty)
        #expect(numbers.nextPageState.isLoading)
        numbers.loads[1].succeed([1], true, 1)
        #expect(numbers.data == [1])
        #expect(numbers.nextPageState.hasNext)
    }

    @Test func aLoadDoesNotKeepItsListAlive() {
        var list: Numbers? = Numbers()
        weak let weakList = list
        list?.loadNext(view: table)
        let loads = list?.loads
        list = nil
        #expect(weakList == nil)
        loads?.first?.succeed([1], true, 1)
        #expect(table.reloads == 0)
    }
    @Test func `a list's own way to load is called in generic code`() {
        final class Own: NextPageLoadable {
            var data: [Int] = []
            var nextPageState = NextPageState<Int>()
            var calls: [String] = []

            func performLoad(
                successHandler: @escaping (_ rows: [Int], _ hasNext: Bool, _ lastId: Int?) -> Void,
                failHandler: @escaping () -> Void
            ) {
                calls.append("performLoad")
            }

            func loadNext(view: any ReloadableType) { calls.append("loadNext") }
            func refresh(view: any ReloadableType) { calls.append("refresh") }
        }
        func show(_ list: some NextPageLoadable) {
            list.loadNext(view: table)
            list.refresh(view: table)
        }
        let own = Own()
        show(own)
        #expect(own.calls == ["loadNext", "refresh"])
    }
}
