/// Tells several observers.
package struct Observers: RequestObserver {
    private let observers: [any RequestObserver]

    package init(_ observers: [any RequestObserver]) { self.observers = observers }

    package func note(_ request: ObservedRequest) {
        for observer in observers { observer.note(request) }
    }
}
