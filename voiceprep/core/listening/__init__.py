"""What was heard: words that firm up, captions, the interviewer's own echo, silences, rates and fillers."""
