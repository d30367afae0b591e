"""Packages of nf-core workflows, built from the workflow's own files and a curation of ours."""
