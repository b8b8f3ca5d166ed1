-- What the owner said of people who sign in: the newest row of a login holds. Few rows, read whole.
CREATE TABLE IF NOT EXISTS rollcall.access_people
(
    login String COMMENT 'E-mail in lower case, or sub: and the subject at the sign-in provider',
    role LowCardinality(String) COMMENT 'owner, analyst, manager, viewer; nobody = may not sign in; empty = as the sign-in provider says',
    names Bool COMMENT 'Whether an analyst sees names and e-mails',
    user_id String COMMENT 'Id at the platform; empty = found by e-mail',
    password String COMMENT 'scrypt hash with its salt and costs; empty = no password',
    is_removed Bool COMMENT 'Whether the owner took the entry away',
    changed_at DateTime64(3, 'UTC') COMMENT 'When it was said',
    changed_by String COMMENT 'Login of the one who said so'
)
ENGINE = ReplacingMergeTree(changed_at)
ORDER BY login
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1
COMMENT 'Roles and passwords of people who sign in to the dashboards'
