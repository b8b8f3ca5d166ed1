ALTER TABLE rollcall.event_bodies
    DELETE WHERE received_at < {before:DateTime64(3, 'UTC')}
    SETTINGS mutations_sync = 2
