ALTER TABLE rollcall.failed_event_rows
    DELETE WHERE event_id IN {ids:Array(UUID)} AND erased_at < {at:DateTime64(3, 'UTC')}
    SETTINGS mutations_sync = 2
