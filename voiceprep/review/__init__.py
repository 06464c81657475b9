"""What a recording or a session shows, afterwards."""
