ALTER TABLE rollcall.user_observations
    UPDATE name = NULL, email = NULL
    WHERE user_id = {user:String} AND (name IS NOT NULL OR email IS NOT NULL)
    SETTINGS mutations_sync = 2
