import HealthSyncDomain
import HealthSyncPorts

/// The form of a file to import. It works without a script; with one, the file may be dropped anywhere on the page, and the
/// page shows how much of it was sent.
struct ImportForm {
    let imports: any ImportActions
    let context: PageContext

    var markup: Markup {
        get async {
            var content: [Markup] = [
                .tag("h2", [], "Import a file"),
                .tag(
                    "p", [],
                    """
                    Drop the export.zip of the iPhone's Health app here, or choose it: in the Health app tap your picture, \
                    then Export All Health Data. The file is stored on this computer only, and deleted after the import.
                    """),
            ]
            content.append(await form)
            content.append(
                .tag(
                    "p", [.class("quiet")], "Or ", .tag("a", [.href(DevicesPage.address)], "connect a phone"),
                    ", which sends new data by itself."))
            return .tag("section", [.class("card"), .id("import")], content)
        }
    }

    private var form: Markup {
        get async {
            var fields: [Markup] = []
            if let zone = await imports.assumedZone() {
                let attributes: [Markup.Attribute] = [
                    .init("placeholder", "Europe/Paris"), .init("data-zone"), .init("autocomplete", "off"),
                    .init("spellcheck", "false"), .init("maxlength", "64"),
                ]
                fields.append(
                    Form.field(
                        ImportFile.zoneField, "Time zone of your days, if it is not \(zone)",
                        context.typed(ImportFile.zoneField),
                        attributes, problem: context.problem.flatMap { $0.subject == ImportFile.zoneField ? $0 : nil }))
            }
            fields.append(
                .tag(
                    "div", [], .tag("label", [.init("for", ImportFile.fileField)], "File"),
                    .tag(
                        "input",
                        [
                            .init("type", "file"), .id(ImportFile.fileField), .init("name", ImportFile.fileField),
                            .init("required"),
                        ])))
            fields.append(Form.button("Import", [.class("strong")]))
            fields.append(.tag("p", [.id("upload"), .init("role", "status"), .class("quiet")]))
            return Form.post(
                ImportFile.address, viewer: context.request.viewer, [.tag("div", [.class("fields")], fields)],
                attributes: [.init("enctype", "multipart/form-data"), .init("data-upload")])
        }
    }
}
