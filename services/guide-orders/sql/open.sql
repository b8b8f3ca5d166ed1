-- Orders with something left to do, oldest first.
SELECT order_id AS orderId
FROM rollcall.guide_orders
WHERE outcome IN ('planned', 'calling', 'unknown', 'waiting')
GROUP BY order_id
ORDER BY min(asked_at), order_id
