ALTER TABLE rollcall.waiting_rows
MODIFY COLUMN place Enum8('log' = 1, 'spool' = 2, 'lost' = 3) COMMENT 'log: in the event log; spool: on the disk of an ingest process, before the log; lost: in a spool that the owner has given up'
