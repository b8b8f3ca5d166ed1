-- Where one delivery is, by its receipt, without its body.
SELECT
    (
        SELECT groupArray((toUnixTimestamp64Milli(received_at), toString(source), toString(event_type), rank > 0))
        FROM (SELECT received_at, source, event_type, rank FROM rollcall.event_rows WHERE event_id = {id:UUID} ORDER BY log_offset LIMIT 1)
    ) AS stored,
    (
        SELECT groupArray((toUnixTimestamp64Milli(received_at), toString(source), reasons, problems))
        FROM (SELECT received_at, source, reasons, problems FROM rollcall.failed_event_rows WHERE event_id = {id:UUID} ORDER BY log_offset LIMIT 1)
    ) AS failed,
    (
        SELECT groupArray((toUnixTimestamp64Milli(received_at), toString(source)))
        FROM (SELECT received_at, source FROM rollcall.repeat_rows FINAL WHERE event_id = {id:UUID} ORDER BY received_at LIMIT 100)
    ) AS repeats,
    (SELECT groupArray(replaceAll(toString(fixed_event_id), '-', '')) FROM (SELECT fixed_event_id FROM rollcall.failed_event_fixes WHERE event_id = {id:UUID} ORDER BY fixed_at DESC LIMIT 1)) AS fixed_as,
    (SELECT sum(records) FROM rollcall.waiting) AS waiting,
    (SELECT toUnixTimestamp64Milli(complete_through) FROM rollcall.complete_through) AS through
SETTINGS output_format_json_quote_64bit_integers = 0, output_format_json_named_tuples_as_objects = 0, max_execution_time = 60
