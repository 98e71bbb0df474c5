//! The MCP session: one line in, at most one line out.
