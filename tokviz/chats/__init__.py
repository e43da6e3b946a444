"""Chats: the prompt that a template makes of messages, and where each of its characters comes from."""
