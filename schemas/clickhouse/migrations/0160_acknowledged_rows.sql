-- What ingest has counted itself when it gave receipts, apart from the log. Two reports of a count are kept, in turns: the older one is
-- compared until everything that the newer one counts must be stored.
CREATE TABLE IF NOT EXISTS rollcall.acknowledged_rows
(
    holder String COMMENT 'The file of an ingest process that counts; what several have counted is added up',
    source LowCardinality(String) COMMENT 'Name of the ingest token',
    hour DateTime('UTC') COMMENT 'Hour of receipt',
    turn UInt8 COMMENT 'Of the two reports that are kept: 0 or 1',
    acknowledged UInt64 COMMENT 'Receipts given since the file was begun',
    reported_at DateTime64(3, 'UTC') COMMENT 'All of them were given before; the later row of a turn counts'
)
ENGINE = ReplacingMergeTree(reported_at)
ORDER BY (holder, source, hour, turn)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1
COMMENT 'Acknowledgements as ingest has counted them'
