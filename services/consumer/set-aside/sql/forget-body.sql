ALTER TABLE rollcall.event_bodies
    DELETE WHERE event_id = {id:UUID}
    SETTINGS mutations_sync = 2
