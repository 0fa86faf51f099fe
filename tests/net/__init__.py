"""The net: proves that nothing is lost for those who use the program, while its insides change."""
