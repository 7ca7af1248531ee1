import Testing
import Wire

@Suite struct JSONObjectTests {
    @Test func anObjectIsWrittenAsItIsRead() {
        var object: JSONObject = [
            "a\"": .text("é\n"), "b": .number(-1), "c": .decimal("1.50"), "d": .boolean(true),
            "e": .numbers([1, 2]), "f": .texts(["x", "\\"]), "g": .null,
        ]
        object.append("h", .object(#"{"i":[{}]}"#))
        object.append("j", .objects([#"{"k":"]}"}"#, "{}"]))
        let text =
            #"{"a\"":"é\u000a","b":-1,"c":1.50,"d":true,"e":[1,2],"f":["x","\\"],"g":null,"#
            + #""h":{"i":[{}]},"j":[{"k":"]}"},{}]}"#
        #expect(object.text == text)
        let read = JSONObject(text)
        #expect(read?.members.map(\.name) == object.members.map(\.name))
        #expect(read?.members.map(\.value) == object.members.map(\.value))
        #expect(JSONObject().text == "{}")
    }

    @Test(
        "an array of objects has nothing else",
        arguments: [
            #"{"a":[{},1]}"#, #"{"a":[1,{}]}"#, #"{"a":[{},]}"#, #"{"a":[{}}"#, #"{"a":[{]"#,
            #"{"a":[{}"#, #"{"a":[[]]}"#,
        ])
    func malformedArrays(line: String) {
        #expect(JSONObject(line)?.text == nil)
    }

    @Test func anArrayOfObjectsMayHaveBlanks() {
        #expect(JSONObject(#"{"a":[ { } , {} ]}"#)?["a"] == .objects(["{ }", "{}"]))
    }
}
