ALTER TABLE rollcall.failed_event_rows
    DELETE WHERE received_at < {before:DateTime64(3, 'UTC')}
    SETTINGS mutations_sync = 2
