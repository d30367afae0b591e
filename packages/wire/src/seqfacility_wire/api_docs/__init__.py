"""The page that shows an OpenAPI document to people: Swagger UI, shipped with us, nothing from elsewhere."""
