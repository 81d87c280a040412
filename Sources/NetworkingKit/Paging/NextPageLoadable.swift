// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// What loads a list page by page, such as a view controller or the model of a view.
///
/// It has no isolation of its own: a type of the main actor conforms there, and its handlers are called there.
///
///     extension FoodList: @MainActor NextPageLoadable
public protocol NextPageLoadable: AnyObject {
    associatedtype DataType
    associatedtype LastIdType

    /// What is loaded so far.
    var data: [DataType] { get set }
    var nextPageState: NextPageState<LastIdType> { get set }

    /// Loads the page behind `nextPageState.lastId` and calls one of the handlers; a second call does nothing.
    func performLoad(
        successHandler: @escaping (_ rows: [DataType], _ hasNext: Bool, _ lastId: LastIdType?) -> Void,
        failHandler: @escaping () -> Void
    )

    /// Loads the next page, then tells the view.
    func loadNext(view: any ReloadableType)

    /// Loads the first page anew, then puts it in the place of what is loaded and tells the view.
    func refresh(view: any ReloadableType)
}

extension NextPageLoadable {
    /// Loads the next page where there is one and none is being loaded, then tells the view.
    ///
    /// A failure ends the load, so that the next call tries again. What comes after `nextPageState.reset()` for a load from before it is left
    /// out.
    public func loadNext(view: any ReloadableType) {
        guard let ticket = nextPageState.begin() else { return }
        performLoad { [weak self] rows, hasNext, lastId in
            guard let self, nextPageState.end(ticket) else { return }
            data += rows
            nextPageState.update(hasNext: hasNext, isLoading: false, lastId: lastId)
            view.reloadData()
        } failHandler: { [weak self] in
            _ = self?.nextPageState.end(ticket)
        }
    }

    /// What is loaded stays until the first page is there; a load that is under way is left out.
    public func refresh(view: any ReloadableType) {
        nextPageState.reset()
        guard let ticket = nextPageState.begin() else { return }
        performLoad { [weak self] rows, hasNext, lastId in
            guard let self, nextPageState.end(ticket) else { return }
            data = rows
            nextPageState.update(hasNext: hasNext, isLoading: false, lastId: lastId)
            view.reloadData()
        } failHandler: { [weak self] in
            _ = self?.nextPageState.end(ticket)
        }
    }
}

/// What shows a list and can be told that it has changed, such as a table.
///
/// A type of the main actor conforms there: `extension Table: @MainActor ReloadableType`.
public protocol ReloadableType {
    func reloadData()
}
