"""What the interviewer does next, and how it is put."""
