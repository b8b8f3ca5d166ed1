-- By hash, because the engine keeps the text of a mutation in a file.
ALTER TABLE rollcall.names
    DELETE WHERE hex(SHA256(name)) IN {hashes:Array(String)}
    SETTINGS mutations_sync = 2
