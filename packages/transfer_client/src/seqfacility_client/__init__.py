"""The client of a facility that runs on a workstation: sends reads, fetches deliveries; knows no database."""
