ALTER TABLE rollcall.logs
    ADD COLUMN IF NOT EXISTS partitions UInt32 DEFAULT 1 COMMENT 'How many partitions it has: before each has a position, nothing is known to be complete'
