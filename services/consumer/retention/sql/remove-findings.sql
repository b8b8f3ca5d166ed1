ALTER TABLE rollcall.reconcile_findings
    DELETE WHERE found_at < {before:DateTime64(3, 'UTC')}
    SETTINGS mutations_sync = 2
