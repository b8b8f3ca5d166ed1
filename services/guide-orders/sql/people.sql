-- Where each person of an order stands. What was withdrawn never happened.
SELECT
    entry.user_id AS userId,
    argMax(entry.state, (entry.step, entry.at)) AS state,
    argMax(entry.assignment_id, (entry.step, entry.at)) AS assignmentId,
    argMax(entry.detail, (entry.step, entry.at)) AS detail,
    max(entry.step) AS lastStep,
    toUnixTimestamp64Milli(max(entry.at)) AS atMs,
    countIf(entry.state = 'intended') AS tries,
    argMaxIf(entry.known_ids, (entry.step, entry.at), entry.state = 'intended') AS knownIds
FROM rollcall.guide_order_steps AS entry FINAL
WHERE entry.order_id = {order_id:String} AND entry.state != 'withdrawn'
GROUP BY entry.user_id
SETTINGS output_format_json_quote_64bit_integers = 0
