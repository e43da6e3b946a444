"""What OpenAI's library makes of a chat."""

import json
from functools import cache
from typing import Any

from openai_harmony import (
    Author,
    Conversation,
    DeveloperContent,
    HarmonyEncoding,
    HarmonyEncodingName,
    Message,
    Role,
    SystemContent,
    ToolDescription,
    load_harmony_encoding,
)


@cache
def encoding() -> HarmonyEncoding:
    return load_harmony_encoding(HarmonyEncodingName.HARMONY_GPT_OSS)


def ids(messages: list[dict[str, Any]], tools: list[dict[str, Any]] | None, asks: bool, date: str) -> list[int]:
    """Return the ids; `asks` for the beginning of an answer."""
    system = SystemContent.new().with_conversation_start_date(date)
    said = [Message.from_role_and_content(Role.SYSTEM, system)]
    instructions = messages[0]["content"] if messages[0]["role"] == "system" else None
    if tools or instructions is not None:
        said.append(Message.from_role_and_content(Role.DEVELOPER, _developer(instructions, tools)))
    for message in messages[instructions is not None :]:
        said += _messages(message)
    conversation = Conversation.from_messages(said)
    if asks:
        return list(encoding().render_conversation_for_completion(conversation, Role.ASSISTANT))
    return list(encoding().render_conversation(conversation))


def _developer(instructions: str | None, tools: list[dict[str, Any]] | None) -> DeveloperContent:
    content = DeveloperContent.new()
    if instructions is not None:
        content = content.with_instructions(instructions)
    functions = [tool["function"] for tool in tools or ()]
    described = [ToolDescription.new(f["name"], f["description"], f.get("parameters")) for f in functions]
    return content.with_function_tools(described) if described else content


def _messages(message: dict[str, Any]) -> list[Message]:
    if message["role"] == "user":
        return [Message.from_role_and_content(Role.USER, message["content"])]
    if message["role"] == "tool":
        result = Message.from_author_and_content(
            Author.new(Role.TOOL, f"functions.{message['name']}"), message["content"]
        )
        return [result.with_channel("commentary").with_recipient("assistant")]
    calls = message.get("tool_calls", [])
    said = [(message.get("reasoning_content"), "analysis"), (message["content"], "commentary" if calls else "final")]
    found = [
        Message.from_role_and_content(Role.ASSISTANT, text).with_channel(channel)
        for text, channel in said
        if text or channel == "final"
    ]
    for call in calls:
        arguments = json.dumps(call["function"]["arguments"], ensure_ascii=False)
        asked = Message.from_role_and_content(Role.ASSISTANT, arguments).with_channel("commentary")
        recipient = f"functions.{call['function']['name']}"
        found.append(asked.with_recipient(recipient).with_content_type("<|constrain|>json"))
    return found
