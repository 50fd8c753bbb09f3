/// Puts together the OpenAPI object of an operation.
struct OpenAPIOperation {
    /// A parameter of the query.
    struct Parameter {
        let name: String
        /// A schema, as JSON.
        let schema: String
        var isRequired = false
        /// Whether its values stand in one, with commas between them.
        var isList = false

        /// The parameter, as JSON.
        var json: String {
            let form = isList ? #""style":"form","explode":false,"# : ""
            return #"{"name":"\#(name)","in":"query","required":\#(isRequired),\#(form)"schema":\#(schema)}"#
        }

        static let from = Parameter(name: "from", schema: #"{"type":"string","format":"date"}"#)
        static let to = Parameter(name: "to", schema: #"{"type":"string","format":"date"}"#)
        /// A day, or a time.
        static let instant = #"{"type":"string","anyOf":[{"format":"date"},{"format":"date-time"}]}"#
        /// Text without a zero byte, which no target of a request may hold.
        static let text = ##"{"type":"string","pattern":"^[^\\u0000]+$"}"##
        static let offset = Parameter(name: "offset", schema: #"{"type":"integer","minimum":0,"maximum":1000000000}"#)
        static func limit(_ maximum: Int) -> Parameter {
            Parameter(name: "limit", schema: #"{"type":"integer","minimum":1,"maximum":\#(maximum)}"#)
        }
        static let revision = Parameter(
            name: "revision", schema: #"{"type":"integer","minimum":0,"maximum":9007199254740991}"#)
    }

    let summary: String
    /// Names of parameters in the path, with their schemas as JSON.
    var path: [(name: String, schema: String)] = []
    var query: [Parameter] = []
    /// Name of the body's schema.
    var body: String?
    /// Names of schemas by status.
    var answers: [(status: Int, schema: String)] = []
    /// Statuses that answer a problem document, or `{"error": …}` where the shape is fixed.
    var errors: [Int] = []
    /// Media type of good answers.
    var mediaType = "application/json"

    /// The object, as JSON.
    var json: String {
        var parts = [#""summary":"\#(summary)""#]
        let parameters =
            path.map { #"{"name":"\#($0.name)","in":"path","required":true,"schema":\#($0.schema)}"# }
            + query.map(\.json)
        if !parameters.isEmpty { parts.append(#""parameters":[\#(parameters.joined(separator: ","))]"#) }
        if let body {
            let content = ##"{"application/json":{"schema":{"$ref":"#/components/schemas/\##(body)"}}}"##
            parts.append(#""requestBody":{"required":true,"content":\#(content)}"#)
        }
        let good = answers.map { status, schema in
            let content = ##"{"\##(mediaType)":{"schema":{"$ref":"#/components/schemas/\##(schema)"}}}"##
            return #""\#(status)":{"description":"Done","content":\#(content)}"#
        }
        // A parameter that is empty makes another path.
        let refusals = (path.isEmpty ? errors : errors + [404]) + [429]
        let refused = refusals.filter { status in !answers.contains { $0.status == status } }.map { status in
            let schema = ##"{"schema":{"$ref":"#/components/schemas/Refusal"}}"##
            let content = #"{"application/problem+json":\#(schema),"application/json":\#(schema)}"#
            return #""\#(status)":{"description":"Refused","content":\#(content)}"#
        }
        parts.append(#""responses":{\#((good + refused).joined(separator: ","))}"#)
        return "{\(parts.joined(separator: ","))}"
    }
}
