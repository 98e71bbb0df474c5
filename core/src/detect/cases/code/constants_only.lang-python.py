import os

HOST = "localhost"
PORT = 8080
DEBUG = False
PATHS = [
    os.path.join("a", "b"),
]
TIMEOUT = None
