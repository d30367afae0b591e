"""Excel workbooks from strangers, read within bounds; and the request that carries a file."""
