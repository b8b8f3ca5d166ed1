ALTER TABLE rollcall.user_observations
    DELETE WHERE user_id = {user:String} AND kind = 'event' AND observation_id = {id:UUID}
    SETTINGS mutations_sync = 2
