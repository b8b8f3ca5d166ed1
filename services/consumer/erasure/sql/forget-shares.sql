-- Links that the person made, or whose filters name the person, open nothing from now on. By hash and id, because the engine keeps the text of a mutation in a file.
ALTER TABLE rollcall.access_shares
    DELETE WHERE hex(SHA256(login)) IN {hashes:Array(String)} OR hex(SHA256(email)) IN {hashes:Array(String)} OR said_user_id = {user:String}
        OR id IN {ids:Array(String)}
    SETTINGS mutations_sync = 2
