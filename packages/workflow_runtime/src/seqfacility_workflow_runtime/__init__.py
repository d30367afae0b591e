"""Workflow engines and executors; knows neither database nor HTTP."""
