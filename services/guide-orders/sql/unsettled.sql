-- Whose call in another order of the same guide may still take effect.
SELECT user_id AS userId
FROM rollcall.guide_orders
WHERE guide_id = {guide_id:String} AND order_id != {order_id:String} AND outcome IN ('calling', 'unknown')
