"""The figures of all chapters by name: what each computes of a text and options that anybody may have sent."""

from tokviz.course import beyond, cuts, families, letters, never_met, pairs, pieces, specials, trouble, vectors
from tokviz.course.figure import Figure

FIGURES: dict[str, Figure] = {
    name: figure
    for module in (letters, pieces, pairs, cuts, vectors, specials, families, trouble, never_met, beyond)
    for name, figure in module.FIGURES.items()
}
