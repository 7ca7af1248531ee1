/// Stores a value on the heap, so that the structure that has it stays small.
///
/// A structure is copied when a method of another module is called on it, so what is large and
/// seldom read or set should not be inside. To set it allocates.
///
/// Public, because what is not is not specialized in other modules.
@propertyWrapper
public struct Indirect<Value> {
    @usableFromInline let storage: Storage

    /// The memory that copies share, because its value never changes.
    @usableFromInline
    final class Storage {
        @usableFromInline let value: Value

        @usableFromInline
        init(_ value: Value) {
            self.value = value
        }
    }

    /// Stores a value.
    @inlinable
    public init(wrappedValue: Value) {
        storage = Storage(wrappedValue)
    }

    /// The value.
    @inlinable
    public var wrappedValue: Value {
        get { storage.value }
        set { self = Indirect(wrappedValue: newValue) }
    }
}

extension Indirect: Sendable where Value: Sendable {}

extension Indirect.Storage: Sendable where Value: Sendable {}
