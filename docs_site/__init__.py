"""What the documentation's pages get when they are built: tables made from the program itself."""
