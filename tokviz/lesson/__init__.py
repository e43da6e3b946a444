"""A lesson of 45 minutes on how language models read: what to say, what to ask, what comes out.

`steps` holds the lesson as data, `sheet` writes it as HTML, `pack` as one page that needs no network. Every figure in
it is checked by tests/lesson/test_lesson.py.
"""
