import House
import Posix

/// The reason why the auctioneer's token cannot be read from a file; the text says what to do.
public struct TokenFileError: Error, Equatable, CustomStringConvertible {
    /// The file.
    public let path: String
    /// What is wrong with it.
    public let reason: Reason

    package init(path: String, reason: Reason) {
        self.path = path
        self.reason = reason
    }

    /// What can be wrong with a token's file.
    public enum Reason: Equatable, Sendable {
        /// It cannot be read, or others may read or write it.
        case file(PrivateFileError)
        /// It holds nothing but white space.
        case empty
        /// Its content is not one word of visible ASCII with one of `AuctioneerToken.lengths`.
        case noToken
    }

    /// Whether there is no such file.
    var isAboutMissingFile: Bool {
        if case .file(.system(let error)) = reason { error.isAboutMissingFile } else { false }
    }

    /// One line: what is wrong, and what to do.
    public var description: String {
        let make = "(umask 077; od -An -N16 -tx1 /dev/urandom | tr -d ' \\n' > \(path))"
        return switch reason {
        case .file(.system(let error)) where error.isAboutMissingFile:
            "there is no token file \(path); make one: \(make)"
        case .file(.system(let error)): "cannot read the token file \(path): \(error.reason)"
        case .file(.notRegular): "\(path) is no regular file; make a token file: \(make)"
        case .file(.openToOthers):
            "others than its owner may read or write the token file \(path); "
                + "run: chmod 600 \(path)"
        case .empty: "the token file \(path) is empty; make one: \(make)"
        case .noToken:
            "the token file \(path) does not hold one word of "
                + "\(AuctioneerToken.lengths.lowerBound) to \(AuctioneerToken.lengths.upperBound) "
                + "visible ASCII characters; make one: \(make)"
        }
    }
}

extension AuctioneerToken {
    /// At most this many bytes are read; a file of this size or more is refused.
    private static let byteLimit = 1024

    /// Reads the token from a file; white space around it is ignored.
    ///
    /// - Throws: `TokenFileError` if the file holds no token, or others may read or write it.
    public init(file path: String) throws(TokenFileError) {
        let word = try Self.word(inFile: path)
        guard let token = Self(word) else { throw TokenFileError(path: path, reason: .noToken) }
        self = token
    }

    /// Reads the word of a token from a file.
    ///
    /// - Throws: `TokenFileError` as for the token.
    static func word(inFile path: String) throws(TokenFileError) -> String {
        let bytes: [UInt8]
        do throws(PrivateFileError) {
            bytes = try readPrivateFile(path, atMost: Self.byteLimit)
        } catch {
            throw TokenFileError(path: path, reason: .file(error))
        }
        let isWhite: (UInt8) -> Bool = { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
        let word = bytes.drop(while: isWhite).reversed().drop(while: isWhite).reversed()
        guard !word.isEmpty else { throw TokenFileError(path: path, reason: .empty) }
        let text = String(decoding: word, as: UTF8.self)
        guard bytes.count < Self.byteLimit, Self(text) != nil else {
            throw TokenFileError(path: path, reason: .noToken)
        }
        return text
    }
}
