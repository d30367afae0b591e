"""Finding orders, samples, studies, runs and people by what people say of them."""
