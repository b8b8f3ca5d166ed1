-- Orders as they were placed, without collapsing repeats: two that share an id and differ must be seen.
SELECT
    order_id AS orderId,
    toUnixTimestamp64Milli(asked_at) AS askedAtMs,
    asked_by AS askedBy,
    reason,
    guide_id AS guideId,
    guide_title AS guideTitle,
    user_ids AS userIds,
    toUnixTimestamp64Milli(due_date) AS dueDateMs,
    again
FROM rollcall.guide_order_rows
WHERE order_id = {order_id:String}
ORDER BY asked_at
SETTINGS output_format_json_quote_64bit_integers = 0
