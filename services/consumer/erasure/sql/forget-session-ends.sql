-- By hash, because the engine keeps the text of a mutation in a file.
ALTER TABLE rollcall.access_session_ends
    DELETE WHERE hex(SHA256(subject)) IN {hashes:Array(String)}
    SETTINGS mutations_sync = 2
