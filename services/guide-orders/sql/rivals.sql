-- Intents of other runners that saw no more of this person than we did.
SELECT runner
FROM rollcall.guide_order_steps FINAL
WHERE order_id = {order_id:String}
    AND user_id = {user_id:String}
    AND step >= {step:UInt32}
    AND runner != {runner:String}
    AND state != 'withdrawn'
LIMIT 1
