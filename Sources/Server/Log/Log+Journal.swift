import Auction
import House
import Journal

extension Log {
    /// Writes what a crash had left unfinished, and the start took away.
    func write(_ cut: Recovery.Cut, in folder: String) {
        write(.warning, "cut") { line in
            line.add("bytes", cut.bytes)
            line.add("file", "\(folder)/\(cut.file)")
            if cut.isWholeFile { line.add("reason", "no whole line, begins anew") }
        }
    }

    /// Writes what a journal held.
    func write(_ recovered: ServerReplay, from folder: String, nanoseconds: Int64) {
        write(.info, "recovered") { line in
            line.add("folder", folder)
            line.add("summary", recovered.main.summary)
            if recovered.roomCount > 0 { line.add("rooms", 1 + recovered.roomCount) }
            line.add("milliseconds", Int((nanoseconds + 999_999) / 1_000_000))
        }
    }

    /// Writes what the journal's thread did about old segments.
    func write(_ upkeep: Upkeep) {
        switch upkeep {
        case .removed(let file, let bytes):
            write(.info, "segment-removed") { line in
                line.add("file", file)
                line.add("bytes", bytes)
            }
        case .failed(let file, let error):
            write(.warning, "segment-not-removed") { line in
                line.add("file", file)
                line.add("reason", error.description)
            }
        case .nearlyFull(let bytes, let limit):
            write(.warning, "journal-nearly-full") { line in
                line.add("bytes", bytes)
                line.add("limit", limit)
            }
        case .diskNearlyFull(let free, let limit):
            write(.warning, "disk-nearly-full") { line in
                line.add("free", free)
                line.add("limit", limit)
            }
        }
    }
}
