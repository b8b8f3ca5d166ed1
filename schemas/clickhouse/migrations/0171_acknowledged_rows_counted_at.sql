-- A clock may be set back: which report counts, and as of when it was counted, are two things.
ALTER TABLE rollcall.acknowledged_rows
    ADD COLUMN IF NOT EXISTS counted_at DateTime64(3, 'UTC') DEFAULT reported_at COMMENT 'All of them were given before',
    COMMENT COLUMN reported_at 'The later row of a turn counts: it rises from report to report, even if the clock is set back'
