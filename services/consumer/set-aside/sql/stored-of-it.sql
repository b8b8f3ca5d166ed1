SELECT
    (
        SELECT count() FROM rollcall.event_rows
        WHERE akey = {akey:UInt64} AND event_id = {id:UUID} AND log_partition = {partition:UInt32} AND log_offset = {offset:UInt64}
    ) AS events,
    (SELECT count() FROM rollcall.event_bodies WHERE event_id = {id:UUID}) AS bodies,
    (
        SELECT count() FROM rollcall.user_observations
        WHERE user_id = {user:String} AND kind = 'event' AND observation_id = {id:UUID}
    ) AS observations
SETTINGS output_format_json_quote_64bit_integers = 0
