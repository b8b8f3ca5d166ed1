ALTER TABLE rollcall.event_bodies
    DELETE WHERE event_id IN {ids:Array(UUID)} AND erased_at < {at:DateTime64(3, 'UTC')}
    SETTINGS mutations_sync = 2
