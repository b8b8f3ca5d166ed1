ALTER TABLE rollcall.guide_rows
    UPDATE
        title = transform(hex(SHA256(title)), {hashes:Array(String)}, {left:Array(String)}, title),
        tags = arrayMap(tag -> transform(hex(SHA256(toString(tag))), {hashes:Array(String)}, {left:Array(String)}, toString(tag)), tags)
    WHERE hex(SHA256(title)) IN {hashes:Array(String)} OR arrayExists(tag -> hex(SHA256(toString(tag))) IN {hashes:Array(String)}, tags)
    SETTINGS mutations_sync = 2
