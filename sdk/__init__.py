"""Client libraries, and the program that makes them from the document."""
