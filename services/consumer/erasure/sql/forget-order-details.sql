ALTER TABLE rollcall.guide_order_steps
    UPDATE detail = transform(hex(SHA256(detail)), {hashes:Array(String)}, {left:Array(String)}, detail)
    WHERE hex(SHA256(detail)) IN {hashes:Array(String)}
    SETTINGS mutations_sync = 2
