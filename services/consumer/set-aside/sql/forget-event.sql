-- Of this delivery only.
ALTER TABLE rollcall.event_rows
    DELETE WHERE akey = {akey:UInt64} AND event_id = {id:UUID} AND log_partition = {partition:UInt32} AND log_offset = {offset:UInt64}
    SETTINGS mutations_sync = 2
