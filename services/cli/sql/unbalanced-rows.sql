-- Every assignment with events has one open version, whatever parts and signs hold it. One whose only delivery was set aside has
-- neither.
SELECT count() AS assignments FROM (
    SELECT akey, assignment_id FROM rollcall.open_versions GROUP BY akey, assignment_id
    HAVING sum(sign) NOT IN (0, 1) OR (sum(sign) = 0 AND akey IN (SELECT akey FROM rollcall.event_rows))
)
SETTINGS output_format_json_quote_64bit_integers = 0
