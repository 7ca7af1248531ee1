import Auction
import Basics
import Web
import Wire

// Requests of HTTP, and how a client switches to WebSocket.
extension ClientCodec {
    /// Answers HTTP requests until one switches to WebSocket; returns how many bytes were used.
    mutating func receiveHTTP(
        _ bytes: Span<UInt8>, _ options: borrowing Options, from address: PeerAddress,
        hasRoom: (RoomName) -> Bool, while isWanted: () -> Bool, _ body: (Input) -> Void
    ) -> Int {
        var used = 0
        while case .http(var codec) = self, used < bytes.count, isWanted() {
            self = .ended
            let bytesBefore = codec.headBytes
            let (count, result) = codec.receive(bytes.extracting(droppingFirst: used))
            used += count
            self = .http(codec)
            // A long head costs as much as the lines that would fill it.
            let lines = (bytesBefore + count) / options.lineBytes - bytesBefore / options.lineBytes
            for _ in 0..<lines { body(.line(.filler)) }
            switch result {
            case nil: break
            case .success(let request)?:
                answer(request, options, from: address, hasRoom: hasRoom, body)
            case .failure(let error)?:
                self = .ended
                let response = error.response.bytes(isHead: codec.isOfHead, keepsAlive: false)
                body(.http(response: response, isLast: true))
            }
        }
        return used
    }

    private mutating func answer(
        _ request: HTTPRequest, _ options: borrowing Options, from address: PeerAddress,
        hasRoom: (RoomName) -> Bool, _ body: (Input) -> Void
    ) {
        switch Site.reply(to: request) {
        case .response(let response): respond(response, to: request, body)
        case .page(let room):
            guard let room = Self.roomName(room) else {
                return respond(Site.notFound, to: request, body)
            }
            let page = Site.page(for: request, hasRoom: hasRoom(room))
            respond(page, to: request, opensPage: true, body)
        case .address:
            // Other machines have an address already, and need not know more of the network.
            let response =
                address.isOfThisMachine ? Site.address(options.reach) : Site.notFound
            respond(response, to: request, body)
        case .metrics:
            if !request.keepsAlive { self = .ended }
            let isHead = request.method == .head
            body(.metrics(MetricsRequest(isHead: isHead, keepsAlive: request.keepsAlive)))
        case .upgrade(let room):
            let needsNumericHost = address.isOfThisMachine && address != .local
            let result = WebSocketHandshake.response(
                to: request, allowing: options.origins, needsNumericHost: needsNumericHost)
            switch result {
            case .success(let response):
                guard let room = Self.roomName(room), hasRoom(room) else {
                    return respond(Site.noRoom, to: request, body)
                }
                self = .webSocket(WebSocketCodec(limit: options.lineBytes))
                body(.upgrade(response: response, room: room))
            case .failure(let refusal): respond(refusal.response, to: request, body)
            }
        }
    }

    /// The room of a path, which is main if it names none; nil if no room can have this name.
    private static func roomName(_ text: String?) -> RoomName? {
        guard let text else { return .main }
        return RoomName(text)
    }

    private mutating func respond(
        _ response: HTTPResponse, to request: HTTPRequest, opensPage: Bool = false,
        _ body: (Input) -> Void
    ) {
        if !request.keepsAlive { self = .ended }
        let bytes = response.bytes(
            isHead: request.method == .head, keepsAlive: request.keepsAlive)
        body(.http(response: bytes, opensPage: opensPage, isLast: !request.keepsAlive))
    }
}
