-- Where mail goes. By hash, because the engine keeps the text of a mutation in a file.
ALTER TABLE rollcall.digest_subscriptions
    DELETE WHERE hex(SHA256(login)) IN {hashes:Array(String)} OR hex(SHA256(lowerUTF8(email))) IN {hashes:Array(String)} OR user_id = {user:String}
    SETTINGS mutations_sync = 2
