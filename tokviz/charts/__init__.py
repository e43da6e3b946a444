"""Charts: data in, a Plotly figure with its question, its answer and its description out. A module for each question.

Plotly is large, so nothing but pages that draw charts imports these modules.
"""
