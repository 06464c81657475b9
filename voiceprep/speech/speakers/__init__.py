"""Who is speaking: voices as vectors."""
