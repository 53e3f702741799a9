"""What research needs of the rules: many deals at once, over NumPy."""
