//! Key templates: how an entity's attributes become a key, and what follows from that.
