/// Amusing names for lots that have no title.
package enum LotNames {
    private static let all = [
        "The Duke's Umbrella", "A Very Old Cheese", "Half a Map", "The Singing Clock",
        "A Suspicious Teapot", "Left Boot of a Giant", "The Last Biscuit", "A Polite Dragon",
        "Grandmother's Secret", "The Invisible Painting", "A Jar of Monday", "Slightly Used Crown",
        "The Wrong Trousers", "A Box of Echoes", "The Mayor's Moustache", "Moon Dust, Probably",
        "A Cursed Spoon", "The Second-Best Bed", "Lighthouse, No Keeper", "A Piano Without C",
        "The Quiet Trombone", "Captain's Other Parrot", "A Map of Nowhere",
        "Three Wishes, Two Used",
        "The Yawning Lion", "A Bottled Storm", "Somebody's Diary", "The Golden Stapler",
        "A Chair with Opinions", "The Reluctant Robot", "Seven League Socks", "A Haunted Toaster",
        "The Pirate's Tax Return", "An Honest Mirror", "Cactus, Hugged Daily", "The Velvet Potato",
        "A Key to Some Door", "The Loudest Pillow", "An Emergency Moose", "Unfinished Symphony",
    ]

    /// The name that a seed draws for the lot of this number; all differ among 40 in a row.
    package static func name(ofLot number: Int, seed: Seed) -> String {
        // No lot has the number 0, so this draw tells nothing of a value.
        var hash = KeyedHash(key: seed)
        hash.combine(UInt64(0))
        let draw = Int(hash.finish() % UInt64(steps.count * all.count))
        let (step, first) = (steps[draw / all.count], draw % all.count)
        return all[(first + number * step) % all.count]
    }

    /// The numbers by which one can step through all names without a repetition.
    private static let steps = [1, 3, 7, 9, 11, 13, 17, 19, 21, 23, 27, 29, 31, 33, 37, 39]
}
