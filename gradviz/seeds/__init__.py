"""Ways to start a backward pass, and seeds as they are typed, pasted and read from files."""
