import Saleroom
import Testing

@Suite struct RoomNamesTests {
    @Test("a name is answered with its token, and everybody hears who joined")
    func join() {
        var visitors = Visitors()
        visitors.join("eve")
        visitors.join("al")
        _ = visitors.hear("al")
        _ = visitors.hear("eve")
        #expect(
            visitors.say("al", "#1 name Alice") == ["OK #1 name Alice \(token(1))", "JOINED Alice"])
        #expect(visitors.hear("eve") == ["JOINED Alice"])
    }

    @Test("a bid needs a name")
    func notNamed() {
        var visitors = Visitors()
        visitors.join("al")
        _ = visitors.hear("al")
        #expect(visitors.say("al", "5") == ["ERROR not-named say first who you are: name <you>"])
    }

    @Test("the same name again is granted, another is refused")
    func alreadyNamed() {
        var visitors = Visitors()
        visitors.joinNamed("al")
        #expect(visitors.say("al", "name AL") == ["OK name al \(token(1))"])
        #expect(
            visitors.say("al", "name bo")
                == ["ERROR already-named you are al here, connect again for another name"])
    }

    @Test("a name that somebody has is taken, whatever its case, and opens to its token alone")
    func taken() {
        var visitors = Visitors()
        visitors.joinNamed("al")
        visitors.join("bo")
        _ = visitors.hear("bo")
        #expect(
            visitors.say("bo", "name AL")
                == [
                    "ERROR name-taken choose another name, or prove it is yours: name <you> <token>"
                ])
        for wrong in [token(2), "x", token(1) + "0", String(token(1).dropLast())] {
            #expect(
                visitors.say("bo", "name al \(wrong)")
                    == ["ERROR wrong-token this token does not open the name, choose another name"])
        }
    }

    @Test("the token takes a name over, and the former connection is replaced")
    func replaced() {
        var visitors = Visitors()
        visitors.joinNamed("al")
        visitors.join("al2")
        visitors.join("eve")
        _ = visitors.hear("al2")
        _ = visitors.hear("eve")
        #expect(visitors.say("al2", "name al \(token(1))") == ["OK name al \(token(1))"])
        #expect(visitors.hear("al").last == "BYE replaced")
        #expect(visitors.closed == ["al"])
        #expect(visitors.hear("eve") == [])
        #expect(visitors.say("al2", "who") == ["WHO al", "OK who 1"])
        #expect(visitors.say("al2", "5").first == "OK bid 5")
    }

    @Test("without an accepted bid a name is free again when its connection ends")
    func freed() {
        var visitors = Visitors()
        visitors.joinNamed("al")
        visitors.join("eve")
        visitors.vanish("al")
        #expect(visitors.hear("eve").last == "LEFT al")
        #expect(visitors.say("eve", "name al").first == "OK name al \(token(2))")
    }

    @Test("with an accepted bid a name stays owned, and its token brings it back")
    func kept() {
        var visitors = Visitors()
        visitors.joinNamed("al")
        visitors.say("al", "5")
        visitors.vanish("al")
        visitors.join("eve")
        _ = visitors.hear("eve")
        #expect(visitors.say("eve", "name al").first?.hasPrefix("ERROR name-taken") == true)
        #expect(
            visitors.say("eve", "name AL \(token(1))") == ["OK name al \(token(1))", "JOINED al"])
        #expect(visitors.say("eve", "5") == ["OK bid 5"])
    }

    @Test("for a name that nobody owns a token counts as none")
    func tokenOfNobody() {
        var visitors = Visitors()
        visitors.join("al")
        _ = visitors.hear("al")
        #expect(visitors.say("al", "name al feed").first == "OK name al \(token(1))")
    }

    @Test("who lists those connected under a name, in the order of their coming")
    func who() {
        var visitors = Visitors()
        for visitor in ["zoe", "al", "bo"] { visitors.joinNamed(visitor) }
        visitors.join("eve")
        visitors.say("al", "5")
        visitors.vanish("al")
        _ = visitors.hear("eve")
        #expect(visitors.say("eve", "#9 who") == ["WHO zoe", "WHO bo", "OK #9 who 2"])
    }
}
