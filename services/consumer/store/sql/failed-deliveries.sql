-- Which of these failed events are in the table, and with which deliveries.
SELECT replaceAll(toString(event_id), '-', '') AS eventId, log_partition AS partition, log_offset AS offset
FROM rollcall.failed_event_rows
WHERE event_id IN {ids:Array(UUID)}
SETTINGS output_format_json_quote_64bit_integers = 0
