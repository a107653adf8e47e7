// Placeholder until the room's first file lands.
