"""Translation between the protocol and the core: the only place that knows encodings and URIs."""
