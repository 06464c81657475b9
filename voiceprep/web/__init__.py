"""The page's server: REST, one live socket, closed by default."""
