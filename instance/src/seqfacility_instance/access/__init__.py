"""Who may: sessions, typed callers, the demo refusal and the cross-site check, in one place."""
