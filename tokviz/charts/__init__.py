"""Charts: Plotly figures with the question they answer, the answer and a description. One module per question."""
