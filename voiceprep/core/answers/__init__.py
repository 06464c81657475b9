"""What an answer showed and left out, what is worth asking about it, and the level that it is at."""
