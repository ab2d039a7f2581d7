"""A page in headless Chromium that can be clicked, typed at and looked at."""

from __future__ import annotations

import base64
import itertools
import json
import os
import shutil
import subprocess
import time
import urllib.request

import websocket

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
QUIET = (
    "--headless", "--disable-gpu", "--disable-quic", "--no-first-run", "--hide-scrollbars",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
)  # fmt: skip
DRIVEN = ("--remote-debugging-port=0", "--remote-allow-origins=*")
SECONDS = 240  # on a machine that compiles, and is busy
KEYS = {"Enter": ("Enter", 13, "\r")}


def chromium(profile):
    """Return the command that runs Chromium without a window."""
    found = next(filter(None, map(shutil.which, NAMES)), None)
    assert found, f"none of these is installed: {', '.join(NAMES)}"
    root = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    return [found, *QUIET, *root, f"--user-data-dir={profile}"]


class Page:
    """One page, at a size, light or dark."""

    def __init__(self, profile, size=(1200, 900), dark=False):
        command = [*chromium(profile), *DRIVEN, "about:blank"]
        self.process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
        self.numbers = itertools.count(1)
        self.errors = []
        port = self.wait(lambda: self._port(profile))
        pages = json.load(urllib.request.urlopen(f"http://127.0.0.1:{port}/json"))
        address = next(page for page in pages if page["type"] == "page")["webSocketDebuggerUrl"]
        self.socket = websocket.create_connection(address, timeout=SECONDS)
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.do(f"{domain}.enable")
        self.resize(*size)
        wish = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.do("Emulation.setEmulatedMedia", features=[wish])

    @staticmethod
    def _port(profile):
        file = profile / "DevToolsActivePort"
        lines = file.read_text().splitlines() if file.exists() else []
        return lines[0] if lines else None

    def resize(self, width, height):
        phone = width < 600
        self.do(
            "Emulation.setDeviceMetricsOverride",
            width=width, height=height, deviceScaleFactor=1, mobile=phone,
        )  # fmt: skip

    def do(self, method, **params):
        """Send a command and return its result; what went wrong on the page is remembered."""
        number = next(self.numbers)
        self.socket.send(json.dumps({"id": number, "method": method, "params": params}))
        while True:
            message = json.loads(self.socket.recv())
            if message.get("method") in ("Runtime.exceptionThrown", "Log.entryAdded"):
                self.errors.append(message["params"])
            if message.get("id") == number:
                assert "error" not in message, message
                return message["result"]

    def wait(self, check, seconds=SECONDS):
        """Wait for something, and return it."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if found := check():
                return found
            time.sleep(0.03)
        raise AssertionError("waited in vain")

    def value(self, code):
        """Return the value of some JavaScript."""
        result = self.do("Runtime.evaluate", expression=code, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in result, result
        return result["result"].get("value")

    def until(self, code):
        """Wait until some JavaScript holds, and return its value."""
        return self.wait(lambda: self.value(code))

    def go(self, address):
        self.do("Page.navigate", url=address)

    def click(self, selector, number=0):
        """Click into the middle of an element, as a person does."""
        place = self.value(
            f"(() => {{ const e = document.querySelectorAll({json.dumps(selector)})[{number}];"
            "e.scrollIntoView({block: 'center'}); const r = e.getBoundingClientRect();"
            "return [r.x + r.width / 2, r.y + r.height / 2]; })()"
        )
        for kind in ("mousePressed", "mouseReleased"):
            self.do(
                "Input.dispatchMouseEvent",
                type=kind, x=place[0], y=place[1], button="left", clickCount=1,
            )  # fmt: skip

    def press(self, key):
        """Press a key."""
        name, code, text = KEYS[key] if key in KEYS else (key, ord(key.upper()), key)
        for kind in ("keyDown", "keyUp"):
            self.do(
                "Input.dispatchKeyEvent",
                type=kind, key=name, text=text if kind == "keyDown" else "",
                windowsVirtualKeyCode=code,
            )  # fmt: skip

    def picture(self, path, whole=True):
        """Save what the page looks like."""
        shot = self.do("Page.captureScreenshot", captureBeyondViewport=whole)
        path.write_bytes(base64.b64decode(shot["data"]))

    def close(self):
        self.socket.close()
        self.process.terminate()
        self.process.wait(SECONDS)
