-- The analysts' contract: people as of now, without names and emails. Those are in the view people, with a grant of its own.
CREATE OR REPLACE VIEW rollcall.users
(
    user_id String COMMENT 'user.id as text',
    active Bool COMMENT 'Neither deleted nor permanently deleted',
    is_deleted Bool COMMENT 'isDeleted',
    is_permanently_deleted Bool COMMENT 'isPermanentlyDeleted',
    teams Array(String) COMMENT 'Ids of the person''s teams',
    user_attributes Map(String, String) COMMENT 'Custom attributes by name, of those that USER_ATTRIBUTES allows'
) AS
SELECT user_id, active, is_deleted, is_permanently_deleted, teams, user_attributes
FROM rollcall.people_at(as_of = now64(3, 'UTC'), now = now64(3, 'UTC'))
COMMENT 'People as of now, without names and emails'
