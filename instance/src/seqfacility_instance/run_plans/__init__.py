"""Sequencing runs, who sits on which barcode, and the workbooks and sample sheets that say so."""
