extension Dialect {
    /// The rules of the auction as a script in Redis, which keeps what it does in a file.
    ///
    /// The answer is 1 for an accepted bid and 0 for a refused one. Amounts are padded with zeros,
    /// as all payloads have one length.
    ///
    /// Source: `SCRIPT LOAD` and `EVALSHA` of Redis.
    public static let redisScript = Dialect(
        "redis-script",
        observer: redisObserver,
        bidder: Entrance(
            words: "DEL price leader count\r\nSCRIPT LOAD \"\(script)\"\r\n",
            reply: "$40\r\n\(scriptSum)\r\n"),
        writer: BidWriter(
            before: "*8\r\n$7\r\nEVALSHA\r\n$40\r\n\(scriptSum)\r\n$1\r\n3\r\n$5\r\nprice\r\n"
                + "$6\r\nleader\r\n$5\r\ncount\r\n$10\r\n",
            after: "\r\n$5\r\nbench\r\n", digits: 10),
        answers: LineAnswers([":1": .ok, ":0": .tooLow, "-": .otherError]),
        deliveries: .frames(redisMessages))

    /// One line, in which a `\n` stands for itself until Redis reads it.
    private static let script =
        "if tonumber(ARGV[1]) <= tonumber(redis.call('GET', KEYS[1]) or 0) then return 0 end "
        + "redis.call('SET', KEYS[1], ARGV[1]) redis.call('SET', KEYS[2], ARGV[2]) "
        + "local count = redis.call('INCR', KEYS[3]) "
        + "redis.call('PUBLISH', 'c', "
        + "string.format('PRICE %s %s %09d', ARGV[1], ARGV[2], count) .. '\\\\n') return 1"

    /// What `SCRIPT LOAD` answers, the SHA-1 sum of the script.
    private static let scriptSum = "e5527712b0450849518b1ff76109a617acaef6a3"
}
