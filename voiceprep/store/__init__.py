"""Session folders: the log, the audio, recovery, deletion."""
