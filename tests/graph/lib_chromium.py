# SPDX-License-Identifier: MIT
"""A headless Chromium for tests, driven by its DevTools protocol over two pipes: no driver and no
package is needed but the browser. Each command is one JSON text that ends with a NUL byte."""
import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

from lib_graph import finish, problem, skip

SECONDS = 60  # the longest wait for one answer


def find_browser():
    for name in ("chromium", "chromium-browser", "google-chrome"):
        if shutil.which(name):
            return shutil.which(name)
    if os.environ.get("CI") == "true":
        problem("no Chromium here: cmake/packages.txt lists it")
        finish("no browser")
    skip("Chromium is not here")


class Browser:
    """One page. What it says on its console, throws, or asks of a network collects in `trouble`."""

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        to_read, self.to = os.pipe()
        self.of, of_write = os.pipe()
        os.set_inheritable(to_read, True)
        os.set_inheritable(of_write, True)
        self.process = subprocess.Popen(
            ["sh", "-c", f'exec "$@" 3<&{to_read} 4>&{of_write}', "sh", find_browser(), "--headless=new",
             "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--disable-dev-shm-usage", "--no-first-run",
             "--disable-background-networking", "--disable-extensions", "--font-render-hinting=none",
             f"--user-data-dir={self.folder.name}", "--remote-debugging-pipe", "about:blank"],
            pass_fds=(to_read, of_write), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(of_write)
        self.number, self.unread, self.session = 0, b"", None
        self.loaded, self.trouble = False, []
        target = next(t for t in self.send("Target.getTargets")["targetInfos"] if t["type"] == "page")
        self.session = self.send("Target.attachToTarget", targetId=target["targetId"], flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.send(domain + ".enable")

    def close(self):
        try:
            self.session = None
            self.send("Browser.close")
        except OSError:
            pass
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.folder.cleanup()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def message(self, until):
        while b"\0" not in self.unread:
            if not select.select([self.of], [], [], max(0, until - time.monotonic()))[0]:
                raise OSError("the browser does not answer")
            data = os.read(self.of, 1 << 20)
            if not data:
                raise OSError("the browser has ended")
            self.unread += data
        text, self.unread = self.unread.split(b"\0", 1)
        return json.loads(text)

    def note(self, event):
        method, what = event.get("method"), event.get("params", {})
        if method == "Page.loadEventFired":
            self.loaded = True
        elif method == "Runtime.exceptionThrown":
            self.trouble.append("exception: " + json.dumps(what["exceptionDetails"])[:400])
        elif method == "Runtime.consoleAPICalled":
            self.trouble.append("console: " + json.dumps(what["args"])[:400])
        elif method == "Log.entryAdded":
            self.trouble.append("log: " + what["entry"]["text"])
        elif method == "Network.requestWillBeSent" and not what["request"]["url"].startswith(("file:", "data:")):
            self.trouble.append("request: " + what["request"]["url"])

    def send(self, method, **params):
        self.number += 1
        command = {"id": self.number, "method": method, "params": params}
        if self.session:
            command["sessionId"] = self.session
        data = json.dumps(command).encode() + b"\0"
        while data:
            data = data[os.write(self.to, data):]
        until = time.monotonic() + SECONDS
        while True:
            answer = self.message(until)
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self.note(answer)

    def open(self, path):
        self.loaded = False
        if "loaderId" not in self.send("Page.navigate", url="file://" + os.path.abspath(path)):
            self.send("Page.reload")  # the same document again
        until = time.monotonic() + SECONDS
        while not self.loaded:
            self.note(self.message(until))

    def run(self, script):
        """The value of a JavaScript expression; a promise is waited for."""
        done = self.send("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in done:
            raise RuntimeError(json.dumps(done["exceptionDetails"])[:1000])
        return done["result"].get("value")

    def size(self, width, height):
        self.send("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def media(self, **features):
        """media(prefers_color_scheme="dark")"""
        names = [{"name": k.replace("_", "-"), "value": v} for k, v in features.items()]
        self.send("Emulation.setEmulatedMedia", features=names)
        self.settle()

    def mouse(self, kind, x, y, **more):
        self.send("Input.dispatchMouseEvent", type="mouse" + kind, x=x, y=y, **more)

    def click(self, x, y):
        self.mouse("Moved", x, y)
        self.mouse("Pressed", x, y, button="left", buttons=1, clickCount=1)
        self.mouse("Released", x, y, button="left", clickCount=1)

    def key(self, key):
        codes = {"Enter": 13, "Escape": 27, "Tab": 9}
        more = {"windowsVirtualKeyCode": codes[key], "code": key} if key in codes else {"text": key}
        if key == "Enter":
            more["text"] = "\r"
        self.send("Input.dispatchKeyEvent", type="keyDown", key=key, **more)
        self.send("Input.dispatchKeyEvent", type="keyUp", key=key)
        self.settle()

    def settle(self):
        """Waits until the page has been drawn anew."""
        self.run("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(0))))")

    def picture(self, path):
        with open(path, "wb") as f:
            f.write(base64.b64decode(self.send("Page.captureScreenshot", format="png")["data"]))
