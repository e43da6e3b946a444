"""Results of trainings, and the effects of their options."""
