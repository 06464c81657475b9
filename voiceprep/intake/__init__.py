"""A CV and a job description: read from files, taken apart into claims and demands, and turned into questions."""
