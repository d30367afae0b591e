"""What happens at the facility: recorded with the act, handed on to those who tell others. Decision: G835."""
