-- Whether an event is stored, by whichever delivery. By the keys that both tables are ordered by.
SELECT
    (SELECT count() FROM rollcall.event_rows WHERE akey IN {keys:Array(UInt64)} AND event_id = {id:UUID})
    + (SELECT count() FROM rollcall.failed_event_rows WHERE event_id = {id:UUID}) > 0 AS isStored
