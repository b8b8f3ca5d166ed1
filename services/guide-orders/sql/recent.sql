SELECT order_id AS orderId
FROM rollcall.guide_order_rows FINAL
ORDER BY asked_at DESC, order_id
LIMIT {limit:UInt32}
