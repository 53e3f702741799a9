"""What is legal and what it is worth."""
