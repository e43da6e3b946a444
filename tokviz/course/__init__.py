"""A course on tokenizers, in chapters that one reads alone.

`chapters` reads the chapters, which are markdown files in the folder of that name; what their figures show is computed
by the module that is called like the chapter. Every fact and number in a chapter is checked by tests/course.
"""
