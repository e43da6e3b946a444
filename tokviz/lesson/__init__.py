"""A 45-minute lesson on how language models read: what to say, what to ask, and the answers.

`steps` holds the lesson as data, `sheet` renders it as HTML, `pack` as one page that needs no network. Every figure in
the lesson is checked by tests/lesson/test_lesson.py.
"""
