"""What the commands of SeqFacility share; needs neither the web nor a database."""
