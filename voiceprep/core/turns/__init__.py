"""Who has the floor: when an answer is over, and who may speak over whom."""
