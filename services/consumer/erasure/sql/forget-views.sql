-- Those of the person, and those that name the person. By hash and id, because the engine keeps the text of a mutation in a file.
ALTER TABLE rollcall.access_views
    DELETE WHERE hex(SHA256(login)) IN {hashes:Array(String)} OR id IN {ids:Array(String)}
    SETTINGS mutations_sync = 2
