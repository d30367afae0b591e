"""The way of whatever is sent to others, be it a mail or a webhook's delivery. Decision: G839, G853."""
