"""Rules on index sequences: which are too alike, which leave an instrument in the dark, which a set holds."""
