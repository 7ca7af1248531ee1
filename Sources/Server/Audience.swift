import Saleroom
import Wire

/// Some of those who are connected, as the saleroom speaks to them.
package protocol Audience: AnyObject {
    /// Whether anybody would hear news in a format.
    func hears(_ format: Format) -> Bool
    /// Tells everybody who hears a format one or more lines of news.
    func append(_ lines: ArraySlice<UInt8>, as format: Format)
    /// Does what concerns one connection.
    func perform(_ effect: Effect)
}
