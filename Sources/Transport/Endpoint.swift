import Posix

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The addresses of a host and port, in the order in which they should be tried.
///
/// Source: getaddrinfo(3).
struct Endpoint: ~Copyable {
    private let first: UnsafeMutablePointer<addrinfo>

    init(host: String, port: UInt16, isPassive: Bool) throws(EndpointError) {
        var hints = addrinfo()
        hints.ai_family = AF_UNSPEC
        hints.ai_socktype = streamSocket
        hints.ai_flags = AI_NUMERICSERV | (isPassive ? AI_PASSIVE : 0)
        var list: UnsafeMutablePointer<addrinfo>?
        let bare =
            host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
        let result = getaddrinfo(bare, String(port), &hints, &list)
        guard result == 0, let list else {
            let reason = String(cString: gai_strerror(result))
            throw EndpointError.unresolved(host: host, reason: reason)
        }
        first = list
    }

    deinit {
        freeaddrinfo(first)
    }

    /// The first socket that `open` makes; the error of the last one when it makes none.
    func openFirst<Socket>(
        _ open: (addrinfo) throws(SystemError) -> Socket
    ) throws(EndpointError) -> Socket {
        var next: UnsafeMutablePointer<addrinfo>? = first
        var failure = SystemError(code: EADDRNOTAVAIL, call: "getaddrinfo")
        while let current = next {
            do {
                return try open(current.pointee)
            } catch {
                failure = error
            }
            next = current.pointee.ai_next
        }
        throw EndpointError.failed(failure)
    }
}

/// The local address of a socket as `127.0.0.1:7777` or `[::1]:7777`.
///
/// Source: getsockname(2), getnameinfo(3).
func localAddress(of socket: Int32) throws(SystemError) -> String {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    var host = [CChar](repeating: 0, count: Int(NI_MAXHOST))
    var port = [CChar](repeating: 0, count: Int(NI_MAXSERV))
    let result = withUnsafeMutableBytes(of: &storage) { bytes -> Int32 in
        let address = bytes.assumingMemoryBound(to: sockaddr.self).baseAddress
        guard let address, getsockname(socket, address, &length) == 0 else { return -1 }
        return getnameinfo(
            address, length, &host, socklen_t(host.count), &port, socklen_t(port.count),
            NI_NUMERICHOST | NI_NUMERICSERV)
    }
    guard result == 0 else { throw SystemError(code: errno, call: "getsockname") }
    let isVersion6 = Int32(storage.ss_family) == AF_INET6
    let name = text(host)
    return (isVersion6 ? "[\(name)]" : name) + ":" + text(port)
}

private func text(_ characters: [CChar]) -> String {
    String(decoding: characters.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
}

/// Why an address cannot be listened on or connected to.
public enum EndpointError: Error, Equatable, CustomStringConvertible {
    /// The host has no address; the reason is the resolver's.
    case unresolved(host: String, reason: String)
    /// A system call failed at the last address that was tried.
    case failed(SystemError)

    /// A sentence for a person.
    public var description: String {
        switch self {
        case .unresolved(let host, let reason): "cannot resolve host '\(host)': \(reason)"
        case .failed(let error): error.description
        }
    }

    /// The reason alone, for where there is little room.
    public var reason: String {
        switch self {
        case .unresolved(_, let reason): reason
        case .failed(let error): error.reason
        }
    }
}

/// The IPv4 addresses of this machine by which others may reach it, such as `192.168.1.5`.
///
/// Without loopback and link-local addresses; empty if the kernel does not report them.
///
/// Source: getifaddrs(3).
public func reachableAddresses() -> [String] {
    var list: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&list) == 0 else { return [] }
    defer { freeifaddrs(list) }
    var found: [String] = []
    var next = list
    while let entry = next?.pointee {
        next = entry.ifa_next
        guard let address = entry.ifa_addr, Int32(address.pointee.sa_family) == AF_INET else {
            continue
        }
        let host = numericHost(of: address, MemoryLayout<sockaddr_in>.size)
        if let host, !host.hasPrefix("127."), !host.hasPrefix("169.254.") { found.append(host) }
    }
    return found
}

private func numericHost(of address: UnsafePointer<sockaddr>, _ length: Int) -> String? {
    var host = [CChar](repeating: 0, count: Int(NI_MAXHOST))
    let result = getnameinfo(
        address, socklen_t(length), &host, socklen_t(host.count), nil, 0, NI_NUMERICHOST)
    return result == 0 ? text(host) : nil
}
