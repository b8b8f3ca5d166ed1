-- materialize(): a literal NULL would only mark the text as NULL and leave it in the column.
ALTER TABLE rollcall.user_observations
    UPDATE name = materialize(CAST(NULL AS Nullable(String))), email = materialize(CAST(NULL AS Nullable(String)))
    WHERE user_id = {user:String} AND (assumeNotNull(name) != '' OR assumeNotNull(email) != '')
    SETTINGS mutations_sync = 2
