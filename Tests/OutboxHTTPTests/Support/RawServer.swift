import Foundation
import HealthSyncTestTools

/// A server that answers every connection with the same bytes, or GET requests with others, and stores the requests.
final class RawServer: Sendable {
    private let folder: TemporaryFolder
    private let server: PythonServer

    /// - Parameters:
    ///   - answer: the bytes; `\0` is sent as a megabyte of `x`, `\u{1}` as a second of silence.
    ///   - answerToGet: the bytes for GET requests; `nil` if they are the same.
    ///   - usesTLS: whether to use TLS, with an untrusted certificate.
    init(answer: String, answerToGet: String? = nil, usesTLS: Bool = false) async throws {
        folder = try TemporaryFolder()
        try folder.write(answer, as: "answer")
        try folder.write(answerToGet ?? answer, as: "answer-to-get")
        let program = try folder.write(Self.program, as: "server.py")
        server = try await PythonServer([program, folder.path, usesTLS ? "tls" : "plain"])
        address = "\(usesTLS ? "https" : "http")://127.0.0.1:\(server.port)"
    }

    let address: String

    /// The certificate in use, as an authority file.
    var certificateFile: String { folder.path(of: "certificate.pem") }

    /// The requests so far, head and body.
    func requests() throws -> [String] {
        try folder.names().filter { $0.hasPrefix("request-") }
            .map { String(decoding: try folder.contents(of: $0), as: UTF8.self) }
    }

    private static let program = #"""
        import os, socket, ssl, subprocess, sys, threading, time
        folder, mode = sys.argv[1:]
        answers = [open(folder + "/" + name, "rb").read() for name in ("answer", "answer-to-get")]
        listener = socket.create_server(("127.0.0.1", 0))
        context = None
        if mode == "tls":
            key, certificate = folder + "/key.pem", folder + "/certificate.pem"
            subprocess.run(
                ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
                 "-keyout", key, "-out", certificate, "-days", "2", "-subj", "/CN=127.0.0.1",
                 "-addext", "subjectAltName=IP:127.0.0.1"], check=True, stderr=subprocess.DEVNULL)
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate, key)
        print("ready", listener.getsockname()[1], flush=True)

        def serve(connection, number):
            try:
                if context:
                    connection = context.wrap_socket(connection, server_side=True)
                data = b""
                while b"\r\n\r\n" not in data:
                    piece = connection.recv(65536)
                    if not piece:
                        return
                    data += piece
                head, _, body = data.partition(b"\r\n\r\n")
                length = [int(line.split(b":")[1]) for line in head.split(b"\r\n")
                          if line.lower().startswith(b"content-length:")]
                while length and len(body) < length[0]:
                    piece = connection.recv(65536)
                    if not piece:
                        return
                    body += piece
                with open(f"{folder}/part-{number}", "wb") as file:
                    file.write(head + b"\r\n\r\n" + body)
                os.rename(f"{folder}/part-{number}", f"{folder}/request-{number:04}")
                for byte in answers[head.startswith(b"GET ")]:
                    if byte == 0:
                        connection.sendall(b"x" * (1 << 20))
                    elif byte == 1:
                        time.sleep(1)
                    else:
                        connection.sendall(bytes([byte]))
            except OSError:
                pass
            finally:
                connection.close()

        number = 0
        while True:
            connection, _ = listener.accept()
            number += 1
            threading.Thread(target=serve, args=(connection, number), daemon=True).start()
        """#
}
