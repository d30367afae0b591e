"""The programs of the peers of the transfer benchmark: each does what is compared and nothing else."""

TUS_SERVER = """
import {Server} from "@tus/server";
import {FileStore} from "@tus/file-store";
const [directory, port] = process.argv.slice(2);
new Server({path: "/files", datastore: new FileStore({directory})}).listen({host: "127.0.0.1", port: +port});
"""
NAIVE_FALCON = """
import sys
import falcon
from gunicorn.app.base import BaseApplication
class Body:
    def on_patch(self, req, resp):
        with open(sys.argv[2], "r+b" if int(req.get_header("x-service-offset")) else "wb") as file:
            file.seek(int(req.get_header("x-service-offset")))
            while block := req.bounded_stream.read(64 * 1024): file.write(block)
app = falcon.App()
app.add_route("/body", Body())
class Server(BaseApplication):
    def load_config(self):
        for name, value in {"bind": "127.0.0.1:" + sys.argv[1], "worker_class": "gthread", "threads": 48,
            "http_parser": "python", "control_socket_disable": True, "loglevel": "warning",
            "timeout": 600}.items(): self.cfg.set(name, value)
    def load(self): return app
Server().run()
"""
LIMIT_PYTHON = """
import os, socket, sys
listening = socket.create_server(("127.0.0.1", int(sys.argv[1])))
buffer = memoryview(bytearray(1 << 20))
while True:
    line, _ = listening.accept()
    file = os.open(sys.argv[2], os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    while header := line.recv(8, socket.MSG_WAITALL):
        left = int.from_bytes(header, "big")
        while left:
            got = line.recv_into(buffer[: min(left, len(buffer))])
            if not got: sys.exit("the client went away")
            left -= got
            os.write(file, buffer[:got])
        os.fdatasync(file)
        line.sendall(b"k")
    os.close(file)
    line.close()
"""
LIMIT_C = r"""
#include <arpa/inet.h>
#include <endian.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>
static char buffer[1 << 20];
int main(int count, char **words) {
    int one = 1, listening = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in place = {AF_INET, htons(atoi(words[1])), {htonl(INADDR_LOOPBACK)}, {0}};
    setsockopt(listening, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    if (count != 3 || bind(listening, (void *)&place, sizeof place) || listen(listening, 8)) return 1;
    for (;;) {
        int line = accept(listening, 0, 0);
        int file = open(words[2], O_WRONLY | O_CREAT | O_TRUNC, 0600);
        uint64_t left;
        while (recv(line, &left, 8, MSG_WAITALL) == 8) {
            for (left = be64toh(left); left;) {
                ssize_t got = recv(line, buffer, left < sizeof buffer ? left : sizeof buffer, 0);
                if (got <= 0 || write(file, buffer, got) != got) return 1;
                left -= got;
            }
            if (fdatasync(file) || send(line, "k", 1, 0) != 1) return 1;
        }
        close(file);
        close(line);
    }
}
"""
