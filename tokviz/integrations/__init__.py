"""Working together with libraries that tokviz does without: each module needs its library, and nothing else does."""
