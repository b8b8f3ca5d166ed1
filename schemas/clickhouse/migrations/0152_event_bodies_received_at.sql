ALTER TABLE rollcall.event_bodies
    ADD COLUMN IF NOT EXISTS received_at DateTime64(3, 'UTC') DEFAULT toDateTime64(0, 3, 'UTC') COMMENT 'When ingest had the whole body; the epoch = stored before this was recorded'
