"""A drill: what it is, what stands in a round's place while one runs, and how a take is judged."""
