-- That mail went there. By hash, because the engine keeps the text of a mutation in a file.
ALTER TABLE rollcall.digest_sends
    DELETE WHERE hex(SHA256(recipient)) IN {hashes:Array(String)} OR hex(SHA256(lowerUTF8(address))) IN {hashes:Array(String)}
    SETTINGS mutations_sync = 2
