"""What is kept in files: diagrams as versioned JSON, arrays in it, SRC as people name it."""
