ALTER TABLE rollcall.waiting_rows
COMMENT COLUMN holder 'Partition of the event log, or the admin address of the ingest process; of what is lost, with the time of the report'
