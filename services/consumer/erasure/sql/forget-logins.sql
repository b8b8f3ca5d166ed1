-- What lets a person in. By hash, because the engine keeps the text of a mutation in a file.
ALTER TABLE rollcall.access_people
    DELETE WHERE hex(SHA256(login)) IN {hashes:Array(String)} OR user_id = {user:String}
    SETTINGS mutations_sync = 2
