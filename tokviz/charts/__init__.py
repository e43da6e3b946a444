"""Charts: Plotly figures with the question they answer, the answer and a description. One module per question.

Plotly is large, so only pages that draw charts import these modules.
"""
