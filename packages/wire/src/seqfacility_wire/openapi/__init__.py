"""An OpenAPI 3.1 document made from a URL table, a contract table and JSON Schemas."""
