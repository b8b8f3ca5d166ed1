ALTER TABLE rollcall.event_bodies
    ADD COLUMN IF NOT EXISTS erased_at DateTime64(3, 'UTC') DEFAULT toDateTime64(0, 3, 'UTC') COMMENT 'When personal data were taken out of a body that was stored with them; the epoch = never'
