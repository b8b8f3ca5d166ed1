ALTER TABLE rollcall.guide_order_rows
    UPDATE
        asked_by = transform(hex(SHA256(asked_by)), {hashes:Array(String)}, {left:Array(String)}, asked_by),
        reason = transform(hex(SHA256(reason)), {hashes:Array(String)}, {left:Array(String)}, reason),
        guide_title = transform(hex(SHA256(guide_title)), {hashes:Array(String)}, {left:Array(String)}, guide_title)
    WHERE hasAny([hex(SHA256(asked_by)), hex(SHA256(reason)), hex(SHA256(guide_title))], {hashes:Array(String)})
    SETTINGS mutations_sync = 2
