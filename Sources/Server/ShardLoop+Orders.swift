import Addresses
import Posix
import Transport
import Wire

extension ShardLoop {
    /// With so many bytes that the saleroom has not taken, no more is read.
    private static let mostUntaken = 1 << 20

    /// Carries out the orders since the last time.
    func takeOrders() {
        let (untaken, wasBehind) = mailbox.take(&orders)
        if wasBehind { wakeSaleroom() }
        isAhead = untaken > Self.mostUntaken
        var text = orders.text[...]
        for order in orders.list { obey(order, &text) }
    }

    private func obey(_ order: Orders.Order, _ text: inout ArraySlice<UInt8>) {
        switch order {
        case .adopt(let descriptor, let address): adopt(descriptor, from: address)
        case .append(let count, let format):
            shard.append(text.prefix(count), as: format)
            text = text.dropFirst(count)
        case .perform(let effect):
            shard.perform(effect)
            if case .close(let id, _) = effect, shard.connections.isOpen(id.handle) {
                arrivals.append(.finishing(id.handle))
            }
        case .silence(let handle): silences.append((handle, true))
        case .unsilence(let handle): silences.append((handle, false))
        case .closeOneFinishing: _ = shard.connections.closeOneFinishing()
        case .drain: isDrainAsked = true
        }
    }

    private func adopt(_ descriptor: Int32, from address: PeerAddress) {
        do throws(SystemError) {
            arrivals.append(.joined(try shard.connections.adopt(descriptor), address))
        } catch {
            arrivals.append(.refused(error))
        }
    }
}
