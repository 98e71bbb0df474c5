"""The server as the official Python client meets it: python conversation.py SAMPLE COMMAND [ARGUMENT...]"""

import asyncio
import json
import sys

from mcp import StdioServerParameters
from mcp.client.client import Client
from mcp.client.stdio import stdio_client
from mcp.shared.exceptions import MCPError

# Every way in which the client may open a conversation, and the revision that comes of it.
MODES = {"legacy": "2025-11-25", "auto": "2026-07-28", "2026-07-28": "2026-07-28"}


async def call(client, tool, **arguments):
    """The texts of a tool's answer, and whether it is an error."""
    result = await client.call_tool(tool, arguments)
    return [block.text for block in result.content], result.is_error


async def converse(client, revision, original):
    assert client.protocol_version == revision, client.protocol_version
    tools = (await client.list_tools()).tools
    assert len(tools) == 5, tools
    assert all(tool.annotations is not None for tool in tools)

    texts, is_error = await call(client, "caveman_compress", input=original)
    figures = json.loads(texts[1])
    assert not is_error and len(texts[0]) < len(original) / 2, figures
    handle = figures["recovery_handle"]
    texts, is_error = await call(client, "caveman_retrieve", recovery_handle=handle)
    assert not is_error and texts == [original]

    for tool, arguments, code in [
        ("caveman_retrieve", {"recovery_handle": "ccr_" + "0" * 32}, "cave_unknown_handle"),
        ("caveman_compress", {"input": 7}, "cave_invalid_arguments"),
        ("caveman_toon_decode", {"input": "[3]: 1"}, "cave_invalid_toon"),
        ("caveman_no_such_tool", {}, "cave_unknown_tool"),
    ]:
        texts, is_error = await call(client, tool, **arguments)
        assert is_error and json.loads(texts[0])["error"] == code, texts

    answers = await asyncio.gather(*(call(client, "caveman_compress", input=f"payload {n}") for n in range(20)))
    assert [texts[0] for texts, _ in answers] == [f"payload {n}" for n in range(20)]

    # Too long a line is an error of that call, at once: not a wait until the client gives up.
    try:
        await asyncio.wait_for(call(client, "caveman_compress", input="x" * (17 << 20)), 60)
    except MCPError as error:
        assert "cave_payload_too_large" in str(error), error
    else:
        raise AssertionError("a line of 17 MiB was taken")
    stats = json.loads((await call(client, "caveman_stats"))[0][0])
    assert (stats["requests"], stats["retrieves"]) == (21, 1), stats


async def main(sample, command):
    with open(sample, encoding="utf-8", newline="") as file:
        original = file.read()
    server = StdioServerParameters(command=command[0], args=command[1:])
    for mode, revision in MODES.items():
        async with Client(stdio_client(server), mode=mode) as client:
            await asyncio.wait_for(converse(client, revision, original), 60)
            print(f"{mode}: {client.protocol_version}")


asyncio.run(main(sys.argv[1], sys.argv[2:]))
