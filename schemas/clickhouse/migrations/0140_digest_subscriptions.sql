-- How people get their digest: the newest row of a login holds. Managers get one without a row, as configured.
CREATE TABLE IF NOT EXISTS rollcall.digest_subscriptions
(
    login String COMMENT 'Who, as at sign-in',
    email String COMMENT 'Where it goes, as the sign-in said it; empty = the login, where it is an e-mail',
    frequency LowCardinality(String) COMMENT 'daily, weekly or off; empty = not chosen',
    weekday UInt8 COMMENT 'Of a weekly one: 1 = Monday to 7 = Sunday',
    hour UInt8 COMMENT 'From this hour on, in the zone: 0 to 23',
    time_zone String COMMENT 'Zone of the tz database; empty = the reporting zone',
    language LowCardinality(String) COMMENT 'Language of the words, such as en',
    alerts Bool COMMENT 'Whether an owner gets alerts of Health',
    unsubscribe_key String COMMENT 'What the link in her mails carries: whoever has it can switch her mails off, and nothing else',
    role LowCardinality(String) COMMENT 'Role by the groups of the sign-in provider, as last seen; empty = none',
    user_id String COMMENT 'Id at the platform as the sign-in said it; empty = found by e-mail',
    seen_at DateTime64(3, 'UTC') COMMENT 'When she was last here; a role by groups is believed for some time after',
    changed_at DateTime64(3, 'UTC') COMMENT 'When this was written'
)
ENGINE = ReplacingMergeTree(changed_at)
ORDER BY login
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1
COMMENT 'Who gets a digest by e-mail, when and where'
