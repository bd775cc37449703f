"""What tests need beside the program, and have to give back."""
