"""Weblog intake: what workflow engines report while a run goes on."""
