"""Taxa of NCBI Taxonomy that an order suggests for its samples."""
