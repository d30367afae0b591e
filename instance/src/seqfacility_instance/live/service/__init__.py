"""The live feed: readers, their connections, and the thread that tells them."""
