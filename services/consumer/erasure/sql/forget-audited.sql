-- What was done stays; who did it, or to whose login, does not. By hash, because the engine keeps the text of a mutation in a file.
ALTER TABLE rollcall.access_audit
    UPDATE
        login = if(hex(SHA256(login)) IN {hashes:Array(String)}, 'erased', login),
        detail = if(hex(SHA256(detail)) IN {details:Array(String)}, 'erased', detail)
    WHERE hex(SHA256(login)) IN {hashes:Array(String)} OR hex(SHA256(detail)) IN {details:Array(String)}
    SETTINGS mutations_sync = 2
