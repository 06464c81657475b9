"""What the candidate claimed (numbers, dates, who decided), and what was told differently later."""
