-- Which log the records of Kafka were read from. A topic that takes another's place begins a new generation, and every offset kept
-- in other tables is the log's own plus generation * 2^43: so places of two logs are never taken for one another, and what
-- came by an older log is the earlier delivery. The local log of an embedded store is generation 0 and not named here.
CREATE TABLE IF NOT EXISTS rollcall.logs
(
    generation UInt16 COMMENT 'Counts the logs that this store has read; the highest is the present one',
    log String COMMENT 'Which log it is: kafka: and the name of the topic',
    began_at DateTime64(3, 'UTC') COMMENT 'When this store began to read it'
)
ENGINE = ReplacingMergeTree
ORDER BY (generation, log)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1
COMMENT 'The logs that were read, one after another'
